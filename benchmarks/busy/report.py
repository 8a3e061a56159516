"""The busy arena: how old its board gets, and what it costs, while votes arrive at a steady rate."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from sqlalchemy import text

from arena.adapters.store.engine import on_postgres
from benchmarks.busy import past, traffic
from benchmarks.busy.samples import Samples, disk_bytes, first_board, idle_ticks
from benchmarks.busy.traffic import Workload
from benchmarks.load import battle_load, store
from benchmarks.load import upstream as upstream_module
from benchmarks.load.battles import RATE
from benchmarks.load.report import name_of
from benchmarks.load.service import deployed, register, serving, settings
from benchmarks.processes import Cost, NotMeasured, driver
from benchmarks.results import Row

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path

    from benchmarks.busy.ballots import Ballot
    from benchmarks.load.service import Service
    from benchmarks.load.store import Databases
    from benchmarks.processes import Driver

SQLITE: Final = "sqlite"
TRIAL_SECONDS: Final = 5.0
"""Seconds for which a rate is tried before the run."""
MAX_SHARE: Final = 0.5
"""Share of a core that the generator may take; else the rate is halved."""
MIN_RATE: Final = 0.5
MB: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Plan:
    """Parameters of one run; `rate` is that which the generator could keep."""

    votes: int
    rate: float
    seconds: float
    battles: int
    readers: int
    processes: int
    attack: bool = False


def measure(
    votes: Annotated[int, typer.Option(min=100, max=10_000_000, help="Votes of the log at the start.")] = 50_000,
    rate: Annotated[float, typer.Option(min=MIN_RATE, max=1_000, help="Votes a second.")] = 10.0,
    minutes: Annotated[float, typer.Option(min=0.05, max=240, help="Duration.")] = 3.0,
    battles: Annotated[int, typer.Option(min=0, max=500, help="Battles that run all the time.")] = 20,
    readers: Annotated[int, typer.Option(min=0, max=1_000, help="Readers of the board, each every 10 s.")] = 20,
    database: Annotated[str, typer.Option(help="sqlite, or a server: postgresql://user:password@host/name.")] = SQLITE,
    processes: Annotated[
        int, typer.Option(min=0, max=64, help="So many processes behind nginx, with a worker; needs PostgreSQL.")
    ] = 0,
    attack: Annotated[
        bool, typer.Option("--attack", help="Let the votes be by lot, by new visitors of few neighbourhoods.")
    ] = False,
) -> Iterator[Row]:
    """Let votes arrive at a steady rate while the worker works; print the age of the board, and what it costs.

    Each vote is on a battle that was inserted before with both answers, so that voting itself is the load. They are
    drawn as those of the log, from as many people and neighbourhoods, or with `--attack` as by programs that click at
    random. The running battles are answered by a local server that streams.
    """
    if processes and database == SQLITE:
        raise NotMeasured("--processes needs a database that they share: --database postgresql://…")
    count = processes if database == SQLITE else max(1, processes)
    plan = Plan(votes, rate, 60 * minutes, battles, readers, count, attack)
    yield from _run(store.sqlite if database == SQLITE else store.on_server(database), plan)


def _run(databases: Databases, plan: Plan) -> Iterator[Row]:
    secret = secrets.token_hex(32)
    with databases() as (folder, url), driver(upstream_module, str(RATE)) as upstream:
        env = settings(folder, url, max(plan.battles, 1)) | {"ARENA_SECRET": secret}
        register(env, port := upstream.report())
        count = round(plan.rate * (plan.seconds + TRIAL_SECONDS)) + 1
        waiting = asyncio.run(past.fill(url, plan.votes, count, secret, datetime.now(UTC), attack=plan.attack))
        with (
            deployed(env, plan.processes) if plan.processes else serving(env, works=True) as service,
            _running_battles(service, upstream, port, plan) as readers,
        ):
            pids = [upstream.pid, *([readers.pid] if readers else [])]
            yield from _measure(service, plan, waiting, (folder, url), pids)


async def _first_board(url: str) -> float:
    with store.opened(url) as database:
        return await first_board(database)


@contextmanager
def _running_battles(service: Service, upstream: Driver, port: int, plan: Plan) -> Generator[Driver | None]:
    """Keep battles running during the block; yields their readers."""
    if not plan.battles:
        yield None
        return
    work = battle_load.Workload(service.port, port, plan.battles, 0, plan.seconds, proxied=bool(service.proxy))
    with driver(battle_load, json.dumps(asdict(work))) as readers:
        readers.report()
        yield readers
        upstream.send("end")


def _measure(
    service: Service, plan: Plan, todo: list[Ballot], place: tuple[Path, str], pids: list[int]
) -> Iterator[Row]:
    """Find the rate that the generator can keep, vote at it, and yield the rows."""
    folder, url = place
    case, full_rate = name_of(url), plan.rate
    yield Row(case, "first board of the log", asyncio.run(_first_board(url)), "s")
    while True:
        seconds = min(TRIAL_SECONDS, plan.seconds)
        part, todo = todo[: round(plan.rate * seconds)], todo[round(plan.rate * seconds) :]
        _, share, _ = _vote(service, plan, seconds, part, (url, pids))
        if share <= MAX_SHARE or plan.rate / 2 < MIN_RATE:
            break
        plan = replace(plan, rate=plan.rate / 2)
    note = "" if plan.rate == full_rate else f"{full_rate:g}/s took more than half a core to send"
    yield Row(case, "rate of votes", plan.rate, "/s", "", note, {"log": plan.votes, "generator_percent": 100 * share})
    disk, idle = _stored(folder, url), idle_ticks()
    figures, share, samples = _vote(service, plan, plan.seconds, todo, (url, pids))
    idle_end = idle_ticks()
    yield from _ages(case, samples)
    yield from _answers(case, figures, service)
    yield from _costs(case, samples, share)
    growth, minutes = (_stored(folder, url) - disk) / MB, plan.seconds / 60
    yield Row(case, "growth of the disk", growth / minutes, "MB/min", figures={"votes": figures["count"]})
    idle_share = (idle_end[0] - idle[0]) / max(1, idle_end[1] - idle[1])
    yield Row(case, "idle processor of the machine", 100 * idle_share, "%")


def _vote(
    service: Service, plan: Plan, seconds: float, votes: list[Ballot], place: tuple[str, list[int]]
) -> tuple[dict[str, Any], float, Samples]:
    """Send votes for so many seconds; returns their figures, the generator's share of a core, and samples."""
    url, pids = place
    bodies = list(map(asdict, votes))
    work = Workload(service.port, plan.rate, seconds, plan.readers, bodies, proxied=bool(service.proxy))
    samples = Samples(_roots(service))
    with driver(traffic) as visitors:
        everyone = [*pids, visitors.pid]
        visitors.send(json.dumps(asdict(work)))
        start = sum(Cost.of(pid).cpu for pid in everyone)
        asyncio.run(_sample(samples, url, seconds))
        share = (sum(Cost.of(pid).cpu for pid in everyone) - start) / seconds
        return visitors.report(), share, samples


