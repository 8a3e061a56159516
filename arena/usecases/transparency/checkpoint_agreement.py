"""Agreement of the database with published checkpoints: the one in the folder of the log, and those of witnesses."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from arena.adapters.store import checkpoints
from arena.adapters.store.checkpoints import Purpose
from arena.usecases.transparency.witnessing import path_of
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.hashing import Unsound
from arena_trust.tlog.rotations import follow_keys, read_key_proofs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena_trust.tlog.keys import VerifierKey

log = logging.getLogger(__name__)


def compare(session: Session, origin: str, note: str, source: str) -> None:
    """Check that the checkpoint in a note is one of this database; `source` names it in errors.

    Raises:
        Unsound: It is not, or no key of the log has signed it.
    """
    try:
        result = Checkpoint.opened(note, _keys(session, origin), origin)
    except Unsound as error:
        raise Unsound(f"{source} is not signed by a key that the database has: {error}") from error
    _compare(session, result, source)


def _compare(session: Session, checkpoint: Checkpoint, source: str) -> None:
    earlier = checkpoints.of_size(session, checkpoint.origin, checkpoint.size)
    if earlier is None or earlier.root != checkpoint.root:
        newest = checkpoints.newest(session, checkpoint.origin)
        size = newest.size if newest else 0
        raise Unsound(f"{source} has {checkpoint.size} leaves, and the database knows of {size}.")


def _keys(session: Session, origin: str) -> list[VerifierKey]:
    return [checkpoints.public_key(row) for row in checkpoints.keys_of(session, Purpose.CHECKPOINT, origin)]


async def compare_witnesses(database: Database, origin: str, witnesses: Mapping[str, Callable[[str], bytes]]) -> None:
    """Check that no witness has cosigned a checkpoint that the database lacks; `witnesses` has readers by address.

    Keys that a restored database lacks are taken from the rotation proofs that the witness keeps. A checkpoint that no
    key of the log has signed, and a witness that does not answer, are logged and otherwise ignored.

    Raises:
        Unsound: A witness has a checkpoint of this log that is not one of the database.
    """
    keys = await database.read(_keys, origin)
    for address, read in witnesses.items():
        try:
            result = await asyncio.to_thread(_read_checkpoint, read, keys)
        except Unsound as error:
            log.warning("the witness %s has no checkpoint of this log: %s", address, error)
            continue
        await database.read(_compare, result, f"The log that the witness {address} has seen")


def _read_checkpoint(read: Callable[[str], bytes], keys: Sequence[VerifierKey]) -> Checkpoint:
    path, first = path_of(keys[0].name), keys[0]
    note = read(path).decode("utf-8", "replace")
    later_keys, _ = follow_keys(first, read_key_proofs(read, path))
    return Checkpoint.opened(note, [*keys, later_keys.newest], first.name)
