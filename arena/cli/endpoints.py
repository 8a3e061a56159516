"""`arena endpoints`: list, changes, pending, and the operator's commands from approve to retire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from arena.adapters.store import endpoint_states, track_records
from arena.adapters.store import endpoints as stored
from arena.adapters.store.endpoint_states import Opened
from arena.cli import text_tables
from arena.cli.context import now, run
from arena.cli.endpoint_registration import LANGUAGE_HELP, VISION_HELP, app
from arena.domain.errors import ModelNotFound
from arena.domain.schemas import AbilitiesRequest
from arena.domain.terms import EndpointState, Use
from arena.usecases import endpoints
from arena.usecases.endpoints import operator_step
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables import EndpointRow
    from arena.settings import Settings

_Reason = Annotated[str | None, typer.Option(help="Reason, shown to the owner.")]


@app.command("list")
def show() -> None:
    """List all endpoints with their state and the results of recent calls."""
    header = ("name", "version", "owner", "dialect", "address", "languages", "state")
    _show(_lines, *header, "board", "calls", "errors", "breaker", "demo")

    async def act(database: Database, _settings: Settings) -> list[str]:
        return await database.read(_suspensions)

    for line in run(act):
        print(line)


@app.command()
def changes(name: str) -> None:
    """List all changes of an endpoint's state, with author and reason."""
    _show(lambda session: _steps(session, name), "when", "from", "to", "by", "reason")


@app.command()
def approve(name: str, reason: _Reason = None) -> None:
    """Approve an endpoint that has passed its probe."""

    async def act(database: Database, _settings: Settings) -> list[str]:
        number = await endpoints.number_of(database, name)
        await endpoints.approve(database, number, operator_step("approved", reason, now()))
        return await database.read(_warnings, number)

    print(f"{name} is active.", *run(act), sep="\n")


@app.command()
def pending() -> None:
    """List endpoints and changes that wait for approval, with warnings: well-known names, remarks of the probe."""
    _show(_waiting, "name", "owner", "what", "is", "becomes")


@app.command("approve-changes")
def approve_changes(name: str, reason: _Reason = None) -> None:
    """Approve the pending changes of an endpoint."""

    async def act(database: Database, _settings: Settings) -> None:
        number = await endpoints.number_of(database, name)
        await endpoints.approve_changes(database, number, operator_step("changes_approved", reason, now()))

    run(act)
    print(f"{name} is changed.")


@app.command("refuse-changes")
def refuse_changes(name: str, reason: _Reason = None) -> None:
    """Refuse the pending changes of an endpoint."""

    async def act(database: Database, _settings: Settings) -> None:
        number = await endpoints.number_of(database, name)
        await endpoints.refuse_changes(database, number, operator_step("changes_refused", reason, now()))

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
    request = AbilitiesRequest(languages=[] if language == ["any"] else language, vision=vision)

    async def act(database: Database, _settings: Settings) -> None:
        number = await endpoints.number_of(database, name)
        step = operator_step("changed", reason, now(), fields=list(request.told))
        await endpoints.set_abilities(database, number, request, step)

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

    async def act(database: Database, _settings: Settings) -> None:
        number = await endpoints.number_of(database, name)
        if off:
            await endpoints.forbid_use(database, number, use)
        else:
            await endpoints.allow_use(database, number, use, daily_calls)

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


def _show(read: Callable[[Session], list[tuple[str, ...]]], *header: str) -> None:
    async def act(database: Database, _settings: Settings) -> list[tuple[str, ...]]:
        return await database.read(read)

    table = Table(*header)
    for line in run(act):
        table.add_row(*line)
    text_tables.show(table)


def _lines(session: Session) -> list[tuple[str, ...]]:
    opened = endpoint_states.open_breakers(session, now(), chats=False)
    return [_line(session, row, opened.get(row.id, Opened())) for row in stored.every(session)]


def _line(session: Session, row: EndpointRow, opened: Opened) -> tuple[str, ...]:
    answers = track_records.call_results(session, row.id, endpoints.CALLS)
    errors = sum(answer.error is not None for answer in answers)
    return (
        row.name,
        str(row.version),
        row.owner.name,
        row.dialect,
        row.url or "-",
        ", ".join(row.languages) or "any",
        stored.shown_state(session, row),
        "listed" if row.listed else "unlisted",
        str(len(answers)),
        f"{errors / len(answers):.1%}" if answers else "-",
        f"open in {opened.processes} since {opened.since:%H:%M:%S}" if opened.since else "",
        "yes" if row.demo else "",
    )


def _suspensions(session: Session) -> list[str]:
    """Reasons of all suspended endpoints."""
    rows = [row for row in stored.every(session) if row.state is EndpointState.SUSPENDED]
    return [
        f"{row.name} is suspended: {step.reason}"
        for row in rows
        for step in endpoint_states.changes(session, row.id, 1)
    ]


def _waiting(session: Session) -> list[tuple[str, ...]]:
    return [
        (row.name, row.owner.name, *what)
        for row in stored.every(session)
        if row.pending or row.state is EndpointState.PENDING
        for what in _wanted(session, row)
    ]


def _wanted(session: Session, row: EndpointRow) -> list[tuple[str, str, str]]:
    view = endpoints.view(session, row)
    joining = [("state", row.state.value, "active")] if row.state is EndpointState.PENDING else []
    changes = [(field, str(getattr(view, field)), str(value)) for field, value in view.pending.items()]
    probes = endpoints.probe_results(session, row.id)[:1] if joining else []
    remarks = [problem["title"] for probe in probes for problem in probe.report["problems"]]
    return [*joining, *changes, *(("warning", warning, "") for warning in [*_warnings(session, row.id), *remarks])]


def _warnings(session: Session, number: int) -> list[str]:
    row = stored.by_id(session, [number])[number]
    return [
        f"{warning.field}: {warning.text!r} is a name used by {warning.vendor}" for warning in endpoints.warnings(row)
    ]


def _steps(session: Session, name: str) -> list[tuple[str, ...]]:
    row = stored.by_name(session, name)
    if row is None:
        raise ModelNotFound(f"No endpoint is named {name!r}.")
    return [
        (f"{step.created_at:%Y-%m-%d %H:%M:%S}", step.before or "-", step.after, step.actor, step.reason)
        for step in endpoint_states.changes(session, row.id)
    ]


def _set(name: str, state: EndpointState, reason: str | None) -> None:
    async def act(database: Database, _settings: Settings) -> None:
        await endpoints.set_state(database, name, state, operator_step("by_command", reason, now()))

    run(act)
    print(f"{name} is {state}.")
