"""Admission of a prompt: its text, the limits of its voter, the terms of use, and places at the endpoints it asks.

`draw` and `hold` are synchronous, so nothing changes between a draw and the places that are held after it.
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

_RETRY_AFTER: Final = 10
"""Seconds after which an endpoint may have a free place."""


def clean(prompt: str, images: Sequence[str] = ()) -> Prompt:
    """The prompt as it is stored and sent: trimmed, well-formed, without NUL, and not of invisible characters alone.

    Raises:
        PromptEmpty, PromptTooLong, TooManyImages: It does not fit.
    """
    attachments.check_number(images)
    text = well_formed(prompt).strip()
    if not has_visible_text(text):
        raise PromptEmpty
    if len(text) > PROMPT_LIMIT:
        raise PromptTooLong(limit=PROMPT_LIMIT)
    return Prompt(text, images)


async def check_prompt(runtime: Runtime, prompt: str, *, sure: bool = False) -> None:
    """Check a prompt as the operator has chosen; `sure` says that its sender was warned. Its text is logged nowhere.

    Raises:
        PromptDoubtful, PromptRefused: It is about a crisis, health or safety.
    """
    wish = runtime.site.current.prompt_checks
    if wish is PromptCheck.OFF:
        return
    topic = await asyncio.to_thread(topic_of, prompt)
    if topic is None:
        return
    log.warning("a prompt about %s came; prompt checks: %s", topic.value, wish.value)
    if wish is PromptCheck.BLOCK:
        raise PromptRefused(topic=topic.value)
    if wish is PromptCheck.WARN and not sure:
        raise PromptDoubtful(topic=topic.value)


@asynccontextmanager
async def admission(runtime: Runtime, voter: Voter, *, begins: bool = False) -> AsyncGenerator[ExitStack]:
    """Admit a prompt; yields the stack of all capacity that is held for it, which is released unless it is moved on.

    `begins` says that the prompt opens a conversation.

    Raises:
        RateLimited, Busy, ShuttingDown: Not now.
    """
    runtime.check_open()
    lease = await runtime.limits.admit(voter, begins=begins)
    with ExitStack() as capacity:
        capacity.callback(lease.release)
        yield capacity


async def check_terms(runtime: Runtime, voter: Voter, terms: int | None) -> None:
    """Check that the voter accepts the current version of the terms with `terms`, or has accepted it earlier.

    Raises:
        TermsNotAccepted: Neither.
    """
    if not runtime.asked_terms or terms == runtime.asked_terms:
        return
    if await runtime.database.read(voters.accepted_terms, voter.key) < runtime.asked_terms:
        raise TermsNotAccepted(runtime.asked_terms)


def record_terms(session: Session, runtime: Runtime, voter: Voter, terms: int | None, now: datetime) -> None:
    """Record that the voter accepts the current version with the conversation that is being stored, as of its time.

    Only voters of stored conversations are recorded, which bounds the table.
    """
    if terms == runtime.asked_terms != 0 and voters.accepted_terms(session, voter.key) < runtime.asked_terms:
        voters.accept_terms(session, voter.key, runtime.asked_terms, now)


def draw(runtime: Runtime, pool: Sequence[Candidate], need: Need) -> Pairing:
    """Draw two endpoints of the pool that meet the need of the prompt and may be called now.

    Practice models on standby stand in for real ones that fail, but not for those that have no free place just now.

    Raises:
        TooFewEndpoints, NoVision: There are no two, or none that see the prompt's images.
        ModelsResting, Busy: There are no two now, as too many rest after failures or have no free place.
    """
    awake = _awake(runtime, pool)
    callable_now = [candidate for candidate in awake if runtime.breakers.callable(candidate.id)]
    try:
        return choose(eligible(callable_now, need), runtime.rng, table=runtime.pairs.at(runtime.now()))
    except TooFewEndpoints:
        choose(pool, runtime.rng)  # raises the same where waiting would not help
        if len(eligible(pool, need)) < len(Side):
            raise NoVision from None
        if len(eligible(awake, need)) < len(Side):
            raise ModelsResting from None
        raise Busy(retry_after=_RETRY_AFTER) from None


def practice_possible(runtime: Runtime, pool: Sequence[Candidate]) -> bool:
    """Whether a practice model may be drawn now."""
    return any(candidate.practice for candidate in _awake(runtime, pool))


def _awake(runtime: Runtime, pool: Sequence[Candidate]) -> Sequence[Candidate]:
    return taking_part([candidate for candidate in pool if runtime.breakers.trusted(candidate.id)])


def hold(runtime: Runtime, kind: AnyKind, sides: Mapping[Side, int], capacity: ExitStack) -> dict[Side, Call]:
    """Hold a place at each of these endpoints until it is closed, by `capacity` at the latest.

    Raises:
        NotCallable: One of them has no free place; none is held.
    """
    breakers = runtime.breakers_of(kind)
    calls = breakers.enter(list(sides.values()))
    if calls is None:
        raise NotCallable(ModelResting, [number for number in sides.values() if not breakers.callable(number)])
    for call in calls.values():
        capacity.callback(call.close)
    return {side: calls[number] for side, number in sides.items()}
