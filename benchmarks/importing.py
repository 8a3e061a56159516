"""Import of a long vote log (rate, memory, bytes of a vote on disk), and a board from Open WebUI's feedback."""

from __future__ import annotations

import asyncio
import random
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import orjson
import typer
from sqlalchemy import make_url, text

from arena.adapters.store.engine import on_postgres
from benchmarks.load import store
from benchmarks.load.report import name_of
from benchmarks.load.service import run, settings
from benchmarks.processes import environment, measure_call
from benchmarks.results import Row
from benchmarks.transparency.published_arena import write_export

_FEEDBACK: Final = 10_000
_SIZE: Final = text("SELECT pg_database_size(current_database())")


def measure(
    votes: Annotated[int, typer.Option(min=1_000, help="Votes of the generated export.")] = 1_000_000,
    postgres: Annotated[str, typer.Option(help=store.POSTGRES)] = "",
) -> Iterator[Row]:
    """Import a long vote log with `arena votes import`, and measure its rate and its bytes on disk."""
    with store.folder() as place:
        yield _rank_row(place)
        export = place / "votes.jsonl"
        write_export(export, votes)
        for database in (store.sqlite, *([store.on_server(postgres)] if postgres else [])):
            with database() as (folder, url):
                yield from _import_rows(folder, url, export, votes)


def _rank_row(folder: Path) -> Row:
    """CPU time from Open WebUI's feedback, with its chats, to both boards with intervals."""
    rng, export = random.Random(35), folder / "feedback.json"
    export.write_bytes(orjson.dumps([_feedback(number, rng) for number in range(_FEEDBACK)]))
    _, seconds, cpu = measure_call(lambda: run("rank", str(export), "--json", env=environment()))
    size = export.stat().st_size / 2**20
    title = f"{_FEEDBACK:,} feedbacks of Open WebUI to both boards: processor"
    return Row("arena rank", title, cpu, "s", goal="≤ 3", figures={"seconds": seconds, "file_mb": size})


def _feedback(number: int, rng: random.Random) -> dict[str, Any]:
    first, second = rng.sample(range(20), 2)
    chat = {"messages": [{"role": "user", "content": "why " * 100}, {"role": "assistant", "content": "because " * 200}]}
    return {
        "id": str(number),
        "user_id": f"person {rng.randrange(100)}",
        "type": "rating",
        "data": {
            "rating": 1 if rng.random() < 1 / (1 + 2 ** ((first - second) / 10)) else -1,
            "model_id": f"model-{first}",
            "sibling_model_ids": [f"model-{second}"],
        },
        "snapshot": {"chat": chat},
        "created_at": 1_800_000_000 - 60 * number,
        "updated_at": 1_800_000_000 - 60 * number,
    }


def _import_rows(folder: Path, url: str, export: Path, votes: int) -> Iterator[Row]:
    name, start_size, env = name_of(url), _size(url), settings(folder, url, 1)
    _, seconds, cpu = measure_call(lambda: run("votes", "import", str(export), env=env))
    growth, file = _size(url) - start_size, export.stat().st_size
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    title = f"{votes:,} votes imported"
    yield Row(name, title, votes / seconds, "/s", figures={"seconds": seconds, "memory_mb": memory})
    note = "of the import, the server's own beside it" if name == "postgresql" else ""
    yield Row(name, f"{title}: processor for each", 1e6 * cpu / votes, "µs", note=note)
    yield Row(name, f"{title}: on disk", growth / votes, "bytes", note="each", figures={"in_the_file": file / votes})


def _size(url: str) -> int:
    """The size of a database on disk in bytes."""
    if not on_postgres(url):
        path = Path(make_url(url).database or "")
        return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
    with store.opened(url) as database:
        return asyncio.run(database.read(lambda session: session.execute(_SIZE).scalar_one()))
