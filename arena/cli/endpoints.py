"""`arena endpoints`: list, changes, pending, and the operator's commands from approve to retire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from arena.adapters.store import endpoint_states, track_records
from arena.adapters.store import endpoints as stored
from arena.adapters.store.endpoint_states import Opened
from arena.cli.context import now, read, run
from arena.cli.endpoint_registration import LANGUAGE_HELP, VISION_HELP, app
from arena.cli.terminal.tables import AsJson, Cells, show
from arena.domain.errors import ModelNotFound
from arena.domain.terms import EndpointState, Use
from arena.usecases.endpoints.states import operator_step, set_state
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.endpoints import EndpointRow
    from arena.settings import Settings

_Reason = Annotated[str | None, typer.Option(help="Reason, shown to the owner.")]


@dataclass(frozen=True, slots=True)
class ListedEndpoint:
    """An endpoint as the operator sees it.

    `calls` are its newest ones and `errors` the share of them that failed; `open_breakers` are processes whose circuit
    breaker is open, the first of them since `open_since`; `reason` is that of a suspension.
    """

    name: str
    version: int
    owner: str
    dialect: str
    address: str | None
    languages: list[str]
    state: EndpointState
    board: str
    calls: int
    errors: float | None
    open_breakers: int
    open_since: datetime | None
    demo: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class StateChange:
    """A change of an endpoint's state."""

    when: datetime
    before: EndpointState | None
    after: EndpointState
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change that waits for the operator's approval, or a warning about it."""

    name: str
    owner: str
    what: str
    now: str
    becomes: str = ""


@app.command("list")
def list_endpoints(json: AsJson = False) -> None:
    """List all endpoints with their state and the results of recent calls."""
    endpoints_ = read(_endpoints)
    show(endpoints_, _endpoint_cells, json=json)
    for endpoint in endpoints_ if not json else ():
        if endpoint.reason is not None:
            print(f"{endpoint.name} is suspended: {endpoint.reason}")


@app.command()
def changes(name: str, json: AsJson = False) -> None:
    """List all changes of an endpoint's state, with author and reason."""
    show(read(_changes, name), json=json)


@app.command()
def approve(name: str, reason: _Reason = None) -> None:
    """Approve an endpoint that has passed its probe."""
    from arena.usecases.endpoints import approval

    async def act(database: Database, _settings: Settings) -> list[str]:
        number = await approval.number_of(database, name)
        await approval.approve(database, number, operator_step("approved", reason, now()))
        return await database.read(_warnings, number)

    print(f"{name} is active.", *run(act), sep="\n")


@app.command()
def pending(json: AsJson = False) -> None:
    """List endpoints and changes that wait for approval, with warnings: well-known names, remarks of the probe."""
    show(read(_pending), json=json)


@app.command("approve-changes")
def approve_changes(name: str, reason: _Reason = None) -> None:
    """Approve the pending changes of an endpoint."""
    from arena.usecases.endpoints import approval

    async def act(database: Database, _settings: Settings) -> None:
        number = await approval.number_of(database, name)
        await approval.approve_changes(database, number, operator_step("changes_approved", reason, now()))

    run(act)
    print(f"{name} is changed.")


@app.command("refuse-changes")
def refuse_changes(name: str, reason: _Reason = None) -> None:
    """Refuse the pending changes of an endpoint."""
    from arena.usecases.endpoints import approval

    async def act(database: Database, _settings: Settings) -> None:
        number = await approval.number_of(database, name)
        await approval.refuse_changes(database, number, operator_step("changes_refused", reason, now()))

    run(act)
    print(f"{name} is not changed.")


@app.command()
def edit(
    name: str,
    language: Annotated[list[str] | None, typer.Option(help=f"{LANGUAGE_HELP} `any` alone lets it answer all.")] = None,
    vision: Annotated[bool | None, typer.Option("--vision/--no-vision", help=VISION_HELP)] = None,
    reason: _Reason = None,
) -> None:
    """Say which languages an endpoint can answer, and whether it sees images: it is drawn for such prompts."""
    from arena.domain.schemas.endpoints import AbilitiesRequest
    from arena.usecases.endpoints import approval

    request = AbilitiesRequest(languages=[] if language == ["any"] else language, vision=vision)

    async def act(database: Database, _settings: Settings) -> None:
        number = await approval.number_of(database, name)
        step = operator_step("changed", reason, now(), fields=list(request.told))
        await approval.set_abilities(database, number, request, step)

    run(act)
    if language:
        print(f"{name} answers: {', '.join(language)}.")
    if vision is not None:
        print(f"{name} {'sees' if vision else 'does not see'} images.")


