"""The sequencer: appends settled leaves to the log in order, and signs its size and root.

One process does this at a time, under a lease. Tiles are written first, then the database, then the checkpoint is
published, so that the files and rows of a killed process never contradict those of the next one.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from arena.adapters.store import checkpoints, log_leaves
from arena.adapters.store.checkpoints import Purpose
from arena.adapters.store.leases import Superseded
from arena.adapters.store.tables.checkpoints import CheckpointRow
from arena.domain.errors import Invalid
from arena.usecases.transparency import checkpoint_agreement, origins, rotations
from arena.usecases.transparency.unlogged import UnloggedVotes
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.growth import Growth
from arena_trust.tlog.hashing import Unsound, leaf_hash
from arena_trust.tlog.tiles import ENTRIES, WIDTH, Edge, Tile, decode_bundle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.log_files import LogFiles
    from arena.adapters.store.engine import Database
    from arena.adapters.store.keyring import Keyring
    from arena_trust.tlog.keys import Signer, VerifierKey

ROUND: Final = 16_384
"""Maximum number of leaves of one round."""
MIN_BATCH: Final = 100
"""Number of pending leaves from which they are signed at once; fewer wait until `every` has passed."""


class Disagreement(Exception):
    """The published log is not the one in the database; the message is one sentence for the operator."""


@dataclass(slots=True)
class _Log:
    """The signed part of the log: the number of its last leaf, and the state to extend it; `key` is published."""

    origin: str
    key: VerifierKey | None
    first: bytes
    last_leaf: int
    growth: Growth
    signed_at: datetime | None


@dataclass(slots=True)
class Sequencer:
    """Sequences the leaves of one database into `files`; `guard` fails once another process has taken over.

    `witnesses` has readers, by address, of logs that cosign this one. `progress` gets the number of leaves that are
    written again, and the number of all.
    """

    database: Database
    files: LogFiles
    keyring: Keyring
    host: str
    interval: timedelta
    now: Callable[[], datetime]
    guard: Callable[[Session], None]
    witnesses: Mapping[str, Callable[[str], bytes]] = field(default_factory=dict[str, "Callable[[str], bytes]"])
    progress: Callable[[int, int], object] = max
    _log: _Log | None = field(default=None)

    async def turn(self) -> int:
        """Sign the leaves that are due; returns how many were added.

        Raises:
            UnloggedVotes: There are votes without a leaf; nothing is signed until the operator has excluded them.
            Disagreement: The published log and the database do not agree; nothing was changed.
            KeysNotAccepted, KeyLost: The log's key cannot be sealed or opened.
            Superseded: Another process sequences now.
        """
        try:
            async with self.files.locked():
                return await self._extend()
        except Unsound as error:
            self._log = None
            raise Disagreement(str(error)) from error
        except BaseException:
            # The growth may have leaves that were not signed.
            self._log = None
            raise

    async def _extend(self) -> int:
        self._log = log = self._log or await self._open()
        leaves = await self.database.read(self._pending, log)
        if not leaves:
            return 0
        before, moment, last_leaf = log.growth.edge.size, self.now(), leaves[-1][0]
        signer = await self.database.read(self._signer, log.origin, last_leaf)
        note, checkpoint = await asyncio.to_thread(self._grow, log, leaves, signer)
        await self.database.write(self._store, checkpoint, note, before, last_leaf, moment)
        await self._publish(log, note, signer.key)
        log.last_leaf, log.signed_at = last_leaf, moment
        return len(leaves)

    def forget(self) -> None:
        """Read everything anew in the next turn, since another process may have sequenced."""
        self._log = None

    async def _open(self) -> _Log:
        origin = await self.database.write(self._ensure_origin)
        log = await self._restore(origin)
        await checkpoint_agreement.compare_witnesses(self.database, origin, self.witnesses)
        return log

    def _ensure_origin(self, session: Session) -> str:
        """The name of the log; its key is opened in the same transaction, so that a concurrent rotation is seen."""
        row = origins.ensured(session, self.keyring, self.host, self.now())
        return checkpoints.open_key(row, self.keyring).name

    async def mirror(self) -> int:
        """Write the files of the signed log from the database alone; returns the log's size.

        Raises:
            Disagreement: The folder holds another log.
            Invalid: There is no log yet.
        """
        row = await self.database.read(checkpoints.current_key, Purpose.CHECKPOINT)
        if row is None:
            raise Invalid("There is no log yet: it begins with the first start of the arena.")
        try:
            return (await self._restore(row.name)).growth.edge.size
        except Unsound as error:
            raise Disagreement(str(error)) from error

    async def _restore(self, origin: str) -> _Log:
        """The signed log, after its files were compared with the database and completed."""
        newest, first = await self.database.read(self._stored, origin)
        await self.database.read(self._compare, origin)
        if newest is None:
            return _Log(origin, None, first, 0, Growth(), None)
        growth = await self.database.read(self._edge, newest, first)
        row = await self.database.read(rotations.in_force, origin, newest.last_leaf)
        log = _Log(origin, None, first, newest.last_leaf, growth, newest.created_at)
        await self._publish(log, newest.note, checkpoints.public_key(row))
        return log

    async def _publish(self, log: _Log, note: str, key: VerifierKey) -> None:
        """Publish a checkpoint, with the key and its rotation proofs if the key is new."""
        if key == log.key:
            await asyncio.to_thread(self.files.publish, note)
            return
        proofs = await self.database.read(rotations.proofs, self.files, log.origin)
        await asyncio.to_thread(self.files.publish, note, str(key), proofs)
        log.key = key

    @staticmethod
    def _stored(session: Session, origin: str) -> tuple[CheckpointRow | None, bytes]:
        return checkpoints.newest(session, origin), origins.first_leaf(session)

    def _compare(self, session: Session, origin: str) -> None:
        note = self.files.checkpoint()
        if note is not None:
            checkpoint_agreement.compare(session, origin, note, "The published log")

    def _edge(self, session: Session, newest: CheckpointRow, first: bytes) -> Growth:
        """The right edge of the log from its files; all are written again from the database if one is missing."""
        try:
            result = Growth(Edge.read(self.files.read, newest.size))
            tile = Tile(ENTRIES, newest.size // WIDTH, newest.size % WIDTH)
            result.entries = decode_bundle(self.files.read(tile), tile) if tile.width else []
            is_sound = list(map(leaf_hash, result.entries)) == result.edge.levels[0]
            rotations.proofs(session, self.files, newest.origin)
        except Unsound:
            return self._rebuild(session, newest, first)
        return result if is_sound and result.edge.root() == newest.root else self._rebuild(session, newest, first)

    def _rebuild(self, session: Session, newest: CheckpointRow, first: bytes) -> Growth:
        result = Growth()
        leaves = chain([first], (data for _, data in log_leaves.stream(session, 0, newest.last_leaf)))
        for size in checkpoints.sizes(session, newest.origin):
            self._append(result, list(islice(leaves, size - result.edge.size)))
            self.progress(size, newest.size)
        if result.edge.root() != newest.root:
            raise Unsound("The database no longer has the leaves that were signed.")
        return result

    def _pending(self, session: Session, log: _Log) -> list[tuple[int, bytes]]:
        """The leaves to sign now.

        Raises:
            Superseded: Another log has begun, so no file of this one may be written.
            UnloggedVotes: There are votes without a leaf.
        """
        _check_current(session, log.origin)
        if unlogged := log_leaves.pending_unlogged(session):
            raise UnloggedVotes(unlogged)
        result = log_leaves.after(session, log.last_leaf, last=log_leaves.last(session), limit=ROUND)
        if not log.growth.edge.size:
            return [(0, log.first), *result]
        # The lower bound is for a clock that was set back.
        is_early = log.signed_at is not None and timedelta(0) <= self.now() - log.signed_at < self.interval
        return [] if is_early and len(result) < MIN_BATCH else result

    def _signer(self, session: Session, origin: str, last_leaf: int) -> Signer:
        return checkpoints.open_key(rotations.in_force(session, origin, last_leaf), self.keyring)

    def _grow(self, log: _Log, leaves: Sequence[tuple[int, bytes]], signer: Signer) -> tuple[str, Checkpoint]:
        """Write the tiles of further leaves; returns the signed note and the checkpoint of the whole."""
        self._append(log.growth, [data for _, data in leaves])
        checkpoint = Checkpoint(log.origin, log.growth.edge.size, log.growth.edge.root())
        return checkpoint.signed(signer), checkpoint

    def _append(self, growth: Growth, leaves: Sequence[bytes]) -> None:
        for tile, data in growth.extend(leaves):
            self.files.write(tile, data)

    def _store(
        self, session: Session, checkpoint: Checkpoint, note: str, before: int, last_leaf: int, moment: datetime
    ) -> None:
        self.guard(session)
        _check_current(session, checkpoint.origin)
        newest = checkpoints.newest(session, checkpoint.origin)
        if (newest.size if newest else 0) != before:
            # Another process has signed, so this one's state is out of date.
            raise Superseded
        session.add(
            CheckpointRow(
                origin=checkpoint.origin,
                size=checkpoint.size,
                last_leaf=last_leaf,
                root=checkpoint.root,
                note=note,
                created_at=moment,
            )
        )
        session.flush()


def _check_current(session: Session, origin: str) -> None:
    key = checkpoints.current_key(session, Purpose.CHECKPOINT)
    if key is None or key.name != origin:
        raise Superseded
