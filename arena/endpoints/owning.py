"""Acts of owners on their endpoints. A foreign one and an unknown one are told apart by nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import IntegrityError

from arena.endpoints.addressing import address, check_public
from arena.endpoints.checking import check, check_key
from arena.endpoints.describing import describe
from arena.endpoints.listing import claim_unlisted
from arena.endpoints.states import HEALTH, Step, move
from arena.endpoints.views import view
from arena.errors import Invalid, NameTaken, WrongState
from arena.identity import seen_as
from arena.providers.egress import origin
from arena.store import endpoints, flags, secrets
from arena.store.locks import one_at_a_time
from arena.store.tables import EndpointRow
from arena.terms import EndpointState, Part

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.endpoints.addressing import Address
    from arena.endpoints.rules import OwnerRules
    from arena.store.engine import Database
    from arena.store.keyring import Keyring
    from arena.wire import EndpointView, RegisterRequest

NAME_LIMIT: Final = 72
"""So that versions have room for their number."""
_VERSIONED: Final = re.compile(r".* v\d+", re.IGNORECASE)
_BEFORE: Final = {
    EndpointState.PAUSED: {EndpointState.ACTIVE},
    EndpointState.ACTIVE: {EndpointState.PAUSED},
    EndpointState.RETIRED: set(EndpointState) - {EndpointState.IMPORTED},
}
"""From where an owner may bring an endpoint to each state."""
_UNPROBED: Final = {EndpointState.DRAFT, EndpointState.PENDING, EndpointState.SUSPENDED}
_WHY: Final = {
    EndpointState.RETIRED: "A retired endpoint does not come back; please register a new one.",
    EndpointState.SUSPENDED: "A suspended endpoint comes back by a passed probe or by the operator.",
}


@dataclass(frozen=True, slots=True)
class By:
    """Which owner acts, under which rules, and when."""

    owner: int
    rules: OwnerRules
    keyring: Keyring
    now: datetime

    def step(self, reason: str) -> Step:
        """A step of this owner's."""
        return Step(f"owner:{self.owner}", reason, self.now)


async def register(database: Database, by: By, request: RegisterRequest) -> EndpointView:
    """Keep a new endpoint, and have it probed.

    Raises:
        Invalid: A field does not fit.
        NameTaken: Another endpoint has this name, or one that looks like it.
        UnlistedLimit: One unlisted variant too many.
        KeysNotAccepted: The operator keeps no keys.
    """
    check(request.model_dump(exclude={"key"}))
    _check_name(request.name)
    where = address(request.preset, request.dialect, request.url, request.wire_model)
    check_public(where.url, by.rules.policy)
    key = check_key(request.key.get_secret_value()) if request.key else None
    try:
        return await database.write(_register, by, request, where, key)
    except IntegrityError:
        raise NameTaken from None


async def probe(database: Database, by: By, endpoint_id: int) -> EndpointView:
    """Have an endpoint probed that does not take part; one whose probe is under way is left to it.

    Raises:
        EndpointNotFound: It is not this owner's.
        WrongState: It takes part, is retired, or was suspended by the operator.
    """
    return await database.write(_probe, by, endpoint_id)


async def steer(database: Database, by: By, endpoint_id: int, after: EndpointState) -> EndpointView:
    """Pause, resume or retire; what is so already stays so. A retired one is not called, so its key is deleted.

    Raises:
        EndpointNotFound: It is not this owner's.
        WrongState: An owner cannot bring it from where it is to there.
    """
    return await database.write(_steer, by, endpoint_id, after)


async def set_key(database: Database, by: By, endpoint_id: int, key: str) -> None:
    """Store the key by which the endpoint knows the arena, in the place of an earlier one.

    Raises:
        EndpointNotFound: It is not this owner's.
        Invalid: No header can carry it.
        KeysNotAccepted: The operator keeps no keys.
        WrongState: The endpoint is retired.
    """
    await database.write(_set_key, by, endpoint_id, check_key(key))


async def drop_key(database: Database, by: By, endpoint_id: int) -> None:
    """Forget the key.

    Raises:
        EndpointNotFound: It is not this owner's.
    """
    await database.write(_drop_key, by, endpoint_id)


def check_not_barred(session: Session, row: EndpointRow) -> None:
    """Go on unless the operator has suspended it.

    Raises:
        WrongState: The operator has.
    """
    if row.state is EndpointState.SUSPENDED and endpoints.suspended_by(session, row.id) != HEALTH:
        raise WrongState("The operator has suspended it and brings it back.")


def new_challenge() -> str:
    """The text that whoever owns a host puts there."""
    return token_urlsafe(24)


def _check_name(name: str) -> None:
    if len(name) > NAME_LIMIT:
        raise Invalid(f"name: {NAME_LIMIT} characters at most")
    if _VERSIONED.fullmatch(name):
        raise Invalid("name: the arena adds the version by itself; please leave it out")


def _register(session: Session, by: By, request: RegisterRequest, where: Address, key: str | None) -> EndpointView:
    flags.check_open(session, Part.REGISTRATION)
    one_at_a_time(session, "name an endpoint")
    if seen_as(request.name) in {seen_as(name) for name in endpoints.names(session)}:
        raise NameTaken
    if not request.listed:
        claim_unlisted(session, by.owner, by.now)
    row = EndpointRow(
        name=request.name,
        family=request.name,
        owner_id=by.owner,
        preset=where.preset,
        dialect=where.dialect,
        url=where.url,
        wire_model=where.wire_model,
        weight=1.0,
        version=1,
        challenge=new_challenge(),
        created_at=by.now,
    )
    describe(row, request.model_dump(exclude={"key"}))
    row.aliases = list(dict.fromkeys([*request.aliases, *(where.row.aliases if where.row else ())]))
    session.add(row)
    move(session, row, EndpointState.DRAFT, by.step("registered"))
    if key:
        secrets.put(session, by.keyring, row.id, origin(row.url), key, by.now)
    move(session, row, EndpointState.PROBING, by.step("to be probed"))
    return view(session, row)


def _probe(session: Session, by: By, endpoint_id: int) -> EndpointView:
    row = endpoints.held(session, endpoint_id, by.owner)
    check_not_barred(session, row)
    if row.state not in _UNPROBED | {EndpointState.PROBING}:
        raise WrongState(f"It is {row.state}; a probe is for an endpoint that does not take part yet.")
    if row.state in _UNPROBED:
        move(session, row, EndpointState.PROBING, by.step("to be probed"))
    return view(session, row)


def _steer(session: Session, by: By, endpoint_id: int, after: EndpointState) -> EndpointView:
    row = endpoints.held(session, endpoint_id, by.owner)
    if row.state is not after:
        if row.state not in _BEFORE[after]:
            raise WrongState(_WHY.get(row.state, f"It is {row.state}, and cannot become {after}."))
        move(session, row, after, by.step("by its owner"))
        if after is EndpointState.RETIRED:
            secrets.drop(session, row.id)
    return view(session, row)


def _set_key(session: Session, by: By, endpoint_id: int, key: str) -> None:
    row = endpoints.held(session, endpoint_id, by.owner)
    if row.state is EndpointState.RETIRED:
        raise WrongState("A retired endpoint is not called any more, so it takes no key.")
    if row.demo:
        raise WrongState("A built-in model takes no key.")
    row.key_env = None
    secrets.put(session, by.keyring, row.id, origin(row.url), key, by.now)


def _drop_key(session: Session, by: By, endpoint_id: int) -> None:
    row = endpoints.held(session, endpoint_id, by.owner)
    row.key_env = None
    secrets.drop(session, row.id)
