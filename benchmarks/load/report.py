"""The load benchmark: battles, votes and reads of the board on a complete arena, and durable votes without HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from math import nan
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from arena.adapters.store import snapshots
from arena.adapters.store.engine import on_postgres
from benchmarks.load import request_load, store, vote_load
from benchmarks.load import upstream as upstream_module
from benchmarks.load.battles import ADDED, RATE, hold
from benchmarks.load.request_load import Workload
from benchmarks.load.service import PATIENCE, deployed, register, run, serving, settings
from benchmarks.processes import Ended, NotMeasured, driver
from benchmarks.results import Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.load.service import Service
    from benchmarks.load.store import Databases

WARM_UP: Final = 20
"""Unmeasured battles that warm the service up."""
WARM_UP_SECONDS: Final = 1.0
FLUSH: Final = 0.005
CALLERS: Final = 160
READING: Final = 4.0
BOARD: Final = "/api/v1/leaderboard"
VOTES: Final = {"sqlite": "≥ 4000", "postgresql": "≥ 2500"}


def measure(
    battles: Annotated[list[int], typer.Option(min=1, help="Concurrent battles; repeatable.")] = [100, 300],  # noqa: B006
    seconds: Annotated[float, typer.Option(min=1, help="Duration of battles; limit for votes.")] = 10.0,
    votes: Annotated[int, typer.Option(min=200, help="Votes to cast.")] = 10_000,
    postgres: Annotated[str, typer.Option(help=store.POSTGRES)] = "",
    processes: Annotated[
        int, typer.Option(min=0, max=64, help="So many processes behind nginx, with a worker; needs --postgres.")
    ] = 0,
) -> Iterator[Row]:
    """Load a whole arena over HTTP with concurrent battles, durable votes and reads of the leaderboard."""
    if processes and not postgres:
        raise NotMeasured("--processes needs a database that they share: add --postgres")
    databases = [*([] if processes else [store.sqlite]), *([store.on_server(postgres)] if postgres else [])]
    for database in databases:
        yield from _over_http(database, battles, seconds, votes, processes)
        for flush in (0.0, FLUSH) if not processes else ():
            with database() as (_, url):
                figures = vote_load.measure(url, votes=votes, callers=CALLERS, flush=flush)
            yield from _of_casting(name_of(url), flush, figures)


def name_of(url: str) -> str:
    """The kind of the database at this address."""
    return "postgresql" if on_postgres(url) else "sqlite"


def _of_casting(case: str, flush: float, figures: dict[str, float]) -> Iterator[Row]:
    name = f"votes, {1000 * flush:.0f} ms added to each flush" if flush else "votes"
    note = f"{CALLERS} concurrent callers in one process"
    yield Row(case, name, figures.pop("per_second"), "/s", VOTES[case], note, figures)
    yield Row(case, f"{name}: p99", figures["p99"], "ms", "≤ 50")


def _over_http(database: Databases, sizes: Sequence[int], seconds: float, votes: int, processes: int) -> Iterator[Row]:
    """Battles, then votes, then reads of the leaderboard, on one service."""
    with database() as (folder, url), driver(upstream_module, str(RATE)) as upstream:
        case, env = name_of(url), settings(folder, url, max(sizes))
        register(env, port := upstream.report())
        with deployed(env, processes) if processes else serving(env) as service:
            cookies = hold(service, upstream, port, WARM_UP, WARM_UP_SECONDS).cookies
            for battles in sizes:
                try:
                    result = hold(service, upstream, port, battles, seconds)
                except Ended:
                    note = "see the readers' message above"
                    yield Row(case, f"{battles} battles: overloaded", nan, "ms", ADDED, note)
                    break
                cookies |= result.cookies
                yield from result.rows(case)
            data = asyncio.run(store.seed(url, cookies, votes, datetime.now(UTC)))
            work = Workload(service.port, CALLERS, seconds, battles=data)
            yield of_requests(case, f"votes over HTTP, {CALLERS} connections", run_battles(service, work), VOTES[case])
            if processes:
                asyncio.run(_publish(url))
            else:
                run("rank", env=env)
            for is_repeat, state in ((False, "whole"), (True, "if it is newer")):
                work = Workload(service.port, CALLERS, READING, path=BOARD, again=is_repeat)
                figures = run_battles(service, work)
                yield of_requests(case, f"reads of the leaderboard over HTTP, {state}", figures, "≥ 3000")


async def _publish(url: str) -> None:
    """Wait until the worker has published a leaderboard."""
    with store.opened(url) as database:
        async with asyncio.timeout(PATIENCE):
            while not any(await database.read(snapshots.newest_ids)):  # noqa: ASYNC110 - it is in another process
                await asyncio.sleep(WARM_UP_SECONDS)


def of_requests(case: str, name: str, figures: dict[str, Any], goal: str) -> Row:
    """Row of requests over HTTP; the note has the number of each status."""
    statuses = ", ".join(f"{count} × {status}" for status, count in figures.pop("statuses").items())
    return Row(case, name, figures.pop("per_second"), "/s", goal, statuses, figures)


def run_battles(service: Service, work: Workload) -> dict[str, Any]:
    """Send the requests of `work` from a separate process; returns its figures.

    `cpu_ms` are the service's CPU milliseconds per response, `proxy_ms` the proxy's.
    """
    start_cpu, proxy_cpu = service.cost().cpu, service.proxy_cpu()
    with driver(request_load) as callers:
        callers.send(json.dumps(asdict(replace(work, proxied=bool(service.proxy)))))
        figures: dict[str, Any] = callers.report()
    per_request = 1000 / max(1, figures["count"])
    figures["cpu_ms"] = per_request * (service.cost().cpu - start_cpu)
    if service.proxy:
        figures["proxy_ms"] = per_request * (service.proxy_cpu() - proxy_cpu)
    return figures
