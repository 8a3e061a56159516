"""A new log after a disagreement: the old one is set aside, and the new one's first leaf names it and says why."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from arena.adapters.store import checkpoints
from arena.adapters.store.checkpoints import Purpose
from arena.domain.errors import Invalid
from arena.usecases.transparency import origins
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.notes import SignedNote

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.log_files import LogFiles
    from arena.adapters.store.engine import Database
    from arena.adapters.store.keyring import Keyring


async def restart(
    database: Database, files: LogFiles, keyring: Keyring, *, host: str, why: str, now: datetime
) -> tuple[str, Path | None]:
    """Begin a new log with all leaves of the database; returns its name, and where the files of the old one are.

    Raises:
        Invalid: There is no log that could end.
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
    before = published or _stored(session)
    if before is None:
        raise Invalid("There is no log yet that could begin again.")
    return origins.open_origin(session, keyring, host, now, before=before, why=why).name


def _stored(session: Session) -> Checkpoint | None:
    key = checkpoints.current_key(session, Purpose.CHECKPOINT)
    row = checkpoints.newest(session, key.name) if key else None
    return Checkpoint(row.origin, row.size, row.root) if row else None
