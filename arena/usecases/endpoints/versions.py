"""Changes of an endpoint: descriptive fields change in place; a change of the model makes a new version."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import endpoints, envelope_encryption
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.errors import Invalid, NameTaken, WrongState
from arena.domain.terms import EndpointState, JsonObject
from arena.usecases.endpoints.approval import apply, propose
from arena.usecases.endpoints.definition import (
    CAPS,
    COMPETITOR,
    FIELDS,
    Address,
    address,
    check_past,
    check_public,
    claim_unlisted,
    describe,
    described,
    set_listed,
)
from arena.usecases.endpoints.ownership import new_challenge
from arena.usecases.endpoints.states import Action, check_not_barred, move, record
from arena.usecases.endpoints.views import view
from arena_providers.transport.egress import origin

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.domain.schemas.endpoints import ChangeRequest, EndpointView
    from arena.usecases.endpoints.ownership import By

_REQUIRED: Final = frozenset({"wire_model", "dialect", "url", "aliases", "languages", "vision", "listed"})
"""Fields that cannot be emptied."""
_APPROVED_FIELDS: Final = frozenset(FIELDS) - CAPS - COMPETITOR
"""Fields of an approved endpoint whose changes the operator has to approve."""


async def change(database: Database, by: By, endpoint_id: int, request: ChangeRequest) -> EndpointView:
    """Change the fields of a request; returns the endpoint, or its new version.

    Raises:
        EndpointNotFound: It is not this owner's.
        Invalid: The request has no field, or a required one is empty.
        WrongState: It is retired, suspended by the operator, or not the newest version.
        NameTaken: Another endpoint has the name of the next version.
        UnlistedLimit, ResultsStay: It cannot be taken off the board.
        KeyLost: Its key cannot be opened for the new version.
        AliasUncounts: New aliases would have left too many past votes uncounted.
    """
    fields = request.model_dump(exclude_unset=True)
    if not fields:
        raise Invalid(rule="nothing")
    if empty := sorted(field for field in _REQUIRED & fields.keys() if fields[field] is None):
        raise Invalid(field=empty[0], rule="empty")
    if "aliases" in fields:
        await database.read(_check_past, by, endpoint_id, fields["aliases"])
    try:
        return await database.write(_change, by, endpoint_id, fields)
    except IntegrityError:
        raise NameTaken from None


def _change(session: Session, by: By, endpoint_id: int, fields: JsonObject) -> EndpointView:
    row = endpoints.owned_for_update(session, endpoint_id, by.owner)
    current = Address(row.preset, row.dialect, row.url, row.wire_model)
    target = _target(current, fields)
    approved = endpoints.took_part(session, row.id)
    if replace(target, preset=current.preset) != current or (approved and _is_another(row, fields)):
        return view(session, _next(session, row, by, fields, target, approved=approved))
    row.preset = target.preset
    needs_approval = approved and by.rules.approval == "operator"
    _describe(session, row, by, fields, proposed=_APPROVED_FIELDS if needs_approval else ())
    return view(session, row)


def _check_past(session: Session, by: By, endpoint_id: int, aliases: Sequence[str]) -> None:
    check_past(session, endpoints.owned(session, endpoint_id, by.owner), aliases)


def _is_another(row: EndpointRow, fields: Mapping[str, object]) -> bool:
    """Whether the change makes the endpoint another competitor."""
    current = described(row)
    return any(fields[field] != current[field] for field in COMPETITOR & fields.keys())


def _target(current: Address, fields: JsonObject) -> Address:
    """The address after the change. A preset has its own address; an explicit address removes the preset."""
    wire_model = fields.get("wire_model", current.wire_model)
    if fields.get("preset"):
        return address(fields["preset"], fields.get("dialect"), fields.get("url"), wire_model)
    preset = None if fields.keys() & {"preset", "url"} else current.preset
    target = address(None, fields.get("dialect", current.dialect), fields.get("url", current.url), wire_model)
    return replace(target, preset=preset)


def _describe(session: Session, row: EndpointRow, by: By, fields: JsonObject, *, proposed: Collection[str]) -> None:
    """Propose the changes of `proposed` fields to the operator, and make the others; both leave a dated row."""
    if proposals := {field: fields[field] for field in FIELDS if field in fields and field in proposed}:
        propose(session, row, proposals, by.step("asked", fields=list(proposals)))
    changes = {field: fields[field] for field in FIELDS if field in fields and field not in proposed}
    if "listed" in changes:
        listed = changes.pop("listed")
        set_listed(session, row, listed, by.step("listed" if listed else "unlisted"))
    if changes:
        apply(session, row, changes, by.now)
        record(session, row, by.step("changed", fields=list(changes)), row.state)


def _next(
    session: Session, row: EndpointRow, by: By, fields: Mapping[str, object], target: Address, *, approved: bool
) -> EndpointRow:
    """The next version, queued for its probe; it keeps key and proof of the host if the host is the same.

    An approved version stays active until the next one is approved; any other retires now.
    """
    _check_newest(session, row)
    if target.url != row.url:
        check_public(target.url, by.rules.policy)
    new = _copy(session, row, by, target)
    if approved:
        record(session, row, by.step("succession", name=new.name), row.state)
    else:
        move(session, row, Action.REPLACE, by.step("replaced", name=new.name))
    describe(new, {**described(row), **(row.pending or {}), **fields})
    row.pending = None
    new.aliases = list(dict.fromkeys([*new.aliases, *(target.row.aliases if target.row else ())]))
    if not new.listed:
        claim_unlisted(session, row.owner_id, by.now)
    session.add(new)
    move(session, new, Action.REGISTER, by.step("next_version", name=row.name))
    if origin(target.url) == origin(row.url):
        _carry_over(session, row, new, by)
    move(session, new, Action.PROBE, by.step("to_be_probed"))
    if not approved:
        envelope_encryption.drop(session, row.id)
    return new


def _check_newest(session: Session, row: EndpointRow) -> None:
    """Check that an endpoint may have a next version: it has none, is not retired, nor suspended by the operator."""
    if newer := endpoints.newer_version(session, row):
        raise WrongState(rule="newer", name=row.name, newer=newer.name)
    if row.state is EndpointState.RETIRED:
        raise WrongState(rule="next_version")
    check_not_barred(session, row)


def _copy(session: Session, row: EndpointRow, by: By, target: Address) -> EndpointRow:
    family = row.family = row.family or row.name
    number = endpoints.newest_version(session, row.owner_id, family) + 1
    return EndpointRow(
        name=f"{family} v{number}",
        family=family,
        version=number,
        owner_id=row.owner_id,
        preset=target.preset,
        dialect=target.dialect,
        url=target.url,
        private=row.private and target.url == row.url,
        wire_model=target.wire_model,
        weight=row.weight,
        challenge=new_challenge(),
        created_at=by.now,
    )


def _carry_over(session: Session, row: EndpointRow, new: EndpointRow, by: By) -> None:
    new.challenge, new.proven_at, new.key_env = row.challenge, row.proven_at, row.key_env
    if key := envelope_encryption.take(session, by.keyring, row.id, origin(row.url)):
        envelope_encryption.put(session, by.keyring, new.id, origin(new.url), key, by.now)
