"""Endpoints' keys at rest: each under a data key of its own, which a master key wraps (AES-256-GCM, both).

Both layers are bound to the endpoint and to the scheme, host and port that may receive the key, so a row that was
moved or edited opens nothing.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final, Literal

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import func, select

from arena.errors import KeyLost
from arena.store.keyring import Keyring
from arena.store.tables import CredentialRow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

__all__ = ["Keyring", "drop", "lost", "put", "rewrap", "take", "wrapped"]

_NONCE: Final = 12
_DATA_KEY_BITS: Final = 256


def put(session: Session, keyring: Keyring, endpoint_id: int, origin: str, key: str, now: datetime) -> None:
    """Seal an endpoint's key for one origin, in the place of an earlier one.

    Raises:
        KeysNotAccepted: There is no master key.
    """
    name, master = keyring.sealing()
    data_key = AESGCM.generate_key(_DATA_KEY_BITS)
    row = session.get(CredentialRow, endpoint_id) or CredentialRow(endpoint_id=endpoint_id)
    row.origin, row.master, row.created_at = origin, name, now
    row.wrapped = _seal(master, data_key, _bound(row, "data key"))
    row.sealed = _seal(AESGCM(data_key), key.encode(), _bound(row, "key"))
    session.add(row)
    session.flush()


def drop(session: Session, endpoint_id: int) -> None:
    """Forget an endpoint's key."""
    if row := session.get(CredentialRow, endpoint_id):
        session.delete(row)
        session.flush()


def take(session: Session, keyring: Keyring, endpoint_id: int, origin: str) -> str | None:
    """An endpoint's key, for this origin and no other; None if it has none.

    Raises:
        KeyLost: It was sealed for another origin, or nobody here can open it.
    """
    masters = keyring.opening()
    row = session.get(CredentialRow, endpoint_id)
    if row is None:
        return None
    # Looked for before and after the row: a rotation may have come to its end between.
    masters |= keyring.opening()
    if row.origin != origin:
        raise KeyLost("the stored key belongs to another host")
    return _open(AESGCM(_data_key(row, masters)), row.sealed, _bound(row, "key")).decode()


def rewrap(session: Session, keyring: Keyring) -> int:
    """Wrap every data key with the newest master key; returns how many were wrapped with another.

    Raises:
        KeyLost: One was wrapped with a master key that is not here; then nothing changes.
    """
    name, master = keyring.sealing()
    masters = keyring.opening()
    rows = session.scalars(select(CredentialRow).where(CredentialRow.master != name)).all()
    for row in rows:
        row.wrapped = _seal(master, _data_key(row, masters), _bound(row, "data key"))
        row.master = name
    session.flush()
    return len(rows)


def lost(session: Session, keyring: Keyring) -> frozenset[int]:
    """The endpoints whose keys were sealed with a master key that is not here."""
    here = set(keyring.names())
    rows = session.execute(select(CredentialRow.endpoint_id, CredentialRow.master)).all()
    here |= set(keyring.names())
    return frozenset(endpoint for endpoint, master in rows if master not in here)


def wrapped(session: Session) -> dict[str, int]:
    """How many keys each master key wraps."""
    counts = select(CredentialRow.master, func.count()).group_by(CredentialRow.master)
    return dict(session.execute(counts.order_by(CredentialRow.master)).all())


def _data_key(row: CredentialRow, masters: Mapping[str, AESGCM]) -> bytes:
    if row.master not in masters:
        raise KeyLost(f"the stored key was sealed with the master key {row.master}, which is not here")
    return _open(masters[row.master], row.wrapped, _bound(row, "data key"))


def _bound(row: CredentialRow, layer: Literal["data key", "key"]) -> bytes:
    return f"arena credential\n{layer}\n{row.endpoint_id}\n{row.origin}".encode()


def _seal(cipher: AESGCM, data: bytes, bound: bytes) -> bytes:
    nonce = secrets.token_bytes(_NONCE)
    return nonce + cipher.encrypt(nonce, data, bound)


def _open(cipher: AESGCM, sealed: bytes, bound: bytes) -> bytes:
    try:
        return cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], bound)
    except (InvalidTag, ValueError):
        raise KeyLost("the stored key has been altered") from None
