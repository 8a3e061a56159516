"""Battles of mocks in the arena's own run loop, on a simulated clock, as the reader of each sees them."""

from __future__ import annotations

import asyncio
import selectors
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from arena.adapters.breaker import BreakerRules, CircuitBreakers
from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.providers.base import Target
from arena.adapters.providers.deadlines import TimeLimits
from arena.adapters.store.conversations import BATTLES
from arena.calls.targets import Keys
from arena.domain.schemas.battles import DeltaEvent
from arena.domain.terms import Message, Role, Side
from arena.usecases.battles.feed import Feed
from arena.usecases.battles.runtime import Run, Runtime
from arena.usecases.battles.turn_run import run_turn
from arena.usecases.battles.turns import TurnPlan
from benchmarks.blindness.mocks import Mocks

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from arena.adapters.breaker import Call
    from arena.adapters.store.engine import Database
    from arena.domain.blinding.pacing import Pace

AT_ONCE: Final = 200
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
_PATIENT: Final = TimeLimits(first_token=150)

Pair = tuple[int, int]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seen:
    """One battle as its reader sees it, in seconds since the prompt.

    Attributes:
        pair: Numbers of the two mocks, in the order of the sides.
        pieces: Arrival and number of characters of each piece, per side.
        end: Arrival of the event that ends the turn.
    """

    pair: Pair
    pieces: dict[Side, list[tuple[float, int]]]
    end: float

    @property
    def start(self) -> float:
        """Arrival of the first text."""
        return min(pieces[0][0] for pieces in self.pieces.values())


class _Jumping(selectors.SelectSelector):
    """Advances the clock by the timeout instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def run_simulated(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for timers only, without threads and network: the clock jumps to the next timer."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(work)


class _Nowhere:
    """A database that stores nothing."""

    async def write(self, *_: object) -> bool:
        """Report success."""
        return True


def play(pairs: Sequence[Pair], pace: Pace, seed: int, *, sealed: bool = False) -> list[Seen]:
    """Run a battle of each pair; a battle of minutes takes milliseconds."""
    return run_simulated(_all(pairs, pace, Random(seed), sealed=sealed))


async def _all(pairs: Sequence[Pair], pace: Pace, rng: Random, *, sealed: bool) -> list[Seen]:
    runtime = Runtime(
        database=cast("Database", _Nowhere()),
        providers={"mock": Mocks(rng, sealed=sealed)},
        limits=MemoryLimits(Allowance(), lambda: 0.0),
        keys=Keys(lambda _name: None),
        now=lambda: _NOW,
        pace=pace,
        rng=Random(rng.random()),
        times=_PATIENT,
        breakers=CircuitBreakers(BreakerRules(at_once=AT_ONCE), asyncio.get_running_loop().time),
    )
    seen: list[Seen] = []
    for first in range(0, len(pairs), AT_ONCE):
        seen += await asyncio.gather(*(_one(runtime, pair) for pair in pairs[first : first + AT_ONCE]))
    return seen


async def _one(runtime: Runtime, pair: Pair) -> Seen:
    sides, time = dict(zip(Side, pair, strict=True)), asyncio.get_running_loop().time
    calls = cast("dict[int, Call]", runtime.breakers.enter(pair))
    run = Run(Feed(1, 1), {side: calls[number] for side, number in sides.items()}, (BATTLES, ""))
    began, task = time(), asyncio.create_task(run_turn(runtime, _plan(sides), run))
    pieces: dict[Side, list[tuple[float, int]]] = {side: [] for side in Side}
    async for steps in run.feed.follow(run.feed.start):
        for _, event in steps:
            if isinstance(event, DeltaEvent):
                pieces[event.side].append((time() - began, len(event.text)))
    await task
    for call in calls.values():
        call.close()
    return Seen(pair, pieces, time() - began)


def _plan(sides: dict[Side, int]) -> TurnPlan:
    return TurnPlan(
        kind=BATTLES,
        conversation_id="",
        turn_id=0,
        number=1,
        generation=1,
        endpoints=sides,
        targets={side: Target("mock", "", str(number)) for side, number in sides.items()},
        messages=dict.fromkeys(sides, (Message(Role.USER, "Hello"),)),
        day=_NOW.date(),
        reserved={},
    )
