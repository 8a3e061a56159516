"""Calls of an endpoint for a use beyond battles, within its owner's daily cap, with retries while it is busy."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC
from itertools import count
from typing import TYPE_CHECKING, Final

from arena.adapters.store import budgets
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.calls import token_costs
from arena.calls.stream import ReceivedAnswer, receive
from arena.calls.targets import target_of
from arena.domain.errors import ArenaError, KeyLost
from arena.domain.reasons import STOPS
from arena.domain.terms import EndpointState
from arena_providers.errors import (
    ContextTooLong,
    EndpointUnavailable,
    ProviderError,
    RateLimitedUpstream,
    RequestRefused,
)
from arena_providers.terms import Finish, Message, Role

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy.orm import Session

    from arena.calls.caller import Caller
    from arena.calls.targets import Keys
    from arena.domain.terms import Use
    from arena_providers.base import Target

TRIES: Final = 3
LONGEST_WAIT: Final = 60.0
"""Most seconds to wait before a retry."""
_TEXT_FAULTS: Final = frozenset({"filtered", "empty", "tool_call", "too_large", "event_too_large", "unshown_too_large"})
"""Faults caused by the text, so that retries would fail too; all others are the service's or the owner's."""


@dataclass(frozen=True, slots=True)
class CallSettings:
    """Parameters for all calls; None keeps the endpoint's."""

    temperature: float | None
    max_tokens: int | None
    system_prompt: str | None = None
    top_p: float | None = None

    def on(self, target: Target) -> Target:
        """The target with the settings that are not None."""
        return replace(target, **{name: value for name, value in asdict(self).items() if value is not None})


class CallsEnded(Exception):
    """The endpoint may not be called any more; the text has the reason."""


@dataclass(slots=True)
class Dialogue:
    """Prompts with their answers so far, and the target of the last call.

    `tokens` counts those of prompts and answers, `sent` those of prompts. `whole`: the last answer was not cut.
    """

    target: Target | None = None
    messages: tuple[Message, ...] = ()
    texts: list[str] = field(default_factory=list[str])
    tokens: int = 0
    sent: int = 0
    milliseconds: int = 0
    whole: bool = False


async def answer_last(caller: Caller, endpoint_id: int, use: Use, settings: CallSettings, dialogue: Dialogue) -> None:
    """Add the answer to the last message; a busy endpoint is called up to `TRIES` times, after the time that it states.

    Raises:
        ProviderError: The last try failed.
        CallsEnded: The endpoint may not be called any more today, or at all.
        KeyLost: Its key cannot be decrypted.
    """
    for tries in count(1):
        day, answer = caller.now().astimezone(UTC).date(), ReceivedAnswer()
        dialogue.target = settings.on(await caller.database.write(take_call, endpoint_id, use, day, caller.keys))
        stream = caller.providers[dialogue.target.dialect].stream(dialogue.target, dialogue.messages)
        try:
            await receive(stream, caller.times, answer)
            answer.check_text()
        except (RateLimitedUpstream, EndpointUnavailable) as error:
            if tries == TRIES:
                raise
            await asyncio.sleep(min(getattr(error, "retry_after", None) or 1.0, LONGEST_WAIT))
        else:
            _add_answer(dialogue, dialogue.target, answer)
            return


def is_permanent(error: ProviderError) -> bool:
    """Whether a call failed because of its text, so that it would fail again."""
    is_refusal = isinstance(error, RequestRefused | ContextTooLong) and error.fault is None
    return is_refusal or error.fault in _TEXT_FAULTS


NO_CALL: Final = (CallsEnded, KeyLost, ProviderError)
"""Errors of `answer_last` that end a run's calls of the endpoint, unless `is_permanent`."""


def why_stopped(error: Exception) -> str:
    """One line with the reason why a run's calls of an endpoint ended; the log has the text of an unexpected error."""
    if isinstance(error, ProviderError):
        return STOPS["failure"].format(error=error.fault or error.kind)
    is_known = isinstance(error, ArenaError | CallsEnded)
    return str(error) if is_known else STOPS["unexpected"].format(error=type(error).__name__)


def take_call(session: Session, endpoint_id: int, use: Use, day: date, keys: Keys) -> Target:
    """Count one call against the cap, and return its target.

    Raises:
        CallsEnded, KeyLost: The call may not be made, or the key cannot be decrypted.
    """
    row = session.get_one(EndpointRow, endpoint_id)
    if row.state is not EndpointState.ACTIVE:
        raise CallsEnded(STOPS["state"].format(state=row.state))
    if not budgets.is_allowed(session, row, use):
        raise CallsEnded(STOPS["barred"].format(use=use))
    if not budgets.take_use(session, endpoint_id, use, day):
        raise CallsEnded(STOPS["spent"].format(use=use))
    return target_of(session, row, keys)


def _add_answer(dialogue: Dialogue, target: Target, answer: ReceivedAnswer) -> None:
    sent, received = token_costs.parts(target, dialogue.messages, answer.text, answer.usage)
    dialogue.tokens, dialogue.sent = dialogue.tokens + sent + received, dialogue.sent + sent
    dialogue.milliseconds += answer.elapsed()
    dialogue.texts.append(answer.text)
    dialogue.whole = answer.finish is not Finish.LENGTH
    dialogue.messages = (*dialogue.messages, Message(Role.ASSISTANT, answer.text))
