"""One side's call: its chunks as they come, and a second try where the first failed before anything came."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from arena.battles import verdicts
from arena.health import Verdict
from arena.providers.deadlines import within
from arena.providers.errors import BadReply
from arena.store import budgets
from arena.store.tables import EndpointRow

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from datetime import date

    from sqlalchemy.orm import Session

    from arena.battles.runs import Script
    from arena.battles.stage import Stage
    from arena.health import Call
    from arena.providers.base import Chunk
    from arena.providers.deadlines import TimeLimits
    from arena.terms import Side

TRIES: Final = 2
JITTER: Final = (0.05, 0.25)
"""Seconds between the two tries."""


async def ask(stage: Stage, script: Script, side: Side, call: Call) -> AsyncGenerator[Chunk, None]:
    """Yield the answer of one side's endpoint, and tell its health how each try went.

    Raises:
        ProviderError: The last try failed, or one that had begun to answer.
    """
    clock = asyncio.get_running_loop().time
    start, limits = clock(), stage.times
    for left in reversed(range(TRIES)):
        begun = said = False
        try:
            target = script.targets[side]
            stream = stage.providers[target.dialect].stream(target, script.messages[side])
            async with aclosing(within(stream, limits)) as chunks:
                async for chunk in chunks:
                    begun, said = True, said or bool(chunk.text.strip())
                    yield chunk
            if not said:
                raise BadReply("the answer is empty")  # noqa: TRY301 - judged as every other failure of the try
        except Exception as error:
            verdicts.tell(call, error)
            if begun or not left or not verdicts.passing(error):
                raise
            await asyncio.sleep(stage.rng.uniform(*JITTER))
            if (limits := _what_is_left(stage.times, clock() - start)) is None:
                raise
            if not await _may_again(stage, script, side):
                raise
        else:
            call.report(Verdict.WELL)
            return


def _what_is_left(limits: TimeLimits, spent: float) -> TimeLimits | None:
    """The second try has no more time than the first would have had."""
    if spent >= limits.first_token:
        return None
    return replace(limits, first_token=limits.first_token - spent, total=limits.total - spent)


async def _may_again(stage: Stage, script: Script, side: Side) -> bool:
    """Whether the endpoint may be asked at all by now; the second try is a call of its own to its owner."""
    endpoint = script.endpoints[side]
    return stage.health.trusted(endpoint) and await stage.database.write(_take, endpoint, script.day)


def _take(session: Session, endpoint: int, day: date) -> bool:
    return budgets.take(session, session.get_one(EndpointRow, endpoint), day, 0)
