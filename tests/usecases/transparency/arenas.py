"""A sequencer for a database and the files of its log, and readers of both."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from arena.adapters.log_files import LogFiles
from arena.adapters.store import checkpoints
from arena.adapters.store.checkpoints import Purpose
from arena.adapters.store.keyring import Keyring
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.transparency import LeafRow
from arena.usecases.transparency.sequencer import Sequencer
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.hashing import leaf_hash
from arena_trust.tlog.leaves import LeafKind
from arena_trust.tlog.proofs import tree_root
from arena_trust.tlog.tiles import ENTRIES, WIDTH, Tile, decode_bundle, subtrees

START = datetime(2026, 3, 1, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.moment = START

    def __call__(self) -> datetime:
        self.moment += timedelta(seconds=11)
        return self.moment


CLOCK = Clock()


def sequencer(database, folder: Path, now: Callable[[], datetime] | None = None) -> Sequencer:
    return Sequencer(
        database,
        LogFiles(folder / "log"),
        Keyring(file=folder / "master.keys"),
        host="arena.example",
        interval=timedelta(seconds=10),
        now=now or CLOCK,
        guard=unguarded,
    )


async def read_signed_log(sequencer: Sequencer) -> tuple[Checkpoint, list[bytes]]:
    """The published checkpoint and all entries, each file checked against the root."""
    row = await sequencer.database.read(lambda session: checkpoints.current_key(session, Purpose.CHECKPOINT))
    note = sequencer.files.checkpoint()
    assert row
    assert note
    checkpoint = Checkpoint.opened(note, [checkpoints.public_key(row)], row.name)
    read = subtrees(sequencer.files.read, checkpoint.size)
    assert tree_root(read, checkpoint.size) == checkpoint.root
    entries: list[bytes] = []
    for number in range(-(-checkpoint.size // WIDTH)):
        tile = Tile(ENTRIES, number, min(WIDTH, checkpoint.size - number * WIDTH))
        entries += decode_bundle(sequencer.files.read(tile), tile)
    assert all(read(0, index) == leaf_hash(entry) for index, entry in enumerate(entries))
    return checkpoint, entries


def leaves(session) -> list[bytes]:
    return list(session.scalars(select(LeafRow.data).where(LeafRow.kind != LeafKind.ORIGIN).order_by(LeafRow.number)))
