"""Approval of endpoints that have passed their probe, and of later changes that affect the public."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import endpoints, envelope_encryption
from arena.adapters.store.engine.transactions import read_transaction, write_transaction
from arena.domain.errors import ChangedMeanwhile, EndpointNotFound, Invalid, ModelNotFound, NothingPending
from arena.domain.terms import EndpointState, JsonObject
from arena.domain.text import one_line
from arena.usecases.endpoints.definition import check_others, check_past, check_unlisting, describe, described, warnings
from arena.usecases.endpoints.states import LIMIT, OPERATOR, Action, Step, because, check_seen, move, record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.endpoints import EndpointRow
    from arena.domain.schemas.endpoints import AbilitiesRequest
    from arena.usecases.endpoints.ownership import OwnerRules


def passed(session: Session, row: EndpointRow, rules: OwnerRules, actor: str, now: datetime) -> None:
    """Move an endpoint that has passed its probe to approval, and activate it if approval is automatic.

    An endpoint with another vendor's well-known name always waits for the operator.
    """
    needs_operator = rules.approval == "auto" and bool(warnings(row))
    move(session, row, Action.SUCCEED, Step(actor, because("name_held" if needs_operator else "passed"), now))
    if rules.approval == "auto" and not needs_operator:
        _activate(session, row, Step(OPERATOR, because("approved_automatically"), now))


async def approve(database: Database, endpoint_id: int, step: Step, revision: int | None = None) -> None:
    """Activate an endpoint that waits for approval, or pause it as its earlier version was, and retire that.

    Raises:
        Invalid: The reason does not fit.
        EndpointNotFound: There is no such endpoint.
        WrongState: It does not wait for approval.
        ChangedMeanwhile: It has changed since the operator saw `revision`.
        AliasUncounts: Its names are in too many answers of other models.
    """
    one_line("reason", step.reason.text, LIMIT)
    await database.read(_check_names, endpoint_id)
    await database.write(_approve_endpoint, endpoint_id, step, revision)


@read_transaction
def number_of(session: Session, name: str) -> int:
    """The number of the endpoint with this name.

    Raises:
        ModelNotFound: No endpoint has this name.
    """
    row = endpoints.by_name(session, name)
    if row is None:
        raise ModelNotFound(f"No endpoint is named {name!r}.")
    return row.id


def _check_names(session: Session, endpoint_id: int) -> None:
    """Check names against past answers, in a read before the write, so that no writer waits for it."""
    if row := endpoints.by_id(session, [endpoint_id]).get(endpoint_id):
        check_others(session, row, row.aliases)


def _approve_endpoint(session: Session, endpoint_id: int, step: Step, revision: int | None) -> None:
    row = endpoints.locked(session, endpoint_id)
    if row is None:
        raise EndpointNotFound
    check_seen(session, endpoint_id, revision)
    _activate(session, row, step)


def _activate(session: Session, row: EndpointRow, step: Step) -> None:
    """Activate an endpoint in place of its earlier versions; if one of those is paused, it is paused too."""
    move(session, row, Action.APPROVE, step)
    earlier = endpoints.earlier_versions(session, row)
    paused = [version.name for version in earlier if version.state is EndpointState.PAUSED]
    for version in earlier:
        _replace(session, version, row, step)
    if paused:
        move(session, row, Action.PAUSE, Step(step.actor, because("still_paused", name=paused[-1]), step.now))


def _replace(session: Session, earlier: EndpointRow, row: EndpointRow, step: Step) -> None:
    """Retire an earlier version; its pending changes move to the new version unless they are the same there."""
    current = described(row)
    pending = {field: value for field, value in (earlier.pending or {}).items() if value != current[field]}
    row.pending, earlier.pending = {**pending, **(row.pending or {})} or None, None
    move(session, earlier, Action.REPLACE, Step(step.actor, because("replaced", name=row.name), step.now))
    envelope_encryption.drop(session, earlier.id)


def propose(session: Session, row: EndpointRow, fields: Mapping[str, object], step: Step) -> None:
    """Add an owner's changes to the pending ones; a field with its current value is no longer pending.

    Raises:
        ResultsStay, UnlistedLimit: It could not be taken off the board.
    """
    current, proposal = described(row), {**(row.pending or {}), **fields}
    pending = {field: value for field, value in proposal.items() if value != current[field]}
    if pending.get("listed") is False:
        check_unlisting(session, row, step.now)
    if pending != (row.pending or {}):
        row.pending = pending or None
        record(session, row, step, row.state)


def apply(session: Session, row: EndpointRow, fields: JsonObject, now: datetime) -> None:
    """Write changed descriptive fields to an endpoint.

    Raises:
        ResultsStay, UnlistedLimit: It cannot be taken off the board.
    """
    if fields.get("listed") is False and row.listed:
        check_unlisting(session, row, now)
    if "aliases" in fields and fields["aliases"] != row.aliases:
        endpoints.replace_aliases(row, fields["aliases"], now)
    describe(row, {field: value for field, value in fields.items() if field != "aliases"})


async def approve_changes(database: Database, endpoint_id: int, step: Step, revision: int | None = None) -> None:
    """Apply the pending changes; new aliases hold for battles that begin from now on.

    Raises:
        Invalid: The reason does not fit.
        EndpointNotFound: There is no such endpoint.
        NothingPending: It has no pending change.
        ChangedMeanwhile: It has changed since the operator saw `revision`.
        AliasUncounts: The aliases would have left too many past votes uncounted.
        ResultsStay, UnlistedLimit: It cannot be taken off the board any more.
    """
    one_line("reason", step.reason.text, LIMIT)
    changes = await database.read(_check_pending, endpoint_id, revision)
    await database.write(_approve_changes, endpoint_id, changes, step)


@write_transaction
def refuse_changes(session: Session, endpoint_id: int, step: Step, revision: int | None = None) -> None:
    """Discard the pending changes, for a reason that the owner can read.

    Raises:
        Invalid: The reason does not fit.
        EndpointNotFound: There is no such endpoint.
        NothingPending: It has no pending change.
        ChangedMeanwhile: It has changed since the operator saw `revision`.
    """
    one_line("reason", step.reason.text, LIMIT)
    row = _with_pending(endpoints.locked(session, endpoint_id))
    check_seen(session, endpoint_id, revision)
    _clear_pending(session, row, step)


@write_transaction
def set_abilities(session: Session, endpoint_id: int, request: AbilitiesRequest, step: Step) -> bool:
    """Set an endpoint's abilities as the operator; returns whether that changes any.

    They replace its owner's pending changes of the same fields.

    Raises:
        Invalid: The request has no ability, or the reason does not fit.
        EndpointNotFound: There is no such endpoint.
        ChangedMeanwhile: It has changed since the operator saw the request's revision.
    """
    one_line("reason", step.reason.text, LIMIT)
    if not request.abilities:
        raise Invalid(rule="nothing")
    row = endpoints.locked(session, endpoint_id)
    if row is None:
        raise EndpointNotFound
    check_seen(session, endpoint_id, request.revision)
    current, abilities = described(row), request.abilities
    is_new = any(current[field] != value for field, value in abilities.items())
    if is_new:
        describe(row, abilities)
        row.pending = {field: value for field, value in (row.pending or {}).items() if field not in abilities} or None
        record(session, row, step, row.state)
    return is_new


def _check_pending(session: Session, endpoint_id: int, revision: int | None) -> JsonObject:
    """The pending changes, checked against past votes before the write, so that no writer waits for it."""
    row = _with_pending(endpoints.by_id(session, [endpoint_id]).get(endpoint_id))
    check_seen(session, endpoint_id, revision)
    changes = row.pending or {}
    check_past(session, row, changes.get("aliases", ()))
    return changes


def _approve_changes(session: Session, endpoint_id: int, changes: JsonObject, step: Step) -> None:
    row = _with_pending(endpoints.locked(session, endpoint_id))
    if row.pending != changes:
        raise ChangedMeanwhile
    apply(session, row, changes, step.now)
    _clear_pending(session, row, step)


def _with_pending(row: EndpointRow | None) -> EndpointRow:
    if row is None:
        raise EndpointNotFound
    if not row.pending:
        raise NothingPending
    return row


def _clear_pending(session: Session, row: EndpointRow, step: Step) -> None:
    row.pending = None
    record(session, row, step, row.state)