async def _sample(samples: Samples, url: str, seconds: float) -> None:
    with store.opened(url) as database:
        await samples.take(database, seconds)


def _roots(service: Service) -> Mapping[str, int]:
    serving_names = {f"process {number}": pid for number, pid in enumerate(service.processes, 1)}
    return serving_names | ({"worker": service.worker} if service.worker else {})


def _ages(case: str, samples: Samples) -> Iterator[Row]:
    middle, largest = samples.board_ages()
    yield Row(case, "age of the board, median", middle, "s", "≤ 15")
    yield Row(case, "age of the board, largest", largest, "s", "≤ 40")
    for name, age in samples.loop_ages().items():
        yield Row(case, f"age of the loop {name}, largest", age, "s")


def _answers(case: str, figures: Mapping[str, Any], service: Service) -> Iterator[Row]:
    statuses = figures["statuses"]
    note = ", ".join(f"{count} × {status}" for status, count in statuses.items())
    for kind, goal in (("votes", "≤ 150"), ("reads", "")):
        yield Row(case, f"{kind} over HTTP, p99", figures[kind]["p99"], "ms", goal, figures=figures[kind])
    failed = sum(count for status, count in statuses.items() if status.split()[1] not in {"200", "304"})
    lines = len(service.log.read_text().splitlines())
    yield Row(case, "failed requests", failed, "", "0", f"{note}; {lines} lines in the arena's log")


def _costs(case: str, samples: Samples, share: float) -> Iterator[Row]:
    """Costs of all processes; the worker's are those of a process of its own, or of its fits in the serving one."""
    for name in samples.taken[0].costs:
        phases = samples.phases(name)
        yield Row(case, f"{name}: processor", samples.percent(name), "%", figures=phases)
        ratio = phases["last_mb"] / phases["first_mb"] if phases["first_mb"] else 1.0
        yield Row(case, f"{name}: memory, last minute to first", ratio, "×", "≤ 1.1")
    if "worker" in samples.roots:
        total = samples.percent("worker") + samples.percent("worker (fits)")
        yield Row(case, "worker with its fits: processor", total, "%", "≤ 35")
    yield Row(case, "generator: processor", 100 * share, "%", f"≤ {100 * MAX_SHARE:g}")


def _stored(folder: Path, url: str) -> int:
    """Bytes of the folder, and of the database if it is elsewhere."""
    return disk_bytes(folder) + (asyncio.run(_database_bytes(url)) if on_postgres(url) else 0)


async def _database_bytes(url: str) -> int:
    with store.opened(url) as database:
        return await database.read(lambda session: session.scalar(text("SELECT pg_database_size(current_database())")))
