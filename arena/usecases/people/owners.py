"""Owners' accounts: sign-up, authentication by key, rotation and revocation of keys."""

from __future__ import annotations

from dataclasses import dataclass
from hmac import compare_digest
from secrets import randbits
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import owners, site
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.engine.transactions import write_transaction
from arena.adapters.store.tables.endpoints import OwnerRow
from arena.domain.api_keys import KEY_BITS, KeyDigest, spell_key
from arena.domain.blinding.identity import lookalike
from arena.domain.errors import BadApiKey, InvitationRefused, InvitationRequired, NotFound, OwnerTaken
from arena.domain.schemas.owners import ApiKeyView, SignedUpView
from arena.domain.terms import Part
from arena.domain.text import name_line, one_line, well_formed

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

NAME_LIMIT: Final = 80
CONTACT_LIMIT: Final = 200
_NOBODY: Final = "0" * 64
"""Digest that no key has; unknown ids are compared with it, so that the time reveals nothing."""


@dataclass(frozen=True, slots=True)
class Owner:
    """An authenticated owner; `digest` is that of the key."""

    id: int
    name: str
    digest: str


async def sign_up(
    database: Database,
    name: str,
    contact: str,
    now: datetime,
    *,
    invitation: str | None = None,
    code: str = "",
    person: str | None = None,
) -> SignedUpView:
    """Make an owner with a key; `code` is the operator's invitation code, empty if none is needed.

    `person` is the digest of a person who has signed in, and who may from now on act as this owner.

    Raises:
        InvitationRequired: The invitation is not the code.
        Invalid: Name or contact do not fit.
        OwnerTaken: Somebody has this name, or one that looks like it.
    """
    if code and not compare_digest(well_formed(invitation or "").encode(), code.encode()):
        raise InvitationRequired
    name_line("name", name, NAME_LIMIT)
    one_line("contact", contact, CONTACT_LIMIT)
    key = new_key()
    try:
        number = await database.write(_sign_up, name, contact, KeyDigest.of(key), now, person)
    except IntegrityError:
        raise OwnerTaken from None
    return SignedUpView(id=number, name=name, key=key)


def new_key() -> str:
    """A new random key."""
    return spell_key(randbits(KEY_BITS))


async def owner_of(database: Database, key: str) -> Owner:
    """The owner of a key.

    Raises:
        BadApiKey: The key is unknown.
    """
    digest = KeyDigest.of(key)
    row = await database.read(owners.by_key_id, digest.id)
    matches = compare_digest(digest.digest, (row.key_digest if row else None) or _NOBODY)
    if row is None or not matches:
        raise BadApiKey(rule="unknown")
    return Owner(row.id, row.name, digest.digest)


async def of_person(database: Database, person: str) -> Owner:
    """The owner as whom a person who has signed in acts.

    Raises:
        BadApiKey: The person has joined no owner.
    """
    row = await database.read(owners.by_person, person)
    if row is None:
        raise BadApiKey(rule="no_owner")
    return Owner(row.id, row.name, row.key_digest or "")


@write_transaction
def join(session: Session, person: str, key: str, now: datetime) -> None:
    """Let a person who has signed in act as the owner of a key, such as their own or a colleague's.

    Raises:
        BadApiKey: The key is unknown.
    """
    digest = KeyDigest.of(key)
    row = owners.by_key_id(session, digest.id)
    if row is None or not compare_digest(digest.digest, row.key_digest or _NOBODY):
        raise BadApiKey(rule="unknown")
    owners.join(session, person, row.id, now)


@write_transaction
def join_colleague(session: Session, person: str, owner_id: int, people: int, now: datetime) -> None:
    """Let a person act as an owner by a colleague's code, from a time when `people` persons acted as the owner.

    Raises:
        InvitationRefused: That number has changed since, as a code is for one person.
    """
    one_at_a_time(session, f"join owner {owner_id}")
    if owners.people(session, owner_id) != people:
        raise InvitationRefused(rule="full")
    owners.join(session, person, owner_id, now)


@write_transaction
def part(session: Session, person: str) -> None:
    """Stop a person from acting as an owner; the owner and their models stay."""
    owners.part(session, person)


async def rotate(database: Database, owner: Owner, now: datetime) -> ApiKeyView:
    """Replace an owner's key at once; of two concurrent attempts with one key, one succeeds.

    Raises:
        BadApiKey: The key is no longer valid.
    """
    key = new_key()
    if not await database.write(owners.set_key, owner.id, KeyDigest.of(key).pair, now, old=owner.digest):
        raise BadApiKey(rule="unknown")
    return ApiKeyView(key=key)


async def revoke(database: Database, owner: Owner) -> None:
    """Revoke an owner's key; only the operator can issue another.

    Raises:
        BadApiKey: The key is no longer valid.
    """
    if not await database.write(owners.drop_key, owner.id, old=owner.digest):
        raise BadApiKey(rule="unknown")


@write_transaction
def give_key(session: Session, name: str, now: datetime) -> str:
    """Issue a new key as the operator; the earlier one is invalid at once.

    Raises:
        NotFound: No owner has this name.
    """
    key = new_key()
    owners.set_key(session, _by_name(session, name).id, KeyDigest.of(key).pair, now)
    return key


@write_transaction
def take_key(session: Session, name: str) -> None:
    """Revoke an owner's key as the operator.

    Raises:
        NotFound: No owner has this name.
    """
    owners.drop_key(session, _by_name(session, name).id)


def _sign_up(session: Session, name: str, contact: str, key: KeyDigest, now: datetime, person: str | None) -> int:
    one_at_a_time(session, "name an owner")
    if lookalike(name, owners.names(session)):
        raise OwnerTaken
    site.check_open(session, Part.REGISTRATION)
    row = OwnerRow(name=name, contact=contact, key_id=key.id, key_digest=key.digest, key_made_at=now, created_at=now)
    session.add(row)
    session.flush()
    if person:
        owners.join(session, person, row.id, now)
    return row.id


def _by_name(session: Session, name: str) -> OwnerRow:
    row = owners.by_name(session, name)
    if row is None:
        raise NotFound(f"No owner is named {name!r}.")
    return row
