"""Queries about signed checkpoints of the transparency log, and about its signing keys, encrypted with a master key."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from sqlalchemy import func, select
from sqlalchemy.orm import object_session

from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.keyring import MASTER_KEYS, seal, unseal
from arena.adapters.store.tables.checkpoints import CheckpointRow, LogKeyRow
from arena.domain.errors import KeyLost
from arena_trust.tlog.keys import COSIGNATURE, ED25519, Signer, VerifierKey

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.keyring import Keyring


def newest(session: Session, origin: str) -> CheckpointRow | None:
    """The largest checkpoint of a log."""
    query = select(CheckpointRow).where(CheckpointRow.origin == origin)
    return session.scalar(query.order_by(CheckpointRow.size.desc()).limit(1))


def of_size(session: Session, origin: str, size: int) -> CheckpointRow | None:
    """The checkpoint of a log at one size."""
    return session.scalar(select(CheckpointRow).where(CheckpointRow.origin == origin, CheckpointRow.size == size))


def with_leaf(session: Session, origin: str, leaf: int) -> CheckpointRow | None:
    """The smallest checkpoint that includes the leaf of this number."""
    query = select(CheckpointRow).where(CheckpointRow.origin == origin, CheckpointRow.last_leaf >= leaf)
    return session.scalar(query.order_by(CheckpointRow.size).limit(1))


def index_of(session: Session, origin: str, leaf: int) -> int:
    """The index in the log of the leaf of this number, counted from the largest checkpoint without it."""
    from arena.adapters.store import log_leaves

    before = below_leaf(session, origin, leaf)
    # Index 0 has the leaf that names the log, which `log_leaves.between` does not count.
    start, size = (before.last_leaf, before.size - 1) if before else (0, 0)
    return size + log_leaves.between(session, start, leaf)


def sizes(session: Session, origin: str) -> Sequence[int]:
    """All sizes at which a log was signed, in order."""
    query = select(CheckpointRow.size).where(CheckpointRow.origin == origin)
    return session.scalars(query.order_by(CheckpointRow.size)).all()


def below_leaf(session: Session, origin: str, leaf: int) -> CheckpointRow | None:
    """The largest checkpoint that does not include the leaf of this number."""
    query = select(CheckpointRow).where(CheckpointRow.origin == origin, CheckpointRow.last_leaf < leaf)
    return session.scalar(query.order_by(CheckpointRow.size.desc()).limit(1))


class Purpose(StrEnum):
    """Use of a key: checkpoints of the log, promises to voters, and cosignatures of other logs' checkpoints."""

    CHECKPOINT = "checkpoint"
    PROMISE = "promise"
    WITNESS = "witness"

    @property
    def kind(self) -> int:
        """Type of its signatures."""
        return COSIGNATURE if self is Purpose.WITNESS else ED25519


def current_key(session: Session, purpose: Purpose) -> LogKeyRow | None:
    """The newest key for a purpose, encrypted."""
    query = select(LogKeyRow).where(LogKeyRow.purpose == purpose)
    return session.scalar(query.order_by(LogKeyRow.number.desc()).limit(1))


def keys_of(session: Session, purpose: Purpose, name: str) -> Sequence[LogKeyRow]:
    """All keys of a name, oldest first."""
    query = select(LogKeyRow).where(LogKeyRow.purpose == purpose, LogKeyRow.name == name)
    return session.scalars(query.order_by(LogKeyRow.number)).all()


def make_key(session: Session, keyring: Keyring, purpose: Purpose, name: str, now: datetime) -> Signer:
    """A new key, stored encrypted; it becomes the current one.

    Raises:
        KeysNotAccepted: There is no master key.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.generate()
    signer = Signer(name, private, purpose.kind)
    row = LogKeyRow(purpose=purpose, name=name, public=signer.key.public, created_at=now)
    one_at_a_time(session, MASTER_KEYS)
    row.master, master = keyring.sealing()
    row.sealed = seal(master, private.private_bytes_raw(), _bound(row))
    session.add(row)
    session.flush()
    return signer


def open_key(row: LogKeyRow, keyring: Keyring) -> Signer:
    """The decrypted key.

    Raises:
        KeyLost: Its master key is missing, or the row was altered.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    while (master := keyring.ciphers().get(row.master)) is None:
        # A rotation has ended since the row was read; or, if a new read has the same name, the master key is lost.
        missing = row.master
        if session := object_session(row):
            session.refresh(row)
        if row.master == missing:
            raise KeyLost(f"the log's key was sealed with the master key {row.master}, which is not here")
    raw = unseal(master, row.sealed, _bound(row), "the log's key")
    return Signer(row.name, Ed25519PrivateKey.from_private_bytes(raw), Purpose(row.purpose).kind)


def public_key(row: LogKeyRow) -> VerifierKey:
    """The public half of a key."""
    return VerifierKey(row.name, row.public, Purpose(row.purpose).kind)


def rewrap_keys(session: Session, keyring: Keyring) -> int:
    """Encrypt all keys with the newest master key; returns the number that had another.

    Raises:
        KeyLost: A master key is missing; then nothing changes.
    """
    one_at_a_time(session, MASTER_KEYS)
    name, master = keyring.sealing()
    rows = session.scalars(select(LogKeyRow).where(LogKeyRow.master != name)).all()
    for row in rows:
        row.sealed = seal(master, open_key(row, keyring).private.private_bytes_raw(), _bound(row))
        row.master = name
    session.flush()
    return len(rows)


def count_keys(session: Session) -> dict[str, int]:
    """Number of keys by master key."""
    counts = select(LogKeyRow.master, func.count()).group_by(LogKeyRow.master)
    return dict(session.execute(counts).all())


def _bound(row: LogKeyRow) -> bytes:
    return f"arena log key\n{row.purpose}\n{row.name}".encode()
