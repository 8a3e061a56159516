"""A database as a release leaves it, kept for the tests of upgrades: `uv run python -m tests.kept_database`.

It has imported votes, and at least one row behind every id of the API; `<name>.json` beside it has the ratings of its
votes. Each release adds its own and changes no earlier one.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
import tempfile
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

from pydantic import SecretStr

from arena.settings import Settings
from tests.api.populated import WIDE, populate, publish
from tests.cli.commands import run
from tests.cli.test_rank import COLUMNS, VOTES
from tests.paths import FIXTURES
from tests.processes import Process

KEPT = sorted(FIXTURES.glob("arena-*.db.gz"))
ORDERS = ("--orders", "100", "--seed", "1")


def ratings(url: str) -> dict[str, list[float]]:
    """Elo and Bradley-Terry of each model, from the votes alone."""
    done = run("rank", *ORDERS, "--json", ARENA_DATABASE_URL=url)
    assert done.returncode == 0, done.stderr
    return {row["name"]: [row["elo"], row["bt"]] for row in json.loads(done.stdout)["rows"]}


def unpacked(kept: Path, folder: Path) -> Path:
    """The database in a folder, where an arena looks for it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "arena.db"
    path.write_bytes(gzip.decompress(kept.read_bytes()))
    return path


def make(folder: Path) -> None:
    """Run an arena, and keep what is in its database at the end."""
    url = f"sqlite:///{folder}/data/arena.db"
    arena = Process(folder, "serve", "--no-worker", ARENA_DATA=str(folder / "data"), ARENA_DATABASE_URL=url, **WIDE)
    try:
        populate(arena.start())
        arena.stop()
    finally:
        arena.remove()
    assert run("votes", "import", str(VOTES), *COLUMNS, ARENA_DATABASE_URL=url).returncode == 0
    asyncio.run(publish(Settings(data=folder / "data", secret_key=SecretStr(WIDE["ARENA_SECRET_KEY"]))))
    with closing(sqlite3.connect(folder / "data" / "arena.db")) as database:
        database.execute("VACUUM INTO ?", (str(folder / "kept.db"),))
    kept = FIXTURES / f"arena-{version('battle-arena')}.db.gz"
    kept.write_bytes(gzip.compress((folder / "kept.db").read_bytes(), mtime=0))
    kept.with_suffix("").with_suffix(".json").write_text(json.dumps(ratings(url), indent=1) + "\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder))
