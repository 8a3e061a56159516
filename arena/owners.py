"""Acts of owners on themselves: sign up, be known by a key, change the key, give it up."""

from __future__ import annotations

from dataclasses import dataclass
from hmac import compare_digest
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import IntegrityError

from arena.api_keys import Print, new_key
from arena.errors import BadApiKey, InvitationRequired, NotFound, OwnerTaken
from arena.identity import seen_as
from arena.store import flags, owners
from arena.store.locks import one_at_a_time
from arena.store.tables import OwnerRow
from arena.terms import Part
from arena.text import one_line, well_formed
from arena.wire import ApiKey, SignedUp

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.store.engine import Database

NAME_LIMIT: Final = 80
CONTACT_LIMIT: Final = 200
_NOBODY: Final = Print.of(new_key()).digest
"""What an unknown id is compared with, so that it takes as long as a known one."""
_UNKNOWN: Final = "The key is unknown or was revoked."


@dataclass(frozen=True, slots=True)
class Owner:
    """Who has shown a key; `digest` is that key's."""

    id: int
    name: str
    digest: str


async def sign_up(
    database: Database, name: str, contact: str, now: datetime, *, invitation: str | None = None, code: str = ""
) -> SignedUp:
    """Make an owner with a key; `code` is the operator's invitation code, empty if nobody needs one.

    Raises:
        InvitationRequired: The invitation is missing or another.
        Invalid: Name or contact do not fit.
        OwnerTaken: Somebody has this name, or one that looks like it.
    """
    if code and not compare_digest(well_formed(invitation or "").encode(), code.encode()):
        raise InvitationRequired
    one_line("name", name, NAME_LIMIT)
    one_line("contact", contact, CONTACT_LIMIT)
    key = new_key()
    try:
        number = await database.write(_sign_up, name, contact, Print.of(key), now)
    except IntegrityError:
        raise OwnerTaken from None
    return SignedUp(id=number, name=name, key=key)


async def owner_of(database: Database, key: str) -> Owner:
    """Whose key this is.

    Raises:
        BadApiKey: Nobody's.
    """
    shown = Print.of(key)
    row = await database.read(owners.by_key_id, shown.id)
    known = compare_digest(shown.digest, (row.key_digest if row else None) or _NOBODY)
    if row is None or not known:
        raise BadApiKey(_UNKNOWN)
    return Owner(row.id, row.name, shown.digest)


async def rotate(database: Database, owner: Owner, now: datetime) -> ApiKey:
    """Give an owner another key; the one that was shown is dead at once. Of two that try with one key, one wins.

    Raises:
        BadApiKey: The key that was shown is dead already.
    """
    key = new_key()
    if not await database.write(owners.set_key, owner.id, Print.of(key).pair, now, old=owner.digest):
        raise BadApiKey(_UNKNOWN)
    return ApiKey(key=key)


async def revoke(database: Database, owner: Owner) -> None:
    """Leave an owner without a key; only the operator gives another.

    Raises:
        BadApiKey: The key that was shown is dead already.
    """
    if not await database.write(owners.drop_key, owner.id, old=owner.digest):
        raise BadApiKey(_UNKNOWN)


async def give_key(database: Database, name: str, now: datetime) -> str:
    """As the operator: a new key for an owner who has lost theirs or never had one; an earlier one is dead at once.

    Raises:
        NotFound: Nobody has this name.
    """
    key = new_key()
    await database.write(_give_key, name, Print.of(key), now)
    return key


async def take_key(database: Database, name: str) -> None:
    """As the operator: leave an owner without a key.

    Raises:
        NotFound: Nobody has this name.
    """
    await database.write(_take_key, name)


def _sign_up(session: Session, name: str, contact: str, key: Print, now: datetime) -> int:
    one_at_a_time(session, "name an owner")
    if seen_as(name) in {seen_as(taken) for taken in owners.names(session)}:
        raise OwnerTaken
    flags.check_open(session, Part.REGISTRATION)
    row = OwnerRow(name=name, contact=contact, key_id=key.id, key_digest=key.digest, key_made_at=now, created_at=now)
    session.add(row)
    session.flush()
    return row.id


def _give_key(session: Session, name: str, key: Print, now: datetime) -> None:
    owners.set_key(session, _named(session, name).id, key.pair, now)


def _take_key(session: Session, name: str) -> None:
    owners.drop_key(session, _named(session, name).id)


def _named(session: Session, name: str) -> OwnerRow:
    row = owners.by_name(session, name)
    if row is None:
        raise NotFound(f"No owner is named {name!r}.")
    return row
