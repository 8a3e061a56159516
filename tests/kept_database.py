"""Database files of each release, for the tests of upgrades: `uv run python -m tests.kept_database` writes them.

A release has one file of SQLite (`.db.gz`) and, since 0.2.0, one of PostgreSQL (`.sql.gz`). Both contain imported votes
and at least one row for every id in the API. A `.json` file next to each has its schema and the ratings of its votes.
Each release adds its own files before its tag and changes no earlier ones. With `--check` the command writes nothing,
and fails unless the files of this version exist and have its schema.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from sqlalchemy import Connection, text

from arena.adapters.store.engine.migration import migrate, newest
from arena.settings import Settings
from tests.api.populated import WIDE, populate, publish
from tests.cli.commands import run
from tests.cli.test_rank import COLUMNS, VOTES
from tests.paths import FIXTURES
from tests.processes import Process
from tests.servers import Cluster, Postgres

KEPT_DATABASES = sorted(FIXTURES.glob("arena-*.*.gz"))
ORDERS = ("--orders", "100", "--seed", "1")


def count_votes(connection: Connection) -> int:
    return connection.scalars(text("SELECT count(*) FROM votes")).one()


def facts(release_file: Path) -> dict[str, Any]:
    """The `schema` of a database file of a release, and its `ratings`."""
    return json.loads(release_file.with_suffix(".json").read_text())


def ratings(url: str) -> dict[str, list[float]]:
    """Elo and Bradley-Terry of each model, from the votes alone."""
    result = run("rank", *ORDERS, "--json", ARENA_DATABASE_URL=url)
    assert result.returncode == 0, result.stderr
    return {row["name"]: [row["elo"], row["bt"]] for row in json.loads(result.stdout)["rows"]}


def unpack(release_file: Path, folder: Path) -> str:
    """Unpack the SQLite file to where an arena looks for it in `folder`; returns its URL."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "arena.db"
    path.write_bytes(gzip.decompress(release_file.read_bytes()))
    return f"sqlite:///{path}"


@contextmanager
def restore(release_file: Path, postgres: Cluster) -> Iterator[str]:
    """The URL of a temporary PostgreSQL database with this content."""
    with postgres.database() as url:
        postgres.load(url, gzip.decompress(release_file.read_bytes()).decode())
        yield url


def make(folder: Path, url: str) -> None:
    """Fill the database at `url`: run an arena with users, import votes and publish a board."""
    arena = Process(folder, "serve", "--no-worker", ARENA_DATA=str(folder / "data"), ARENA_DATABASE_URL=url, **WIDE)
    try:
        populate(arena.start())
        arena.stop()
    finally:
        arena.remove()
    assert run("votes", "import", str(VOTES), *COLUMNS, ARENA_DATABASE_URL=url).returncode == 0
    key = SecretStr(WIDE["ARENA_SECRET_KEY"])
    asyncio.run(publish(Settings(data=folder / "data", database_url=url, secret_key=key)))


def write_files(name: str, url: str, content: bytes) -> None:
    path = FIXTURES / f"arena-{version('battle-arena')}.{name}.gz"
    path.write_bytes(gzip.compress(content, mtime=0))
    path.with_suffix(".json").write_text(json.dumps({"schema": newest(), "ratings": ratings(url)}, indent=1) + "\n")


def write_sqlite(folder: Path) -> None:
    """Write the SQLite file of this version."""
    url = f"sqlite:///{folder}/data/arena.db"
    make(folder, url)
    with closing(sqlite3.connect(folder / "data" / "arena.db")) as database:
        database.execute("VACUUM INTO ?", (str(folder / "copy.db"),))
    write_files("db", url, (folder / "copy.db").read_bytes())


def write_postgres(folder: Path) -> None:
    """Write the PostgreSQL script of this version: plain statements without commands of psql."""
    server = Postgres("fsync=off")
    try:
        with Cluster(server.url) as cluster, cluster.database() as url:
            migrate(url)
            make(folder, url)
            dump = [str(Path(server.command[0]).with_name("pg_dump")), "--no-owner", "--rows-per-insert=500", url]
            script = subprocess.run(dump, check=True, capture_output=True).stdout
            write_files("sql", url, re.sub(rb"^\\(un)?restrict .*\n", b"", script, flags=re.MULTILINE))
    finally:
        server.remove()


def missing_files() -> str:
    """A sentence that names the missing files of this version; empty if there are none."""
    paths = [FIXTURES / f"arena-{version('battle-arena')}.{kind}.gz" for kind in ("db", "sql")]
    if all(path in KEPT_DATABASES and facts(path)["schema"] == newest() for path in paths):
        return ""
    return f"No {paths[0].name} and {paths[1].name} of schema {newest()}: run `uv run python -m tests.kept_database`."


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(missing_files() or None)
    for keeping in (write_sqlite, write_postgres):
        with tempfile.TemporaryDirectory() as folder:
            keeping(Path(folder))
