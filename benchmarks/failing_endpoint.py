"""Effect of a faulty endpoint on the others: battles over local servers, one of which hangs, fails, limits or cuts."""

from __future__ import annotations

import asyncio
import logging
import math
import multiprocessing
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from sqlalchemy import select

from arena.adapters.breaker import Breaker
from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.providers.deadlines import TimeLimits
from arena.adapters.providers.registry import build_providers
from arena.adapters.providers.transport.http_client import Client
from arena.adapters.store.engine import open_database
from arena.adapters.store.migration import migrate
from arena.adapters.store.tables import BattleRow, EndpointRow, OwnerRow, ReplyRow, TurnRow
from arena.calls.targets import Keys
from arena.domain.terms import BattleState, EndpointState, TurnState, Voter
from arena.usecases import battles
from arena.usecases.battles import Pace, Runtime
from benchmarks.upstreams import FAULTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

SERVERS: Final = 20
FAULTY: Final = 1
"""Id of the endpoint that becomes faulty."""
TIMES: Final = TimeLimits(connect=3, first_token=10, between_tokens=10, total=60)
WELL: Final = "well"
WARM_UP: Final = 20
"""Battles that are not measured: the first ones of a process fill its caches."""
_EVERYTHING: Final = Allowance(**dict.fromkeys(Allowance.__slots__, 1_000_000))


@dataclass(frozen=True, slots=True)
class Plan:
    """Battles per second and duration in seconds; the endpoint is faulty in the first 60 % of it."""

    rate: float = 8.0
    seconds: float = 40.0
    warm_up: float = 5.0

    @property
    def ill(self) -> float:
        """Seconds for which the endpoint is faulty."""
        return 0.6 * self.seconds


@dataclass(frozen=True, slots=True)
class Case:
    """One run. Percentiles are milliseconds of the other endpoints' answers in battles without the faulty one.

    Attributes:
        ill: Fault of the endpoint.
        battles: Number of battles opened; `void` of them failed.
        answers: Number of answers behind the percentiles.
        extra: Requests beyond one for each side, as a share.
        open: Seconds for which the breaker was open, `late` of them after the endpoint had recovered.
    """

    ill: str
    battles: int
    void: int
    answers: int
    first_p95: float
    total_p95: float
    extra: float
    open: float
    late: float

    def record(self, well: Case) -> dict[str, Any]:
        """Return it as JSON data, with the change against the run in which all endpoints are well."""
        changes = {
            "first_change": self.first_p95 / well.first_p95 - 1,
            "total_change": self.total_p95 / well.total_p95 - 1,
        }
        return {name: _short(value) for name, value in (asdict(self) | changes).items()}


def measure(plan: Plan, show: Callable[[Case, Case], None]) -> list[tuple[Case, Case]]:
    """Run each case and a control run without a fault at the same time, so that noise of the machine affects both.

    In the first case there is no fault either, which shows how much of a change is noise. `show` gets each pair.
    """
    pairs: list[tuple[Case, Case]] = []
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for ill in (WELL, *FAULTS):
            case, well = pool.map(_alone, (plan, plan), (ill, WELL))
            pairs.append((case, well))
            show(case, well)
    return pairs


def _alone(plan: Plan, ill: str) -> Case:
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder, _Upstreams() as upstreams:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        migrate(url)
        return asyncio.run(_case(plan, ill, url, upstreams))


