"""The load benchmark on one database."""

from __future__ import annotations

import asyncio
import json
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.adapters.store import snapshots
from arena.adapters.store.engine import on_postgres, open_database
from benchmarks.load import load_rows, request_load, vote_load
from benchmarks.load import upstream as upstream_module
from benchmarks.load.battles import RATE, hold
from benchmarks.load.deployment import deployed
from benchmarks.load.drivers import Ended, driver
from benchmarks.load.request_load import Workload
from benchmarks.load.seed import seed
from benchmarks.load.service import PATIENCE, run, serving, settings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from benchmarks.load.databases import Databases
    from benchmarks.load.load_rows import Row
    from benchmarks.load.service import Service

WARM_UP: Final = 20
"""Battles that warm the service up and are not measured."""
SHORT: Final = 1.0
FLUSH: Final = 0.005
BOARD: Final = "/api/v1/leaderboard"


@dataclass(frozen=True, slots=True)
class Plan:
    """Concurrent battles of each run, votes to cast, seconds of each measurement.

    `processes` serve behind the proxy with a worker; 0 is one process alone, without either.
    """

    battles: tuple[int, ...] = (100, 300)
    votes: int = 10_000
    seconds: float = 10.0
    callers: int = 160
    reading: float = 4.0
    processes: int = 0


def measure(plan: Plan, opened: Databases, runs: list[dict[str, Any]]) -> Iterator[Row]:
    """Yield each row when it is ready; `opened` makes a fresh database for each part.

    The figures of each number of battles are added to `runs`. What one process does without HTTP is measured for one
    process alone.

    Raises:
        NotMeasured: There is to be a proxy, and nginx is missing.
    """
    yield from _over_http(plan, opened, runs)
    for flush in (0.0, FLUSH) if not plan.processes else ():
        yield from _act(plan, opened, flush)


def _act(plan: Plan, opened: Databases, flush: float) -> Iterator[Row]:
    with _folder() as folder, opened(folder) as url:
        done = vote_load.measure(url, votes=plan.votes, callers=plan.callers, flush=flush)
    yield from load_rows.of_casting(done)


def _over_http(plan: Plan, opened: Databases, runs: list[dict[str, Any]]) -> Iterator[Row]:
    """Battles, then votes, then reads of the leaderboard, on one service."""
    with _folder() as folder, opened(folder) as url, driver(upstream_module, str(RATE)) as upstream:
        name = "postgresql" if on_postgres(url) else "sqlite"
        env = settings(folder, url, max(plan.battles))
        register(env, port := upstream.report())
        with deployed(env, plan.processes) if plan.processes else serving(env) as service:
            cookies = hold(service, upstream, port, WARM_UP, SHORT).cookies
            for battles in plan.battles:
                try:
                    held = hold(service, upstream, port, battles, plan.seconds)
                except Ended:
                    yield load_rows.of_collapse(name, battles)
                    break
                cookies |= held.cookies
                runs.append({**held.record(name), "processes": plan.processes or 1})
                yield from load_rows.of_battles(name, held)
            battles = asyncio.run(seed(url, cookies, plan.votes))
            figures = answered(service, Workload(service.port, plan.callers, plan.seconds, battles=battles))
            yield load_rows.of_asking(
                name, f"votes over HTTP, {plan.callers} connections", figures, load_rows.VOTES[name]
            )
            if plan.processes:
                asyncio.run(_published(url))
            else:
                run("rank", env=env)
            yield from _board(plan, name, service)


async def _published(url: str) -> None:
    """Wait until the worker has published a leaderboard."""
    database = open_database(url)
    try:
        async with asyncio.timeout(PATIENCE):
            while not any(await database.read(snapshots.newest_ids)):  # noqa: ASYNC110 - it is in another process
                await asyncio.sleep(SHORT)
    finally:
        database.close()


def _board(plan: Plan, name: str, service: Service) -> Iterator[Row]:
    for again, what in ((False, "whole"), (True, "if it is newer")):
        work = Workload(service.port, plan.callers, plan.reading, path=BOARD, again=again)
        figures = answered(service, work)
        yield load_rows.of_asking(name, f"reads of the leaderboard over HTTP, {what}", figures, load_rows.READS)


def register(env: Mapping[str, str], port: int) -> None:
    """Add two Chat Completions endpoints as an operator would."""
    for number in range(2):
        options = ("--wire-model", "bench", "--dialect", "openai_chat", "--private", "--no-probe")
        run("endpoints", "add", f"bench-{number}", *options, "--url", f"http://127.0.0.1:{port}/v1", env=env)


def answered(service: Service, work: Workload) -> dict[str, Any]:
    """Send the requests of `work` from a process of their own; returns its figures.

    `cpu_ms` is what the service's processor took for each that was answered, in milliseconds, `proxy_ms` the proxy's.
    """
    before, relayed = service.cost().cpu, service.proxy_cpu()
    with driver(request_load) as callers:
        callers.send(json.dumps(asdict(replace(work, proxied=bool(service.proxy)))))
        figures: dict[str, Any] = callers.report()
    each = 1000 / max(1, figures["count"])
    spent = {"cpu_ms": service.cost().cpu - before, "proxy_ms": service.proxy_cpu() - relayed}
    return figures | {name: each * seconds for name, seconds in spent.items()}


@contextmanager
def _folder() -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        yield Path(folder)
