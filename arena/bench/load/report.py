"""The whole benchmark of load, on one database after the other."""

from __future__ import annotations

import asyncio
import json
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.bench.load import casting, rows, witness
from arena.bench.load.asking import Wish
from arena.bench.load.battles import RATE, hold
from arena.bench.load.seeding import seed
from arena.bench.load.service import run, serving, settings
from arena.bench.load.talk import Ended, driver
from arena.store.engine import on_postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping

    from arena.bench.load.databases import Databases
    from arena.bench.load.rows import Row
    from arena.bench.load.service import Service

WARM_UP: Final = 20
"""Battles before those that count."""
SHORT: Final = 1.0
FLUSH: Final = 0.005
BOARD: Final = "/api/v1/leaderboard"


@dataclass(frozen=True, slots=True)
class Plan:
    """How many battles run at once in each run, how many votes are cast, and seconds of each measurement."""

    battles: tuple[int, ...] = (100, 300)
    votes: int = 10_000
    seconds: float = 10.0
    callers: int = 160
    reading: float = 4.0


def measure(plan: Plan, opened: Databases, tell: Callable[[Row], None]) -> list[Row]:
    """All rows on databases that `opened` makes, a fresh one for each part; `tell` hears of each row."""
    told: list[Row] = []
    for row in chain(_over_http(plan, opened), _act(plan, opened, 0.0), _act(plan, opened, FLUSH)):
        tell(row)
        told.append(row)
    return told


def _act(plan: Plan, opened: Databases, flush: float) -> Iterator[Row]:
    with _folder() as folder, opened(folder) as url:
        done = casting.measure(url, votes=plan.votes, callers=plan.callers, flush=flush)
    yield from rows.of_casting(done)


def _over_http(plan: Plan, opened: Databases) -> Iterator[Row]:
    """Battles, then votes, then reads, on one service after it has been started anew for the board."""
    with _folder() as folder, opened(folder) as url, driver("load.upstream", str(RATE)) as upstream:
        name = "postgresql" if on_postgres(url) else "sqlite"
        env = settings(folder, url, max(plan.battles)) | witness.install(folder)
        _register(env, port := upstream.hear())
        with serving(env) as service:
            cookies = hold(service, upstream, port, folder, WARM_UP, SHORT).cookies
            for battles in plan.battles:
                try:
                    held = hold(service, upstream, port, folder, battles, plan.seconds)
                except Ended:
                    yield rows.of_collapse(name, battles)
                    break
                cookies |= held.cookies
                yield from rows.of_battles(name, held)
            battles = asyncio.run(seed(url, cookies, plan.votes))
            figures = _asked(Wish(service.port, plan.callers, plan.seconds, battles=battles))
            yield rows.of_asking(name, f"votes over HTTP, {plan.callers} connections", figures, rows.VOTES[name])
            run("rank", env=env)
            yield from _board(plan, name, service)


def _board(plan: Plan, name: str, service: Service) -> Iterator[Row]:
    for again, what in ((False, "whole"), (True, "if it is newer")):
        figures = _asked(Wish(service.port, plan.callers, plan.reading, path=BOARD, again=again))
        yield rows.of_asking(name, f"reads of the leaderboard over HTTP, {what}", figures, rows.READS)


def _register(env: Mapping[str, str], port: int) -> None:
    """Two endpoints that speak as Chat Completions do, as an operator adds them."""
    for number in range(2):
        options = ("--wire-model", "bench", "--dialect", witness.DIALECT, "--private")
        run("endpoints", "add", f"bench-{number}", *options, "--url", f"http://127.0.0.1:{port}/v1", env=env)


def _asked(wish: Wish) -> dict[str, Any]:
    with driver("load.asking") as callers:
        callers.tell(json.dumps(asdict(wish)))
        return callers.hear()


@contextmanager
def _folder() -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        yield Path(folder)


def as_json(told: Iterable[Row]) -> str:
    """A list of objects, one a row."""
    return json.dumps([row.record() for row in told], indent=1)
