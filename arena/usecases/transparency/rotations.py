"""Rotations of the log's key: a leaf, signed by the old key, announces the new one, which is in force from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import checkpoints, log_leaves
from arena.adapters.store.checkpoints import Purpose
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.domain.errors import Invalid
from arena_trust.tlog.checkpoints import Proof
from arena_trust.tlog.keys import VerifierKey
from arena_trust.tlog.leaves import LeafKind, parse_leaf
from arena_trust.tlog.proofs import inclusion_proof
from arena_trust.tlog.rotations import PURPOSE, announcement
from arena_trust.tlog.tiles import subtrees

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.log_files import LogFiles
    from arena.adapters.store.keyring import Keyring
    from arena.adapters.store.tables.checkpoints import LogKeyRow


def rotate(session: Session, keyring: Keyring, now: datetime) -> VerifierKey:
    """Make a new key, which signs the log as soon as the leaf that announces it is in the log.

    Raises:
        Invalid: There is no log yet, or its newest key has not signed it yet.
        KeysNotAccepted, KeyLost: A key cannot be sealed or opened.
    """
    one_at_a_time(session, "log keys")
    row = checkpoints.current_key(session, Purpose.CHECKPOINT)
    newest = checkpoints.newest(session, row.name) if row else None
    if row is None or newest is None:
        raise Invalid("There is no log yet: it begins with the first start of the arena.")
    if newest.last_leaf < max((number for number, _ in _announcements(session, row.name)), default=0):
        # Each key has to sign a checkpoint, by which readers get from it to the next key.
        raise Invalid("The log was not signed with its newest key yet; please try again in a minute.")
    old = checkpoints.open_key(row, keyring)
    new = checkpoints.make_key(session, keyring, Purpose.CHECKPOINT, row.name, now).key
    log_leaves.add(session, LeafKind.KEY, **announcement(old, new), day=now.date().isoformat())
    return new


def in_force(session: Session, origin: str, last_leaf: int) -> LogKeyRow:
    """The sealed key that signs a log whose last leaf has this number."""
    rows = checkpoints.keys_of(session, Purpose.CHECKPOINT, origin)
    leaves = [leaf for number, leaf in _announcements(session, origin) if number <= last_leaf]
    if not leaves:
        return rows[0]
    key = VerifierKey.parse(parse_leaf(leaves[-1])["key"])
    return next(row for row in rows if checkpoints.public_key(row) == key)


def proofs(session: Session, files: LogFiles, origin: str) -> list[str]:
    """For each key after the first, the proof of its leaf in the first checkpoint that it signed.

    Raises:
        Unsound: A file of the log is missing.
    """
    results: list[str] = []
    for number, leaf in _announcements(session, origin):
        row = checkpoints.with_leaf(session, origin, number)
        if row is None:
            break
        index = checkpoints.index_of(session, origin, number)
        path = inclusion_proof(subtrees(files.read, row.size), index, row.size)
        results.append(str(Proof(index, path, row.note, leaf)))
    return results


def _announcements(session: Session, origin: str) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of the leaves that announce a key of this log."""
    for number, leaf in log_leaves.of_kind(session, LeafKind.KEY):
        fields = parse_leaf(leaf)
        if fields["purpose"] == PURPOSE and VerifierKey.parse(fields["key"]).name == origin:
            yield number, leaf
