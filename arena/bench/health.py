"""What one ill endpoint does to the others: battles over local servers, of which one hangs, fails, limits or cuts."""

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

from sqlalchemy import select

from arena import battles
from arena.battles import Pace, Stage
from arena.bench.upstreams import ILLS
from arena.health import Breaker
from arena.limits import Allowance, MemoryLimits
from arena.providers.deadlines import TimeLimits
from arena.providers.http import Client
from arena.providers.registry import build_providers
from arena.store.engine import open_database
from arena.store.migrate import migrate
from arena.store.tables import BattleRow, EndpointRow, OwnerRow, ReplyRow, TurnRow
from arena.targets import Keys
from arena.terms import BattleState, EndpointState, TurnState, Voter

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

SERVERS: Final = 20
ILL: Final = 1
"""The number of the endpoint that falls ill."""
TIMES: Final = TimeLimits(connect=3, first_token=10, between_tokens=10, total=60)
WELL: Final = "well"
WARM_UP: Final = 20
"""Battles in the seconds before: the first ones of a process load what all later ones find."""
_EVERYTHING: Final = Allowance(**dict.fromkeys(Allowance.__slots__, 1_000_000))


@dataclass(frozen=True, slots=True)
class Plan:
    """Battles a second, and for how many seconds; the endpoint is ill in the first 60 % of them."""

    rate: float = 8.0
    seconds: float = 40.0
    warm_up: float = 5.0

    @property
    def ill(self) -> float:
        """Seconds of illness."""
        return 0.6 * self.seconds


@dataclass(frozen=True, slots=True)
class Case:
    """One run. Percentiles are milliseconds of the other endpoints' answers in battles without the ill one.

    Attributes:
        ill: What was wrong with the one endpoint.
        battles: How many were opened; `void` of them failed.
        answers: How many the percentiles are taken from.
        extra: Requests beyond one for each side that was asked, as a share.
        open: Seconds for which the breaker kept the endpoint out, of which `late` after it was well again.
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
        """As data, with the change against the twin in which all are well."""
        changes = {
            "first_change": self.first_p95 / well.first_p95 - 1,
            "total_change": self.total_p95 / well.total_p95 - 1,
        }
        return {name: _short(value) for name, value in (asdict(self) | changes).items()}


def measure(plan: Plan, tell: Callable[[Case, Case], None]) -> list[tuple[Case, Case]]:
    """Run each case beside a twin in which all are well, in processes of their own: one machine's noise hits both.

    In the first case nobody is ill, which shows how much of a change is noise. `tell` hears of each pair.
    """
    pairs: list[tuple[Case, Case]] = []
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for ill in (WELL, *ILLS):
            case, well = pool.map(_alone, (plan, plan), (ill, WELL))
            pairs.append((case, well))
            tell(case, well)
    return pairs


def _alone(plan: Plan, ill: str) -> Case:
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder, _Upstreams() as upstreams:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        migrate(url)
        return asyncio.run(_case(plan, ill, url, upstreams))


class _Upstreams:
    """The servers' process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - this Python, with a module of ours
            [sys.executable, "-m", "arena.bench.upstreams", str(SERVERS)],
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

    def fall(self, ill: str) -> int:
        """Say how the first one is from now on; returns how many requests all have had."""
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
        stage = Stage(
            database=database,
            providers=build_providers(client),
            limits=MemoryLimits(_EVERYTHING, time.monotonic),
            keys=Keys(lambda _name: None),
            now=lambda: datetime.now(UTC),
            pace=Pace(interval=0.05, characters=100_000),
            times=TIMES,
            rng=Random(4),
        )
        await asyncio.gather(*(battles.open_battle(stage, _voter(number), "Hello") for number in range(WARM_UP)))
        await asyncio.sleep(plan.warm_up)
        before, began = upstreams.fall(WELL), stage.now()
        opened, open_for, late = await _run(stage, plan, ill, upstreams)
        await stage.close(TIMES.total)
        first, total, asked, void = await database.read(_answers, began)
        extra = (upstreams.fall(WELL) - before) / asked - 1
    return Case(ill, opened, void, len(first), _p95(first), _p95(total), extra, open_for, late)


async def _run(stage: Stage, plan: Plan, ill: str, upstreams: _Upstreams) -> tuple[int, float, float]:
    """Open battles at their moments; a battle that finds no place is not opened."""
    clock, chance = asyncio.get_running_loop().time, Random(9)
    watching = [asyncio.create_task(battles.revive(stage)), asyncio.create_task(_watch(stage, seen := list[float]()))]
    upstreams.fall(ill)
    start, moment, opened, well = clock(), 0.0, 0, False
    while (moment := moment + chance.expovariate(plan.rate)) < plan.seconds:
        if moment > plan.ill and not well:
            well = bool(upstreams.fall(WELL)) or True
        await asyncio.sleep(max(0.0, start + moment - clock()))
        await battles.open_battle(stage, _voter(opened), "Hello")
        opened += 1
    for task in watching:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    ends = [at - start for at in seen]
    return opened, len(ends) * _LOOK, sum(at > plan.ill for at in ends) * _LOOK


_LOOK: Final = 0.1


async def _watch(stage: Stage, seen: list[float]) -> None:
    """Note every moment at which the ill one is kept out."""
    clock = asyncio.get_running_loop().time
    while True:
        condition = stage.health.condition(ILL)
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
    """First tokens and totals of the others, how many sides were asked, and how many battles are void."""
    rows = session.execute(
        select(BattleRow.endpoint_a_id, BattleRow.endpoint_b_id, ReplyRow.first_token_ms, ReplyRow.total_ms)
        .join(TurnRow, TurnRow.battle_id == BattleRow.id)
        .join(ReplyRow, ReplyRow.turn_id == TurnRow.id)
        .where(TurnRow.state == TurnState.READY, BattleRow.created_at >= began)
    ).all()
    others = [(first, total) for a, b, first, total in rows if ILL not in {a, b} and first is not None]
    states = session.scalars(select(BattleRow.state).where(BattleRow.created_at >= began)).all()
    void = sum(state is BattleState.VOID for state in states)
    return [first for first, _ in others], [total for _, total in others], 2 * len(states), void


def _p95(values: list[int]) -> float:
    return float(sorted(values)[math.ceil(0.95 * len(values)) - 1]) if values else math.nan


def _short(value: object) -> object:
    return round(value, 4) if isinstance(value, float) else value


HEADING: Final = (
    f"{'one is':8} {'battles':>7} {'void':>5} {'first p95':>10} {'change':>7} {'total p95':>10} {'change':>7}"
    f" {'extra':>6} {'open':>6} {'late':>6}"
)


def as_line(case: Case, well: Case) -> str:
    """A line of the table."""
    row = case.record(well)
    return (
        f"{case.ill:8} {case.battles:7} {case.void:5} {case.first_p95:7.0f} ms {row['first_change']:+7.1%}"
        f" {case.total_p95:7.0f} ms {row['total_change']:+7.1%} {case.extra:6.1%} {case.open:4.0f} s {case.late:4.0f} s"
    )
