"""The origin of the log (its name and key): made at the first start, and again after a disagreement."""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64encode
from typing import TYPE_CHECKING

from sqlalchemy import select

from arena.adapters.store import checkpoints, log_leaves
from arena.adapters.store.checkpoints import Purpose
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.errors import Invalid
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.leaves import LeafKind
from arena_trust.tlog.notes import SignedNote

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.log_files import LogFiles
    from arena.adapters.store.engine import Database
    from arena.adapters.store.keyring import Keyring
    from arena.adapters.store.tables.checkpoints import LogKeyRow
    from arena_trust.tlog.keys import Signer


def ensured(session: Session, keyring: Keyring, host: str, now: datetime) -> LogKeyRow:
    """The sealed key of the log, which is made with the log's first leaf if there is none; `host` begins its name.

    Raises:
        KeysNotAccepted: There is no master key that could seal it.
    """
    one_at_a_time(session, "log keys")
    row = checkpoints.current_key(session, Purpose.CHECKPOINT)
    if row is None:
        open_origin(session, keyring, host, now)
        row = checkpoints.current_key(session, Purpose.CHECKPOINT)
        assert row is not None  # noqa: S101 - made in this transaction
    return row


def promise_key(session: Session, keyring: Keyring, host: str, now: datetime) -> Signer:
    """The key that signs promises, which is made and announced by a leaf if there is none.

    Raises:
        KeysNotAccepted, KeyLost: It cannot be sealed or opened.
    """
    one_at_a_time(session, "log keys")
    row = checkpoints.current_key(session, Purpose.PROMISE)
    return checkpoints.open_key(row, keyring) if row else new_promise_key(session, keyring, host, now)


def new_promise_key(session: Session, keyring: Keyring, host: str, now: datetime) -> Signer:
    """A new key for promises, announced by a leaf; promises of earlier keys stay valid."""
    one_at_a_time(session, "log keys")
    signer = checkpoints.make_key(session, keyring, Purpose.PROMISE, f"{host}/promises/{secrets.token_hex(4)}", now)
    log_leaves.add(session, LeafKind.KEY, purpose=Purpose.PROMISE, key=str(signer.key), day=now.date().isoformat())
    return signer


def open_origin(
    session: Session, keyring: Keyring, host: str, now: datetime, *, before: Checkpoint | None = None, why: str = ""
) -> Signer:
    """Begin a log under a new name; its first leaf names the end of the log `before` it and the reason, `why`."""
    signer = checkpoints.make_key(session, keyring, Purpose.CHECKPOINT, f"{host}/log/{secrets.token_hex(4)}", now)
    earlier: dict[str, object] = {}
    if before is not None:
        root = b64encode(before.root).decode()
        earlier = {"before": {"origin": before.origin, "size": before.size, "root": root}, "why": why}
    day = now.date().isoformat()
    log_leaves.add(session, LeafKind.ORIGIN, origin=signer.name, key=str(signer.key), day=day, **earlier)
    return signer


def first_leaf(session: Session) -> bytes:
    """The first leaf of the current log."""
    query = select(LeafRow.data).where(LeafRow.kind == LeafKind.ORIGIN)
    return session.scalars(query.order_by(LeafRow.number.desc()).limit(1)).one()


async def restart(
    database: Database, files: LogFiles, keyring: Keyring, *, host: str, why: str, now: datetime
) -> tuple[str, Path | None]:
    """Begin a new log with all leaves of the database; returns its name and the folder of the old log's files.

    Raises:
        Invalid: There is no log yet.
        KeysNotAccepted: There is no master key.
    """
    async with files.locked():
        note = files.checkpoint()
        published = Checkpoint.parse(SignedNote.parse(note).text) if note else None
        name = await database.write(_restart, published, keyring, host, why, now)
        return name, await asyncio.to_thread(files.set_aside)


def _restart(
    session: Session, published: Checkpoint | None, keyring: Keyring, host: str, why: str, now: datetime
) -> str:
    last = published or _stored(session)
    if last is None:
        raise Invalid("There is no log yet that could begin again.")
    return open_origin(session, keyring, host, now, before=last, why=why).name


def _stored(session: Session) -> Checkpoint | None:
    key = checkpoints.current_key(session, Purpose.CHECKPOINT)
    row = checkpoints.newest(session, key.name) if key else None
    return Checkpoint(row.origin, row.size, row.root) if row else None
