"""Admission of a prompt: checks of its text, its voter's limits and terms, then the draw and places at endpoints.

`draw` and `hold` are synchronous, so between them no other task can take a place at the drawn endpoints.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Final

from arena.adapters.store import voters
from arena.domain.errors import (
    Busy,
    ModelResting,
    ModelsResting,
    NoVision,
    PromptDoubtful,
    PromptEmpty,
    PromptRefused,
    PromptTooLong,
    TermsNotAccepted,
    TooFewEndpoints,
)
from arena.domain.pairing.draw import choose
from arena.domain.pairing.eligibility import eligible, taking_part
from arena.domain.sensitive_topics import topic_of
from arena.domain.site import PromptCheck
from arena.domain.terms import PROMPT_LIMIT, Side
from arena.domain.text import has_visible_text, well_formed
from arena.usecases.battles import attachments
from arena.usecases.battles.turns import NotCallable, Prompt

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.breaker import Call
    from arena.adapters.store.conversations import AnyKind
    from arena.domain.pairing.draw import Candidate, Pairing
    from arena.domain.pairing.eligibility import Need
    from arena.domain.terms import Voter
    from arena.usecases.battles.runtime import Runtime


log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 10
"""Seconds after which a voter may try again: places become free as turns end, and endpoints work again."""


def clean(prompt: str, images: Sequence[str] = ()) -> Prompt:
    """The prompt as it is stored and sent: trimmed, well-formed, without NUL, and not of invisible characters alone.

    Raises:
        PromptEmpty, PromptTooLong, TooManyImages: It has no visible character, or too many characters or images.
    """
    attachments.check_number(images)
    text = well_formed(prompt).strip()
    if not has_visible_text(text):
        raise PromptEmpty
    if len(text) > PROMPT_LIMIT:
        raise PromptTooLong(limit=PROMPT_LIMIT)
    return Prompt(text, images)


async def check_prompt(runtime: Runtime, prompt: str, *, sure: bool = False) -> None:
    """Apply the operator's prompt check; `sure` says that the sender has seen its warning. Only the topic is logged.

    Raises:
        PromptDoubtful, PromptRefused: It is about a sensitive topic, which needs a warning or is blocked.
    """
    setting = runtime.site.current.prompt_checks
    if setting is PromptCheck.OFF:
        return
    topic = await asyncio.to_thread(topic_of, prompt)
    if topic is None:
        return
    log.warning("a prompt about %s came; prompt checks: %s", topic.value, setting.value)
    if setting is PromptCheck.BLOCK:
        raise PromptRefused(topic=topic.value)
    if setting is PromptCheck.WARN and not sure:
        raise PromptDoubtful(topic=topic.value)


@asynccontextmanager
async def admission(runtime: Runtime, voter: Voter, *, begins: bool = False) -> AsyncGenerator[ExitStack]:
    """Admit a prompt; yields a stack that holds its capacity and releases it at the end unless `pop_all` moves it.

    `begins` says that the prompt opens a conversation.

    Raises:
        RateLimited, Busy, ShuttingDown: The voter has sent too many prompts, or the server has no place for another.
    """
    runtime.check_open()
    lease = await runtime.limits.admit(voter, begins=begins)
    with ExitStack() as capacity:
        capacity.callback(lease.release)
        yield capacity


async def check_terms(runtime: Runtime, voter: Voter, terms: int | None) -> None:
    """Check that the voter accepts the current version of the terms now (`terms`) or has accepted it before.

    Raises:
        TermsNotAccepted: The voter has not.
    """
    if not runtime.asked_terms or terms == runtime.asked_terms:
        return
    if await runtime.database.read(voters.accepted_terms, voter.key) < runtime.asked_terms:
        raise TermsNotAccepted(runtime.asked_terms)


def record_terms(session: Session, runtime: Runtime, voter: Voter, terms: int | None, now: datetime) -> None:
    """Record that the voter accepts the current terms, in the transaction that stores the conversation.

    So the table has no more voters than there are conversations.
    """
    if terms == runtime.asked_terms != 0 and voters.accepted_terms(session, voter.key) < runtime.asked_terms:
        voters.accept_terms(session, voter.key, runtime.asked_terms, now)


def draw(runtime: Runtime, pool: Sequence[Candidate], need: Need) -> Pairing:
    """Draw two endpoints of the pool that are eligible for the prompt and may be called now.

    Practice models on standby replace real ones that fail, but not those that only lack a free place.

    Raises:
        TooFewEndpoints, NoVision: The pool has no pair, or none that can read the prompt's images.
        ModelsResting, Busy: Too many endpoints rest after failures, or have no free place.
    """
    working = _without_failing(runtime, pool)
    callable_now = [candidate for candidate in working if runtime.breakers.callable(candidate.id)]
    try:
        return choose(eligible(callable_now, need), runtime.rng, table=runtime.pairs.at(runtime.now()))
    except TooFewEndpoints:
        choose(pool, runtime.rng)  # raises TooFewEndpoints if the whole pool has no pair
        if len(eligible(pool, need)) < len(Side):
            raise NoVision from None
        if len(eligible(working, need)) < len(Side):
            raise ModelsResting from None
        raise Busy(retry_after=RETRY_SECONDS) from None


def practice_possible(runtime: Runtime, pool: Sequence[Candidate]) -> bool:
    """Whether a practice model may be drawn now."""
    return any(candidate.practice for candidate in _without_failing(runtime, pool))


def _without_failing(runtime: Runtime, pool: Sequence[Candidate]) -> Sequence[Candidate]:
    """The candidates whose breakers are closed; practice models on standby only if too few real ones are among them."""
    return taking_part([candidate for candidate in pool if runtime.breakers.trusted(candidate.id)])


def hold(runtime: Runtime, kind: AnyKind, sides: Mapping[Side, int], capacity: ExitStack) -> dict[Side, Call]:
    """Hold a place at each of these endpoints; `capacity` closes the calls that are still open at its end.

    Raises:
        NotCallable: An endpoint has no free place or rests; no place is held.
    """
    breakers = runtime.breakers_of(kind)
    calls = breakers.enter(list(sides.values()))
    if calls is None:
        raise NotCallable(ModelResting, [number for number in sides.values() if not breakers.callable(number)])
    for call in calls.values():
        capacity.callback(call.close)
    return {side: calls[number] for side, number in sides.items()}
