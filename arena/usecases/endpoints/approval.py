"""Approval of endpoints that have passed their probe, and of later changes that the public would see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import endpoints, envelope_encryption
from arena.adapters.store.engine.transactions import read_transaction, write_transaction
from arena.domain.errors import ChangedMeanwhile, EndpointNotFound, Invalid, ModelNotFound, NothingPending
from arena.domain.terms import JsonObject
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
    """Bring an endpoint that has passed its probe to its approval, and on into battles if that is automatic.

    A well-known name of somebody else's is for the operator to confirm even then.
    """
    needs_operator = rules.approval == "auto" and bool(warnings(row))
    move(session, row, Action.SUCCEED, Step(actor, because("name_held" if needs_operator else "passed"), now))
    if rules.approval == "auto" and not needs_operator:
        _activate(session, row, Step(OPERATOR, because("approved_automatically"), now))


async def approve(database: Database, endpoint_id: int, step: Step, revision: int | None = None) -> None:
    """Let an endpoint that waits for it take part; earlier versions of the model, which played on until now, retire.

    Raises:
        Invalid: The reason does not fit.
        EndpointNotFound: There is none.
        WrongState: It does not wait for an approval.
        ChangedMeanwhile: It is not what the operator has seen.
        AliasUncounts: Its names are in too many answers of other models.
    """
    one_line("reason", step.reason.text, LIMIT)
    await database.read(_check_names, endpoint_id)
    await database.write(_approve_endpoint, endpoint_id, step, revision)


@read_transaction
def number_of(session: Session, name: str) -> int:
    """The number of the endpoint with this name.

    Raises:
        ModelNotFound: Nobody has it.
    """
    row = endpoints.by_name(session, name)
    if row is None:
        raise ModelNotFound(f"No endpoint is named {name!r}.")
    return row.id


def _check_names(session: Session, endpoint_id: int) -> None:
    """Look through past answers before the write, so that no writer waits for it."""
    if row := endpoints.by_id(session, [endpoint_id]).get(endpoint_id):
        check_others(session, row, row.aliases)


def _approve_endpoint(session: Session, endpoint_id: int, step: Step, revision: int | None) -> None:
    row = endpoints.locked(session, endpoint_id)
    if row is None:
        raise EndpointNotFound
    check_seen(session, endpoint_id, revision)
    _activate(session, row, step)


def _activate(session: Session, row: EndpointRow, step: Step) -> None:
    move(session, row, Action.APPROVE, step)
    for earlier in endpoints.earlier_versions(session, row):
        _replace(session, earlier, row, step)


def _replace(session: Session, earlier: EndpointRow, row: EndpointRow, step: Step) -> None:
    """Retire an earlier version; what its owner has asked for since the next one was made waits on for that one."""
    now = described(row)
    waiting = {field: value for field, value in (earlier.pending or {}).items() if value != now[field]}
    row.pending, earlier.pending = {**waiting, **(row.pending or {})} or None, None
    move(session, earlier, Action.REPLACE, Step(step.actor, because("replaced", name=row.name), step.now))
    envelope_encryption.drop(session, earlier.id)


def propose(session: Session, row: EndpointRow, fields: Mapping[str, object], step: Step) -> None:
    """Note what the owner wants, beside what was wanted before; a field that is wanted as it is, is withdrawn.

    Raises:
        ResultsStay, UnlistedLimit: It could not be taken off the board.
    """
    now, proposal = described(row), {**(row.pending or {}), **fields}
    pending = {field: value for field, value in proposal.items() if value != now[field]}
    if pending.get("listed") is False:
        check_unlisting(session, row, step.now)
    if pending != (row.pending or {}):
        row.pending = pending or None
        record(session, row, step, row.state)


def apply(session: Session, row: EndpointRow, fields: JsonObject, now: datetime) -> None:
    """Let what describes an endpoint take effect.

    Raises:
        ResultsStay, UnlistedLimit: It cannot be taken off the board.
    """
    if fields.get("listed") is False and row.listed:
        check_unlisting(session, row, now)
    if "aliases" in fields and fields["aliases"] != row.aliases:
        endpoints.replace_aliases(row, fields["aliases"], now)
    describe(row, {field: value for field, value in fields.items() if field != "aliases"})


async def approve_changes(database: Database, endpoint_id: int, step: Step, revision: int | None = None) -> None:
    """Let the changes that wait take effect; new aliases hold for battles that begin from now on.

    Raises:
        Invalid: The reason does not fit.
        EndpointNotFound: There is none.
        NothingPending: Nothing waits.
        ChangedMeanwhile: It is not what the operator has seen.
        AliasUncounts: Too many votes since would have been left uncounted.
        ResultsStay, UnlistedLimit: It cannot be taken off the board any more.
    """
    one_line("reason", step.reason.text, LIMIT)
    seen = await database.read(_waiting_changes, endpoint_id, revision)
    await database.write(_approve_changes, endpoint_id, seen, step)


@write_transaction
def refuse_changes(session: Session, endpoint_id: int, step: Step) -> None:
    """Drop the changes that wait; their owner reads the reason.

    Raises:
        Invalid: The reason does not fit.
        EndpointNotFound: There is none.
        NothingPending: Nothing waits.
    """
    one_line("reason", step.reason.text, LIMIT)
    _end(session, _waiting(endpoints.locked(session, endpoint_id)), step)


@write_transaction
def set_abilities(session: Session, endpoint_id: int, request: AbilitiesRequest, step: Step) -> None:
    """Write down what an endpoint can do, by the operator's word, whatever its owner has asked for.

    Raises:
        Invalid: Nothing was sent, or the reason does not fit.
        EndpointNotFound: There is none.
        ChangedMeanwhile: It is not what the operator has seen.
    """
    one_line("reason", step.reason.text, LIMIT)
    if not request.abilities:
        raise Invalid(rule="nothing")
    row = endpoints.locked(session, endpoint_id)
    if row is None:
        raise EndpointNotFound
    check_seen(session, endpoint_id, request.revision)
    now, abilities = described(row), request.abilities
    if any(now[field] != value for field, value in abilities.items()):
        describe(row, abilities)
        row.pending = {field: value for field, value in (row.pending or {}).items() if field not in abilities} or None
        record(session, row, step, row.state)


def _waiting_changes(session: Session, endpoint_id: int, revision: int | None) -> JsonObject:
    """Look through past votes before the write, so that no writer waits for it."""
    row = _waiting(endpoints.by_id(session, [endpoint_id]).get(endpoint_id))
    check_seen(session, endpoint_id, revision)
    changes = row.pending or {}
    check_past(session, row, changes.get("aliases", ()))
    return changes


def _approve_changes(session: Session, endpoint_id: int, seen: JsonObject, step: Step) -> None:
    row = _waiting(endpoints.locked(session, endpoint_id))
    if row.pending != seen:
        raise ChangedMeanwhile
    apply(session, row, seen, step.now)
    _end(session, row, step)


def _waiting(row: EndpointRow | None) -> EndpointRow:
    if row is None:
        raise EndpointNotFound
    if not row.pending:
        raise NothingPending
    return row


def _end(session: Session, row: EndpointRow, step: Step) -> None:
    row.pending = None
    record(session, row, step, row.state)
