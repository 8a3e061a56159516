"""Operators with keys of their own: issue and withdrawal of keys, and the operator of a key."""

from __future__ import annotations

from hmac import compare_digest
from typing import TYPE_CHECKING

from arena.adapters.store import operators as stored
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.engine.transactions import write_transaction
from arena.domain.api_keys import KeyDigest
from arena.domain.errors import BadApiKey, NameTaken, NotFound
from arena.domain.operators import BY_KEY, NAME_LIMIT, SHARED_KEY, Operator, OperatorRole
from arena.domain.text import name_line
from arena.usecases.people.owners import new_key

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database


@write_transaction
def add(session: Session, name: str, role: OperatorRole, now: datetime) -> str:
    """Issue a key to a person and return it; only a digest is stored.

    Raises:
        Invalid: The name does not fit.
        NameTaken: An operator has or had this name, or it is the one of the shared key; names in old acts are unique.
    """
    name_line("name", name, NAME_LIMIT)
    one_at_a_time(session, "name an operator")
    if name.casefold() in {SHARED_KEY.casefold(), *(row.name.casefold() for row in stored.list_all(session))}:
        raise NameTaken(rule="operator", name=name)
    key = new_key()
    stored.add(session, name, role.value, KeyDigest.of(key), now)
    return key


@write_transaction
def withdraw(session: Session, name: str, now: datetime) -> None:
    """Withdraw the key of an operator.

    Raises:
        NotFound: Nobody of this name has one.
    """
    if not stored.withdraw(session, name, now):
        raise NotFound(f"No operator named {name!r} has a key.")


async def of_key(database: Database, key: str) -> Operator:
    """The operator of a key.

    Raises:
        BadApiKey: The key is malformed, unknown or withdrawn.
    """
    try:
        digest = KeyDigest.of(key)
    except BadApiKey:
        raise BadApiKey(rule="operator") from None
    row = await database.read(stored.by_key_id, digest.id)
    if row is None or not compare_digest(digest.digest, row.key_digest or ""):
        raise BadApiKey(rule="operator")
    return Operator(row.name, BY_KEY, OperatorRole(row.role))
