"""Effect of a faulty endpoint on others: battles over local servers, one of which hangs, fails, limits or cuts off."""

from __future__ import annotations

import asyncio
import logging
import math
import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np
import typer
from sqlalchemy import select

from arena.adapters.breaker import Breaker
from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.store.tables.conversations import BattleRow, ReplyRow, TurnRow
from arena.calls.targets import Keys
from arena.domain.terms import BattleState, TurnState, Voter
from arena.usecases.battles import battles, breakers
from arena.usecases.battles.followed_pace import FollowedPace
from arena.usecases.battles.runtime import Runtime
from arena_providers.deadlines import TimeLimits
from arena_providers.registry import build_providers
from arena_providers.transport.http_client import HttpClient
from benchmarks import upstreams as upstreams_module
from benchmarks.load.store import add_servers, opened, sqlite
from benchmarks.processes import Driver, driver
from benchmarks.results import Row
from benchmarks.upstreams import FAULTS

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

SERVERS: Final = 20
FAULTY: Final = 1
"""Id of the endpoint that becomes faulty."""
TIMES: Final = TimeLimits(connect=3, first_token=10, between_tokens=10, total=60)
WELL: Final = "well"
WARM_UP: Final = 20
"""Unmeasured first battles, which fill the caches of a process."""
SETTLE: Final = 5.0
"""Seconds after the warm-up."""
ILL: Final = 0.6
"""Share of the time for which the endpoint is faulty."""
_EVERYTHING: Final = Allowance(**dict.fromkeys(Allowance.__slots__, 1_000_000))


@dataclass(frozen=True, slots=True)
class Case:
    """Result of one run.

    Attributes:
        battles: Number of battles opened.
        void: Number of battles that failed.
        answers: Number of answers in battles without the faulty endpoint.
        first_p95: p95 of their time to the first token, in ms.
        total_p95: p95 of their total time, in ms.
        extra: Requests beyond one for each side, as a share.
        open: Seconds for which the breaker was open.
        late: Seconds of `open` after the endpoint had recovered.
    """

    battles: int
    void: int
    answers: int
    first_p95: float
    total_p95: float
    extra: float
    open: float
    late: float


def measure(
    rate: Annotated[float, typer.Option(min=0.1, help="Battles per second.")] = 8.0,
    seconds: Annotated[float, typer.Option(min=1, help="Duration of each of five runs.")] = 40.0,
) -> Iterator[Row]:
    """Let one of twenty local models hang, fail, rate-limit or cut off, and time the answers of the others.

    Each case runs at the same time as a control without a fault, so that noise of the machine affects both. In the
    first case there is no fault either, which shows how much of a change is noise.
    """
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for ill in (WELL, *FAULTS):
            case, control = pool.map(_measure_case, (ill, WELL), (rate, rate), (seconds, seconds))
            yield from rows(ill, case, control)


def rows(ill: str, case: Case, control: Case) -> Iterator[Row]:
    """Figures of one fault, with the change against the control."""
    for name, value, reference in (
        ("first token", case.first_p95, control.first_p95),
        ("whole answer", case.total_p95, control.total_p95),
    ):
        change = {"change_percent": 100 * (value / reference - 1), "answers": case.answers}
        yield Row(ill, f"{name} of the other endpoints, p95", value, "ms", figures=change)
    yield Row(ill, "requests beyond one for each side", 100 * case.extra, "%")
    counts = {"battles": case.battles, "void": case.void, "late_s": case.late}
    yield Row(ill, "breaker of the endpoint open", case.open, "s", figures=counts)


def _measure_case(ill: str, rate: float, seconds: float) -> Case:
    with sqlite() as (_, url), driver(upstreams_module, str(SERVERS)) as upstreams:
        return asyncio.run(_case(rate, seconds, ill, url, upstreams))


def _set_fault(upstreams: Driver, ill: str) -> int:
    """Set the fault of the first server; returns the number of requests to all servers so far."""
    upstreams.send(ill)
    return upstreams.report()


