"""Cosignatures of another log's checkpoints (c2sp.org/tlog-cosignature), by the rules of c2sp.org/tlog-witness.

A witness remembers the last checkpoint that it cosigned, and cosigns another only if that extends it. So a log whose
operator shows different histories to different people, or begins again from a backup, contradicts its witnesses.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from arena.adapters.store import checkpoints
from arena.adapters.store.checkpoints import Purpose
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.tables.checkpoints import CheckpointRow
from arena.domain.errors import Invalid
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.hashing import Unsound
from arena_trust.tlog.notes import SignedNote
from arena_trust.tlog.proofs import consistency_proof, verify_consistency
from arena_trust.tlog.rotations import SUFFIX, PublishedLog, read_published_log
from arena_trust.tlog.tiles import subtrees

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.log_files import LogFiles
    from arena.adapters.store.engine import Database
    from arena.adapters.store.keyring import Keyring
    from arena_trust.tlog.keys import Signer, VerifierKey

FOLDER: Final = "witnessed"


def path_of(origin: str) -> str:
    """The path, in the folder of a witness's own log, of the last checkpoint of `origin` that it cosigned."""
    return f"{FOLDER}/{sha256(origin.encode()).hexdigest()}"


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness, which stores the checkpoints that it cosigns and publishes them in `files`."""

    database: Database
    files: LogFiles
    keyring: Keyring
    host: str

    async def cosign(self, read: Callable[[str], bytes], key: VerifierKey, now: datetime) -> Checkpoint:
        """Cosign the newest checkpoint of the log that `read` reads and `key` signs, even if it was cosigned before.

        Raises:
            Invalid: The log cannot be read, is smaller than before, or does not extend the one cosigned before.
            KeysNotAccepted, KeyLost: The key of the witness cannot be sealed or opened.
        """
        earlier = await self.database.read(checkpoints.newest, key.name)
        try:
            log = await asyncio.to_thread(_read_extension, read, key, earlier)
        except Unsound as error:
            raise Invalid(f"{key.name} is not cosigned: {error}") from error
        result = log.checkpoint
        note = await self.database.write(self._cosign, log.note, result, earlier.size if earlier else 0, now)
        await asyncio.to_thread(self._publish, path_of(result.origin), note, log.proofs)
        return result

    def _publish(self, path: str, note: str, proofs: Sequence[str]) -> None:
        """Publish a cosigned note and the proofs of the log's rotations, which the log itself may lose later."""
        if proofs:
            self.files.put(path + SUFFIX, json.dumps(proofs))
        self.files.put(path, note)

    def _cosign(self, session: Session, note: str, checkpoint: Checkpoint, before: int, now: datetime) -> str:
        signer = self._signer(session, now)
        newest = checkpoints.newest(session, checkpoint.origin)
        if (newest.size if newest else 0) != before:
            raise Invalid(f"{checkpoint.origin} was cosigned by another process meanwhile.")
        cosigned = note + signer.line(SignedNote.parse(note).text, int(now.timestamp()))
        if newest is None or newest.size < checkpoint.size:
            fields = {"origin": checkpoint.origin, "size": checkpoint.size, "root": checkpoint.root, "note": cosigned}
            session.add(CheckpointRow(**fields, last_leaf=0, created_at=now))
            session.flush()
        return cosigned

    def _signer(self, session: Session, now: datetime) -> Signer:
        one_at_a_time(session, "log keys")
        row = checkpoints.current_key(session, Purpose.WITNESS)
        if row is not None:
            return checkpoints.open_key(row, self.keyring)
        name = f"{self.host}/witness/{secrets.token_hex(4)}"
        return checkpoints.make_key(session, self.keyring, Purpose.WITNESS, name, now)


def _read_extension(read: Callable[[str], bytes], key: VerifierKey, earlier: CheckpointRow | None) -> PublishedLog:
    """The newest checkpoint of a log, after a proof that it extends `earlier` and each one that changed its key."""
    log = read_published_log(read, key)
    result, prefixes = log.checkpoint, list(log.changes)
    if earlier is not None and earlier.size:
        SignedNote.parse(earlier.note).signed_by([log.keys.of_size(earlier.size)])
        prefixes.append(Checkpoint(earlier.origin, earlier.size, earlier.root))
    for checkpoint in prefixes:
        if result.size < checkpoint.size:
            raise Unsound(f"it has {result.size} leaves, and had {checkpoint.size}.")
        path = consistency_proof(subtrees(lambda tile: read(tile.path), result.size), checkpoint.size, result.size)
        if not verify_consistency(checkpoint.size, checkpoint.root, result.size, result.root, path):
            raise Unsound(f"its first {checkpoint.size} leaves are not those that were cosigned.")
    return log