@app.command("use")
def set_use(
    name: str,
    use: Use,
    daily_calls: Annotated[int | None, typer.Option(min=0, help="Most calls per day (UTC) for it.")] = None,
    off: Annotated[bool, typer.Option("--off", help="Allow it no longer.")] = False,
) -> None:
    """Let an endpoint be used for more than battles, with a cap of its own."""
    from arena.usecases.endpoints import approval, uses

    async def act(database: Database, _settings: Settings) -> None:
        number = await approval.number_of(database, name)
        if off:
            await uses.forbid_use(database, number, use)
        else:
            await uses.allow_use(database, number, use, daily_calls)

    run(act)
    most = "" if daily_calls is None else f", with {amount(daily_calls, 'call')} a day"
    print(f"{name} takes part in {use} no longer." if off else f"{name} takes part in {use}{most}.")


@app.command()
def pause(name: str, reason: _Reason = None) -> None:
    """Keep an endpoint out of new battles; its owner may resume it."""
    _set(name, EndpointState.PAUSED, reason)


@app.command()
def resume(name: str, reason: _Reason = None) -> None:
    """Let a paused, suspended or retired endpoint take part again."""
    _set(name, EndpointState.ACTIVE, reason)


@app.command()
def suspend(name: str, reason: _Reason = None) -> None:
    """Keep an endpoint out of new battles until an operator resumes it."""
    _set(name, EndpointState.SUSPENDED, reason)


@app.command()
def retire(name: str, reason: _Reason = None) -> None:
    """Retire an endpoint; its votes and ratings stay."""
    _set(name, EndpointState.RETIRED, reason)


def _endpoints(session: Session) -> list[ListedEndpoint]:
    opened = endpoint_states.open_breakers(session, now(), chats=False)
    return [_listed(session, row, opened.get(row.id, Opened())) for row in stored.every(session)]


def _listed(session: Session, row: EndpointRow, opened: Opened) -> ListedEndpoint:
    answers = track_records.call_results(session, row.id, track_records.CALLS)
    errors = sum(answer.error is not None for answer in answers)
    suspended = row.state is EndpointState.SUSPENDED
    return ListedEndpoint(
        name=row.name,
        version=row.version,
        owner=row.owner.name,
        dialect=row.dialect,
        address=row.url,
        languages=row.languages,
        state=stored.shown_state(session, row),
        board="listed" if row.listed else "unlisted",
        calls=len(answers),
        errors=errors / len(answers) if answers else None,
        open_breakers=opened.processes,
        open_since=opened.since,
        demo=row.demo,
        reason=endpoint_states.changes(session, row.id, 1)[0].reason if suspended else None,
    )


def _endpoint_cells(endpoint: ListedEndpoint) -> Cells:
    since = endpoint.open_since
    return {
        "name": endpoint.name,
        "version": endpoint.version,
        "owner": endpoint.owner,
        "dialect": endpoint.dialect,
        "address": endpoint.address,
        "languages": endpoint.languages or "any",
        "state": endpoint.state,
        "board": endpoint.board,
        "calls": endpoint.calls,
        "errors": None if endpoint.errors is None else f"{endpoint.errors:.1%}",
        "breaker": f"open in {endpoint.open_breakers} since {since:%H:%M:%S}" if since else None,
        "demo": endpoint.demo,
    }


def _pending(session: Session) -> list[PendingChange]:
    return [
        change
        for row in stored.every(session)
        if row.pending or row.state is EndpointState.PENDING
        for change in _pending_of(session, row)
    ]


def _pending_of(session: Session, row: EndpointRow) -> list[PendingChange]:
    from arena.usecases.endpoints import views

    view, joins = views.view(session, row), row.state is EndpointState.PENDING
    steps = [("state", row.state.value, "active")] if joins else []
    steps += [(field, str(getattr(view, field)), str(value)) for field, value in view.pending.items()]
    probes = views.probe_results(session, row.id)[:1] if joins else []
    remarks = [problem["title"] for probe in probes for problem in probe.report["problems"]]
    steps += [("warning", warning, "") for warning in [*_warnings(session, row.id), *remarks]]
    return [PendingChange(row.name, row.owner.name, *step) for step in steps]


def _warnings(session: Session, number: int) -> list[str]:
    from arena.usecases.endpoints import definition

    row = stored.by_id(session, [number])[number]
    return [
        f"{warning.field}: {warning.text!r} is a name used by {warning.vendor}" for warning in definition.warnings(row)
    ]


def _changes(session: Session, name: str) -> list[StateChange]:
    row = stored.by_name(session, name)
    if row is None:
        raise ModelNotFound(f"No endpoint is named {name!r}.")
    return [
        StateChange(change.created_at, change.before, change.after, change.actor, change.reason)
        for change in endpoint_states.changes(session, row.id)
    ]


def _set(name: str, state: EndpointState, reason: str | None) -> None:
    async def act(database: Database, _settings: Settings) -> None:
        await set_state(database, name, state, operator_step("by_command", reason, now()))

    run(act)
    print(f"{name} is {state}.")