async def _case(rate: float, seconds: float, ill: str, url: str, upstreams: Driver) -> Case:
    logging.getLogger("arena").setLevel(logging.CRITICAL)
    async with AsyncExitStack() as stack:
        database = stack.enter_context(opened(url))
        ports = {str(number): port for number, port in enumerate(upstreams.report())}
        await database.write(add_servers, ports, datetime.now(UTC))
        client = await stack.enter_async_context(HttpClient(connect=TIMES.connect))
        runtime = Runtime(
            database=database,
            providers=build_providers(client),
            limits=MemoryLimits(_EVERYTHING, time.monotonic),
            keys=Keys(lambda _name: None),
            now=lambda: datetime.now(UTC),
            pace=FollowedPace(interval=0.05, rate=2_000_000, start=0),
            times=TIMES,
            rng=Random(4),
        )
        await asyncio.gather(*(battles.open_battle(runtime, _voter(number), "Hello") for number in range(WARM_UP)))
        await asyncio.sleep(SETTLE)
        first_call, start = _set_fault(upstreams, WELL), runtime.now()
        count, open_for, late_share = await _run_battles(runtime, rate, seconds, ill, upstreams)
        await runtime.close(TIMES.total)
        first, total, calls, void = await database.read(_answers, start)
        extra_share = (_set_fault(upstreams, WELL) - first_call) / calls - 1
    return Case(count, void, len(first), _p95(first), _p95(total), extra_share, open_for, late_share)


async def _run_battles(
    runtime: Runtime, rate: float, seconds: float, ill: str, upstreams: Driver
) -> tuple[int, float, float]:
    """Open battles at random times; the endpoint is faulty in the first part.

    Returns the number of battles, the seconds for which the breaker was open, and those after the recovery.
    """
    clock, chance = asyncio.get_running_loop().time, Random(9)
    tasks = [
        asyncio.create_task(breakers.recover(runtime)),
        asyncio.create_task(_watch(runtime, states := list[float]())),
    ]
    _set_fault(upstreams, ill)
    recovery = ILL * seconds
    start, moment, count, is_well = clock(), 0.0, 0, False
    while (moment := moment + chance.expovariate(rate)) < seconds:
        if moment > recovery and not is_well:
            _set_fault(upstreams, WELL)
            is_well = True
        await asyncio.sleep(max(0.0, start + moment - clock()))
        await battles.open_battle(runtime, _voter(count), "Hello")
        count += 1
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    ends = [at - start for at in states]
    return count, len(ends) * _LOOK, sum(at > recovery for at in ends) * _LOOK


_LOOK: Final = 0.1


async def _watch(runtime: Runtime, states: list[float]) -> None:
    """Record the moments at which the breaker of the faulty endpoint is open."""
    clock = asyncio.get_running_loop().time
    while True:
        condition = runtime.breakers.condition(FAULTY)
        if condition.breaker is not Breaker.CLOSED or condition.rest:
            states.append(clock())
        await asyncio.sleep(_LOOK)


def _voter(number: int) -> Voter:
    return Voter(f"voter {number}", "127.0.0.1")


def _answers(session: Session, start: datetime) -> tuple[list[int], list[int], int, int]:
    """The healthy endpoints' ms to the first token and in total, and the numbers of sides and of void battles."""
    rows = session.execute(
        select(BattleRow.endpoint_a_id, BattleRow.endpoint_b_id, ReplyRow.first_token_ms, ReplyRow.total_ms)
        .join(TurnRow, TurnRow.battle_id == BattleRow.id)
        .join(ReplyRow, ReplyRow.turn_id == TurnRow.id)
        .where(TurnRow.state == TurnState.READY, BattleRow.created_at >= start)
    ).all()
    healthy = [(first, total) for a, b, first, total in rows if FAULTY not in {a, b} and first is not None]
    states = session.scalars(select(BattleRow.state).where(BattleRow.created_at >= start)).all()
    void = sum(state is BattleState.VOID for state in states)
    return [first for first, _ in healthy], [total for _, total in healthy], 2 * len(states), void


def _p95(values: list[int]) -> float:
    return float(np.percentile(values, 95, method="inverted_cdf")) if values else math.nan
