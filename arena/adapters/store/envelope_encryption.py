"""Envelope encryption of endpoints' keys: a data key per endpoint, wrapped by a master key (both AES-256-GCM).

Both layers authenticate the endpoint and the origin (scheme, host and port) that may receive the key, so a moved or
edited row cannot be decrypted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from sqlalchemy import bindparam, func, select

from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.keyring import MASTER_KEYS, Keyring, seal, unseal
from arena.adapters.store.tables.endpoints import CredentialRow
from arena.domain.errors import KeyLost

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from sqlalchemy.orm import Session

__all__ = ["Keyring", "drop", "lost", "put", "rewrap", "take", "wrapped"]

_NAME: Final = "the stored key"
_DATA_KEY_BITS: Final = 256
_TABLE: Final = CredentialRow.__table__.c


class _Sealed(NamedTuple):
    """The columns needed to decrypt a key, with the names of `CredentialRow`."""

    endpoint_id: int
    origin: str
    master: str
    wrapped: bytes
    sealed: bytes


_SEALED: Final = select(*(_TABLE[name] for name in _Sealed._fields)).where(_TABLE.endpoint_id == bindparam("id"))


def put(session: Session, keyring: Keyring, endpoint_id: int, origin: str, key: str, now: datetime) -> None:
    """Encrypt and store an endpoint's key for one origin, in place of an earlier one.

    Raises:
        KeysNotAccepted: There is no master key.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    one_at_a_time(session, MASTER_KEYS)
    name, master = keyring.sealing()
    data_key = AESGCM.generate_key(_DATA_KEY_BITS)
    row = session.get(CredentialRow, endpoint_id) or CredentialRow(endpoint_id=endpoint_id)
    row.origin, row.master, row.created_at = origin, name, now
    row.wrapped = seal(master, data_key, _bound(row, "data key"))
    row.sealed = seal(AESGCM(data_key), key.encode(), _bound(row, "key"))
    session.add(row)
    session.flush()


def drop(session: Session, endpoint_id: int) -> None:
    """Delete an endpoint's key."""
    if row := session.get(CredentialRow, endpoint_id):
        session.delete(row)
        session.flush()


def take(session: Session, keyring: Keyring, endpoint_id: int, origin: str) -> str | None:
    """An endpoint's decrypted key, for this origin only; None if it has none.

    Raises:
        KeyLost: It was encrypted for another origin, or cannot be decrypted.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    row = _sealed(session, endpoint_id)
    masters = keyring.ciphers() if row else {}
    while row and row.master not in masters:
        # A rotation has ended since the row was read; or, if a new read has the same name, the master key is lost.
        missing, row = row.master, _sealed(session, endpoint_id)
        if row and row.master == missing:
            break
        masters = keyring.ciphers()
    if row is None:
        return None
    if row.origin != origin:
        raise KeyLost("the stored key belongs to another host")
    return unseal(AESGCM(_data_key(row, masters)), row.sealed, _bound(row, "key"), _NAME).decode()


def rewrap(session: Session, keyring: Keyring) -> int:
    """Wrap every data key with the newest master key; returns the number that had another.

    Raises:
        KeyLost: A master key is missing; then nothing changes.
    """
    one_at_a_time(session, MASTER_KEYS)
    name, master = keyring.sealing()
    masters = keyring.ciphers()
    rows = session.scalars(select(CredentialRow).where(CredentialRow.master != name)).all()
    for row in rows:
        row.wrapped = seal(master, _data_key(row, masters), _bound(row, "data key"))
        row.master = name
    session.flush()
    return len(rows)


def lost(session: Session, keyring: Keyring) -> frozenset[int]:
    """The endpoints whose keys have a missing master key."""
    names = set(keyring.names())
    rows = session.execute(select(CredentialRow.endpoint_id, CredentialRow.master)).all()
    names |= set(keyring.names())
    return frozenset(endpoint for endpoint, master in rows if master not in names)


def wrapped(session: Session) -> dict[str, int]:
    """Number of keys by master key."""
    counts = select(CredentialRow.master, func.count()).group_by(CredentialRow.master)
    return dict(session.execute(counts.order_by(CredentialRow.master)).all())


def _sealed(session: Session, endpoint_id: int) -> _Sealed | None:
    row = session.connection().execute(_SEALED, {"id": endpoint_id}).first()
    return _Sealed(*row) if row else None


def _data_key(row: CredentialRow | _Sealed, masters: Mapping[str, AESGCM]) -> bytes:
    if row.master not in masters:
        raise KeyLost(f"the stored key was sealed with the master key {row.master}, which is not here")
    return unseal(masters[row.master], row.wrapped, _bound(row, "data key"), _NAME)


def _bound(row: CredentialRow | _Sealed, layer: Literal["data key", "key"]) -> bytes:
    return f"arena credential\n{layer}\n{row.endpoint_id}\n{row.origin}".encode()
