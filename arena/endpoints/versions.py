"""Changing an endpoint: what describes it changes in place, what makes it another model makes a new version."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import IntegrityError

from arena.endpoints.addressing import Address, address, check_public
from arena.endpoints.checking import check
from arena.endpoints.describing import FIELDS, describe, described
from arena.endpoints.listing import claim_unlisted, set_listed
from arena.endpoints.owning import check_not_barred, new_challenge
from arena.endpoints.states import move
from arena.endpoints.views import view
from arena.errors import Invalid, NameTaken, WrongState
from arena.providers.egress import origin
from arena.store import endpoints, secrets
from arena.store.tables import EndpointRow
from arena.terms import EndpointState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.orm import Session

    from arena.endpoints.owning import By
    from arena.store.engine import Database
    from arena.wire import ChangeRequest, EndpointView

_NEEDED: Final = frozenset({"wire_model", "dialect", "url", "aliases", "listed"})
"""Fields that cannot be emptied."""


async def change(database: Database, by: By, endpoint_id: int, request: ChangeRequest) -> EndpointView:
    """Change what was sent; returns the endpoint, or its new version.

    Raises:
        EndpointNotFound: It is not this owner's.
        Invalid: Nothing was sent, or a field does not fit.
        WrongState: A retired endpoint has no next version.
        NameTaken: Somebody has the next version's name.
        UnlistedLimit, ResultsStay: It cannot be taken off the board.
        KeyLost: Its key cannot be carried over.
    """
    fields = request.model_dump(exclude_unset=True)
    if not fields:
        raise Invalid("There is nothing to change: send at least one field.")
    if empty := sorted(field for field in _NEEDED & fields.keys() if fields[field] is None):
        raise Invalid(f"{empty[0]}: cannot be empty")
    check(fields)
    try:
        return await database.write(_change, by, endpoint_id, fields)
    except IntegrityError:
        raise NameTaken from None


def _change(session: Session, by: By, endpoint_id: int, fields: dict[str, Any]) -> EndpointView:
    row = endpoints.held(session, endpoint_id, by.owner)
    here = Address(row.preset, row.dialect, row.url, row.wire_model)
    there = _moved(here, fields)
    if replace(there, preset=here.preset) == here:
        row.preset = there.preset
        _describe(session, row, by, fields)
        return view(session, row)
    return view(session, _next(session, row, by, fields, there))


def _moved(here: Address, fields: Mapping[str, Any]) -> Address:
    """Where the endpoint is after the change. A preset brings its own address, an address leaves the preset."""
    wire_model = fields.get("wire_model", here.wire_model)
    if fields.get("preset"):
        return address(fields["preset"], fields.get("dialect"), fields.get("url"), wire_model)
    preset = None if fields.keys() & {"preset", "url"} else here.preset
    there = address(None, fields.get("dialect", here.dialect), fields.get("url", here.url), wire_model)
    return replace(there, preset=preset)


def _describe(session: Session, row: EndpointRow, by: By, fields: Mapping[str, Any]) -> None:
    """Change in place; what was changed stands in a dated row, so that nobody wonders why answers did."""
    said = {field: fields[field] for field in FIELDS if field in fields}
    if "listed" in said:
        listed = said.pop("listed")
        set_listed(session, row, listed, by.step("listed by its owner" if listed else "taken off the board"))
    if said:
        describe(row, said)
        move(session, row, row.state, by.step(f"changed {', '.join(said)}"))


def _next(session: Session, row: EndpointRow, by: By, fields: Mapping[str, Any], there: Address) -> EndpointRow:
    """The next version, to be probed; the old one retires. Key and proof belong to a host and go along only there."""
    if row.state in {EndpointState.RETIRED, EndpointState.IMPORTED}:
        raise WrongState("A retired endpoint has no next version; please register a new one.")
    check_not_barred(session, row)
    if there.url != row.url:
        check_public(there.url, by.rules.policy)
    new = _copy(session, row, by, there)
    describe(new, {**described(row), **fields})
    new.aliases = list(dict.fromkeys([*new.aliases, *(there.row.aliases if there.row else ())]))
    if not new.listed:
        claim_unlisted(session, row.owner_id, by.now)
    session.add(new)
    move(session, new, EndpointState.DRAFT, by.step(f"next version of {row.name}"))
    if origin(there.url) == origin(row.url):
        _carry_over(session, row, new, by)
    move(session, new, EndpointState.PROBING, by.step("to be probed"))
    secrets.drop(session, row.id)
    move(session, row, EndpointState.RETIRED, by.step(f"replaced by {new.name}"))
    return new


def _copy(session: Session, row: EndpointRow, by: By, there: Address) -> EndpointRow:
    family = row.family = row.family or row.name
    number = endpoints.newest_version(session, row.owner_id, family) + 1
    return EndpointRow(
        name=f"{family} v{number}",
        family=family,
        version=number,
        owner_id=row.owner_id,
        preset=there.preset,
        dialect=there.dialect,
        url=there.url,
        private=row.private and there.url == row.url,
        wire_model=there.wire_model,
        weight=row.weight,
        challenge=new_challenge(),
        created_at=by.now,
    )


def _carry_over(session: Session, row: EndpointRow, new: EndpointRow, by: By) -> None:
    new.challenge, new.proven_at, new.key_env = row.challenge, row.proven_at, row.key_env
    if key := secrets.take(session, by.keyring, row.id, origin(row.url)):
        secrets.put(session, by.keyring, new.id, origin(new.url), key, by.now)
