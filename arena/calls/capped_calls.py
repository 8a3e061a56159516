"""One call of an endpoint for a use beyond battles: within its owner's cap, and again where it is busy."""

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
from arena.domain.errors import KeyLost
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
"""Most seconds to wait where an endpoint says that it is asked too often."""
_OF_THE_TEXT: Final = frozenset({"filtered", "empty", "tool_call", "too_large"})
"""Faults that come from the text, so that another try would fail again; all others are the service's or owner's."""


@dataclass(frozen=True, slots=True)
class CallSettings:
    """Parameters for all calls; None leaves the endpoint's own."""

    temperature: float | None
    max_tokens: int | None
    system_prompt: str | None = None
    top_p: float | None = None

    def on(self, target: Target) -> Target:
        """The target with these settings where they are given."""
        return replace(target, **{name: value for name, value in asdict(self).items() if value is not None})


class CallsEnded(Exception):
    """A model is asked no more; the text says why."""


@dataclass(slots=True)
class Dialogue:
    """Prompts with the answers to them so far, and the target as it was asked last.

    `tokens` are those of prompts and answers, `sent` those of prompts alone. `whole` is whether the last answer ended
    by itself.
    """

    target: Target | None = None
    messages: tuple[Message, ...] = ()
    texts: list[str] = field(default_factory=list[str])
    tokens: int = 0
    sent: int = 0
    milliseconds: int = 0
    whole: bool = False


async def answer_last(caller: Caller, endpoint_id: int, use: Use, settings: CallSettings, dialogue: Dialogue) -> None:
    """Add the answer to the last message; a busy endpoint is asked again after the time that it says.

    Raises:
        ProviderError: The last try failed.
        CallsEnded: The endpoint cannot be asked any more today, or at all.
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
            _note(dialogue, dialogue.target, answer)
            return


def of_the_text(error: ProviderError) -> bool:
    """Whether a call failed for what was asked, so that it would fail again."""
    refused = isinstance(error, RequestRefused | ContextTooLong) and error.fault is None
    return refused or error.fault in _OF_THE_TEXT


NO_CALL: Final = (CallsEnded, KeyLost, ProviderError)
"""Errors of `answer_last` after which a run asks the endpoint no more, unless the fault is of the text."""


def why_stopped(error: Exception) -> str:
    """A line on why a run asks an endpoint no more."""
    return f"a call failed: {error.fault or error.kind}" if isinstance(error, ProviderError) else str(error)


def take_call(session: Session, endpoint_id: int, use: Use, day: date, keys: Keys) -> Target:
    """Count one call, and return its target.

    Raises:
        CallsEnded: It may not be made.
    """
    row = session.get_one(EndpointRow, endpoint_id)
    if row.state is not EndpointState.ACTIVE:
        raise CallsEnded(f"it is {row.state}")
    if not budgets.is_allowed(session, row, use):
        raise CallsEnded(f"its owner no longer allows {use}")
    if not budgets.take_use(session, endpoint_id, use, day):
        raise CallsEnded(f"its calls for {use} are spent for today (UTC)")
    return target_of(session, row, keys)


def _note(dialogue: Dialogue, target: Target, answer: ReceivedAnswer) -> None:
    sent, received = token_costs.parts(target, dialogue.messages, answer.text, answer.usage)
    dialogue.tokens, dialogue.sent = dialogue.tokens + sent + received, dialogue.sent + sent
    dialogue.milliseconds += answer.elapsed()
    dialogue.texts.append(answer.text)
    dialogue.whole = answer.finish is not Finish.LENGTH
    dialogue.messages = (*dialogue.messages, Message(Role.ASSISTANT, answer.text))
