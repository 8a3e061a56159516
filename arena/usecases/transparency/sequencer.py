"""The sequencer: puts leaves that are settled into the log, in order, and signs its growing size and root.

One process does this at a time, under a lease. The database is written before the checkpoint is published, and tiles
before both, so that a process killed anywhere leaves nothing that the next one would contradict.
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
"""Most leaves of one round."""
MANY: Final = 100
"""Waiting leaves that are signed at once; fewer wait for their time."""


class Disagreement(Exception):
    """The log that was published is not the one in the database; the message is one sentence for the operator."""


@dataclass(slots=True)
class _Log:
    """The part that is signed: number of the last leaf, and what its growth needs; `key` is the published one."""

    origin: str
    key: VerifierKey | None
    first: bytes
    last_leaf: int
    growth: Growth
    signed_at: datetime | None


@dataclass(slots=True)
class Sequencer:
    """Sequences the leaves of one database into `files`; `guard` fails once another process has taken over.

    `witnesses` are readers, by address, of logs that cosign this one. `progress` is told how many leaves of how many
    have been written anew.
    """

    database: Database
    files: LogFiles
    keyring: Keyring
    host: str
    every: timedelta
    now: Callable[[], datetime]
    guard: Callable[[Session], None]
    witnesses: Mapping[str, Callable[[str], bytes]] = field(default_factory=dict[str, "Callable[[str], bytes]"])
    progress: Callable[[int, int], object] = max
    _log: _Log | None = field(default=None)

    async def turn(self) -> int:
        """Sign what is due; returns how many leaves were added.

        Raises:
            UnloggedVotes: There are votes without a leaf; nothing is signed until the operator says so in the log.
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
            # Whatever was not signed is read anew.
            self._log = None
            raise

    async def _extend(self) -> int:
        self._log = log = self._log or await self._opened()
        waiting = await self.database.read(self._waiting, log)
        if not waiting:
            return 0
        before, moment, last_leaf = log.growth.edge.size, self.now(), waiting[-1][0]
        signer = await self.database.read(self._signer, log.origin, last_leaf)
        note, checkpoint = await asyncio.to_thread(self._signed, log, waiting, signer)
        await self.database.write(self._sign, checkpoint, note, before, last_leaf, moment)
        await self._publish(log, note, signer.key)
        log.last_leaf, log.signed_at = last_leaf, moment
        return len(waiting)

    def forget(self) -> None:
        """Read everything anew in the next turn, for another process may have sequenced meanwhile."""
        self._log = None

    async def _opened(self) -> _Log:
        origin = await self.database.write(self._ensured)
        log = await self._restored(origin)
        await checkpoint_agreement.compare_witnesses(self.database, origin, self.witnesses)
        return log

    def _ensured(self, session: Session) -> str:
        """The name of the log, once its key was opened: in the same transaction, which sees a rotation beside it."""
        row = origins.ensured(session, self.keyring, self.host, self.now())
        return checkpoints.open_key(row, self.keyring).name

    async def mirror(self) -> int:
        """Write the files of all that is signed, from the database alone; returns the size of the log.

        Raises:
            Disagreement: The folder holds another log.
            Invalid: There is no log yet.
        """
        row = await self.database.read(checkpoints.current_key, Purpose.CHECKPOINT)
        if row is None:
            raise Invalid("There is no log yet: it begins with the first start of the arena.")
        try:
            return (await self._restored(row.name)).growth.edge.size
        except Unsound as error:
            raise Disagreement(str(error)) from error

    async def _restored(self, origin: str) -> _Log:
        """The log so far, once the files are those of the database."""
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
        """Publish a checkpoint, and how others are led to its key if that is a new one."""
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
        """The right edge from the files, which are written anew from the database where they are missing."""
        try:
            result = Growth(Edge.read(self.files.read, newest.size))
            tile = Tile(ENTRIES, newest.size // WIDTH, newest.size % WIDTH)
            result.entries = decode_bundle(self.files.read(tile), tile) if tile.width else []
            hashed = list(map(leaf_hash, result.entries)) == result.edge.levels[0]
            rotations.proofs(session, self.files, newest.origin)
        except Unsound:
            return self._rebuilt(session, newest, first)
        return result if hashed and result.edge.root() == newest.root else self._rebuilt(session, newest, first)

    def _rebuilt(self, session: Session, newest: CheckpointRow, first: bytes) -> Growth:
        result = Growth()
        leaves = chain([first], (data for _, data in log_leaves.stream(session, 0, newest.last_leaf)))
        for size in checkpoints.sizes(session, newest.origin):
            self._write(result, list(islice(leaves, size - result.edge.size)))
            self.progress(size, newest.size)
        if result.edge.root() != newest.root:
            raise Unsound("The database no longer has the leaves that were signed.")
        return result

    def _waiting(self, session: Session, log: _Log) -> list[tuple[int, bytes]]:
        """The leaves that are to be signed now.

        Raises:
            Superseded: Another log has begun; then no file of this one may be written.
            UnloggedVotes: There are votes without a leaf.
        """
        _check_current(session, log.origin)
        if unlogged := log_leaves.pending_unlogged(session):
            raise UnloggedVotes(unlogged)
        result = log_leaves.after(session, log.last_leaf, last=log_leaves.last(session), limit=ROUND)
        if not log.growth.edge.size:
            return [(0, log.first), *result]
        # A clock that was set back keeps no leaf waiting.
        waits = log.signed_at is not None and timedelta(0) <= self.now() - log.signed_at < self.every
        return [] if waits and len(result) < MANY else result

    def _signer(self, session: Session, origin: str, last_leaf: int) -> Signer:
        return checkpoints.open_key(rotations.in_force(session, origin, last_leaf), self.keyring)

    def _signed(self, log: _Log, waiting: Sequence[tuple[int, bytes]], signer: Signer) -> tuple[str, Checkpoint]:
        self._write(log.growth, [data for _, data in waiting])
        checkpoint = Checkpoint(log.origin, log.growth.edge.size, log.growth.edge.root())
        return checkpoint.signed(signer), checkpoint

    def _write(self, growth: Growth, more: Sequence[bytes]) -> None:
        for tile, data in growth.extend(more):
            self.files.write(tile, data)

    def _sign(
        self, session: Session, checkpoint: Checkpoint, note: str, before: int, last_leaf: int, moment: datetime
    ) -> None:
        self.guard(session)
        _check_current(session, checkpoint.origin)
        newest = checkpoints.newest(session, checkpoint.origin)
        if (newest.size if newest else 0) != before:
            # Another process has signed: nothing may be signed from what is known here.
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
