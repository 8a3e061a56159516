"""Attempts to get one side's answer: a second one if the first failed before any text came."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from arena.adapters.breaker import CallVerdict
from arena.adapters.store import budgets
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.calls.stream import receive
from arena.usecases.battles.breakers import is_transient, report_failure
from arena_providers.base import LOCAL

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy.orm import Session

    from arena.adapters.store.budgets import Share
    from arena.calls.stream import ReceivedAnswer
    from arena.domain.blinding.pacing import Pacer
    from arena.domain.terms import Side
    from arena.usecases.battles.runtime import Run, Runtime
    from arena.usecases.battles.turns import TurnPlan
    from arena_providers.deadlines import TimeLimits

log = logging.getLogger(__name__)

TRIES: Final = 2
JITTER: Final = (0.05, 0.25)
"""Seconds between the two tries."""


async def ask(runtime: Runtime, plan: TurnPlan, run: Run, side: Side, answer: ReceivedAnswer, pacer: Pacer) -> None:
    """Receive the answer of one side's endpoint and feed it to the pacer; reports each try to the circuit breaker.

    Raises:
        ProviderError: The last try failed, or one that must not be repeated, such as one that had begun to answer.
    """
    now = asyncio.get_running_loop().time
    is_local = plan.targets[side].dialect == LOCAL
    start, limits = now(), runtime.times.of_this_machine if is_local else runtime.times
    for retries in reversed(range(TRIES)):
        try:
            target = plan.targets[side]
            stream = runtime.providers[target.dialect].stream(target, plan.messages[side])
            feed, retract = partial(pacer.feed, side), partial(pacer.retract, side)
            await receive(stream, limits, answer, feed, retract=retract, clock=run.clock.poll)
            answer.check_text()
        except Exception as error:
            report_failure(run.calls[side], error)
            _note_unopened(plan, side, answer)
            if answer.begun or not retries or not is_transient(error):
                raise
            await asyncio.sleep(runtime.rng.uniform(*JITTER))
            if (limits := _remaining(limits, now() - start)) is None:
                raise
            if not await _may_retry(runtime, plan, side):
                raise
        else:
            run.calls[side].report(CallVerdict.WELL)
            _note_unopened(plan, side, answer)
            return


def _note_unopened(plan: TurnPlan, side: Side, answer: ReceivedAnswer) -> None:
    """Log that an endpoint should be probed; voters can ask for such text, so their answers change nothing."""
    if answer.unopened and not plan.targets[side].unopened:
        endpoint = plan.endpoints[side]
        log.warning("endpoint %d closed reasoning that it had not opened; probe it to hold such text back", endpoint)


def _remaining(limits: TimeLimits, seconds: float) -> TimeLimits | None:
    """The limits of a second try `seconds` after the first began: what is left of the first's; None if nothing is."""
    if seconds >= limits.first_token:
        return None
    return replace(limits, first_token=limits.first_token - seconds, total=limits.total - seconds)


async def _may_retry(runtime: Runtime, plan: TurnPlan, side: Side) -> bool:
    """Whether the breaker is still closed and the owner's budget has another call."""
    endpoint = plan.endpoints[side]
    trusted = runtime.breakers_of(plan.kind).trusted(endpoint)
    return trusted and await runtime.database.write(_take, endpoint, plan.day, plan.kind.share)


def _take(session: Session, endpoint: int, day: date, share: Share) -> bool:
    return budgets.take(session, session.get_one(EndpointRow, endpoint), day, 0, share)
