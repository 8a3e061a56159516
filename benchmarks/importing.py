"""Import of a long vote log: its rate, its memory, and the bytes of a vote on disk."""

from __future__ import annotations

import asyncio
import os
import resource
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import make_url, text

from arena.adapters.store.engine import on_postgres, open_database
from benchmarks.load.load_rows import Row
from benchmarks.load.service import run, settings
from benchmarks.transparency.published_arena import write_export

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy.orm import Session

    from benchmarks.load.databases import Databases

_SIZE: Final = text("SELECT pg_database_size(current_database())")


def measure(votes: int, every: Sequence[Databases]) -> Iterator[Row]:
    """Generate an export of this many votes, and import it into a fresh database of each kind."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        export = Path(name) / "votes.jsonl"
        write_export(export, votes)
        for opened in every:
            with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder, opened(Path(folder)) as url:
                yield from _imported(Path(folder), url, export, votes)


def _imported(folder: Path, url: str, export: Path, votes: int) -> Iterator[Row]:
    name, before, env = "postgresql" if on_postgres(url) else "sqlite", _size(url), settings(folder, url, 1)
    spent, start = _children(), time.perf_counter()
    run("votes", "import", str(export), env=env)
    seconds, spent = time.perf_counter() - start, _children() - spent
    grown, file = _size(url) - before, export.stat().st_size
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    what, note = f"{votes:,} votes imported", f"in {seconds:.1f} s; the import held at most {memory:,.0f} MB"
    yield Row(name, what, votes / seconds, "/s", None, note)
    whose = "of the import, the server's own beside it" if name == "postgresql" else ""
    yield Row(name, f"{what}: processor for each", 1e6 * spent / votes, "µs", None, whose)
    yield Row(name, f"{what}: on disk", grown / votes, "bytes", None, f"each; {file / votes:.0f} in the file")


def _children() -> float:
    spent = os.times()
    return spent.children_user + spent.children_system


def _size(url: str) -> int:
    """The bytes of a database on disk."""
    if not on_postgres(url):
        path = Path(make_url(url).database or "")
        return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
    with closing(open_database(url)) as database:
        return asyncio.run(database.read(_served_size))


def _served_size(session: Session) -> int:
    return session.execute(_SIZE).scalar_one()