class _Upstreams:
    """The process of the servers."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - own module
            [sys.executable, "-m", "benchmarks.upstreams", str(SERVERS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.ports: list[int] = [int(port) for port in self._line().strip("[]\n").split(",")]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()

    def set_fault(self, ill: str) -> int:
        """Set the fault of the first server; returns how many requests all servers have had."""
        assert self._process.stdin is not None  # noqa: S101 - it is a pipe
        self._process.stdin.write(f"{ill}\n")
        self._process.stdin.flush()
        return int(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None  # noqa: S101 - it is a pipe
        return self._process.stdout.readline()


async def _case(plan: Plan, ill: str, url: str, upstreams: _Upstreams) -> Case:
    logging.getLogger("arena").setLevel(logging.CRITICAL)
    async with AsyncExitStack() as stack:
        database = open_database(url)
        stack.callback(database.close)
        await database.write(_register, upstreams.ports)
        client = await stack.enter_async_context(Client(connect=TIMES.connect))
        runtime = Runtime(
            database=database,
            providers=build_providers(client),
            limits=MemoryLimits(_EVERYTHING, time.monotonic),
            keys=Keys(lambda _name: None),
            now=lambda: datetime.now(UTC),
            pace=Pace(interval=0.05, characters=100_000, start=0),
            times=TIMES,
            rng=Random(4),
        )
        await asyncio.gather(*(battles.open_battle(runtime, _voter(number), "Hello") for number in range(WARM_UP)))
        await asyncio.sleep(plan.warm_up)
        before, began = upstreams.set_fault(WELL), runtime.now()
        opened, open_for, late = await _run(runtime, plan, ill, upstreams)
        await runtime.close(TIMES.total)
        first, total, asked, void = await database.read(_answers, began)
        extra = (upstreams.set_fault(WELL) - before) / asked - 1
    return Case(ill, opened, void, len(first), _p95(first), _p95(total), extra, open_for, late)


async def _run(runtime: Runtime, plan: Plan, ill: str, upstreams: _Upstreams) -> tuple[int, float, float]:
    """Open battles at random moments.

    Returns their number, the seconds for which the breaker was open, and those after the recovery.
    """
    clock, chance = asyncio.get_running_loop().time, Random(9)
    watching = [
        asyncio.create_task(battles.recover(runtime)),
        asyncio.create_task(_watch(runtime, seen := list[float]())),
    ]
    upstreams.set_fault(ill)
    start, moment, opened, well = clock(), 0.0, 0, False
    while (moment := moment + chance.expovariate(plan.rate)) < plan.seconds:
        if moment > plan.ill and not well:
            well = bool(upstreams.set_fault(WELL)) or True
        await asyncio.sleep(max(0.0, start + moment - clock()))
        await battles.open_battle(runtime, _voter(opened), "Hello")
        opened += 1
    for task in watching:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    ends = [at - start for at in seen]
    return opened, len(ends) * _LOOK, sum(at > plan.ill for at in ends) * _LOOK


_LOOK: Final = 0.1


async def _watch(runtime: Runtime, seen: list[float]) -> None:
    """Record the moments at which the breaker of the faulty endpoint is open."""
    clock = asyncio.get_running_loop().time
    while True:
        condition = runtime.breakers.condition(FAULTY)
        if condition.breaker is not Breaker.CLOSED or condition.rest:
            seen.append(clock())
        await asyncio.sleep(_LOOK)


def _register(session: Session, ports: list[int]) -> None:
    now = datetime.now(UTC)
    owner = OwnerRow(name="bench", created_at=now)
    session.add_all(
        EndpointRow(
            name=f"server-{number}",
            owner=owner,
            dialect="openai_chat",
            url=f"http://127.0.0.1:{port}/v1",
            private=True,
            wire_model="bench",
            state=EndpointState.ACTIVE,
            created_at=now,
        )
        for number, port in enumerate(ports)
    )


def _voter(number: int) -> Voter:
    return Voter(f"voter {number}", "127.0.0.1")


def _answers(session: Session, began: datetime) -> tuple[list[int], list[int], int, int]:
    """Milliseconds to first token and in all of the other endpoints, number of sides asked, and of void battles."""
    rows = session.execute(
        select(BattleRow.endpoint_a_id, BattleRow.endpoint_b_id, ReplyRow.first_token_ms, ReplyRow.total_ms)
        .join(TurnRow, TurnRow.battle_id == BattleRow.id)
        .join(ReplyRow, ReplyRow.turn_id == TurnRow.id)
        .where(TurnRow.state == TurnState.READY, BattleRow.created_at >= began)
    ).all()
    others = [(first, total) for a, b, first, total in rows if FAULTY not in {a, b} and first is not None]
    states = session.scalars(select(BattleRow.state).where(BattleRow.created_at >= began)).all()
    void = sum(state is BattleState.VOID for state in states)
    return [first for first, _ in others], [total for _, total in others], 2 * len(states), void


def _p95(values: list[int]) -> float:
    return float(np.percentile(values, 95, method="inverted_cdf")) if values else math.nan


def _short(value: object) -> object:
    return round(value, 4) if isinstance(value, float) else value


HEADING: Final = (
    f"{'one is':8} {'battles':>7} {'void':>5} {'first p95':>10} {'change':>7} {'total p95':>10} {'change':>7}"
    f" {'extra':>6} {'open':>6} {'late':>6}"
)


def as_line(case: Case, well: Case) -> str:
    """Format a case as a line of the table."""
    row = case.record(well)
    return (
        f"{case.ill:8} {case.battles:7} {case.void:5} {case.first_p95:7.0f} ms {row['first_change']:+7.1%}"
        f" {case.total_p95:7.0f} ms {row['total_change']:+7.1%} {case.extra:6.1%} {case.open:4.0f} s {case.late:4.0f} s"
    )
