"""Import of a long vote log: its rate, its memory, and the bytes of a vote on disk."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer
from sqlalchemy import make_url, text

from arena.adapters.store.engine import on_postgres
from benchmarks.load import store
from benchmarks.load.report import name_of
from benchmarks.load.service import run, settings
from benchmarks.processes import timed
from benchmarks.results import Row
from benchmarks.transparency.published_arena import write_export

_SIZE: Final = text("SELECT pg_database_size(current_database())")


def measure(
    votes: Annotated[int, typer.Option(min=1_000, help="Votes of the generated export.")] = 1_000_000,
    postgres: Annotated[str, typer.Option(help=store.POSTGRES)] = "",
) -> Iterator[Row]:
    """Import a long vote log with `arena votes import`, and measure its rate and its bytes on disk."""
    with store.folder() as place:
        export = place / "votes.jsonl"
        write_export(export, votes)
        for database in (store.sqlite, *([store.on_server(postgres)] if postgres else [])):
            with database() as (folder, url):
                yield from _imported(folder, url, export, votes)


def _imported(folder: Path, url: str, export: Path, votes: int) -> Iterator[Row]:
    name, before, env = name_of(url), _size(url), settings(folder, url, 1)
    _, seconds, cpu = timed(lambda: run("votes", "import", str(export), env=env))
    grown, file = _size(url) - before, export.stat().st_size
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    what = f"{votes:,} votes imported"
    yield Row(name, what, votes / seconds, "/s", figures={"seconds": seconds, "memory_mb": memory})
    note = "of the import, the server's own beside it" if name == "postgresql" else ""
    yield Row(name, f"{what}: processor for each", 1e6 * cpu / votes, "µs", note=note)
    yield Row(name, f"{what}: on disk", grown / votes, "bytes", note="each", figures={"in_the_file": file / votes})


def _size(url: str) -> int:
    """The bytes of a database on disk."""
    if not on_postgres(url):
        path = Path(make_url(url).database or "")
        return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
    with store.opened(url) as database:
        return asyncio.run(database.read(lambda session: session.execute(_SIZE).scalar_one()))
