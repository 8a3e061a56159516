"""`arena endpoints`: list, changes, approve, pause, resume, suspend, retire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from arena import endpoints
from arena.cli import tables
from arena.cli.endpoints import app
from arena.cli.opening import now, run
from arena.endpoints import OPERATOR, Step
from arena.errors import ModelNotFound
from arena.store import breakers, records
from arena.store import endpoints as stored
from arena.store.breakers import Opened
from arena.terms import EndpointState

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from arena.settings import Settings
    from arena.store.engine import Database
    from arena.store.tables import EndpointRow

_Reason = Annotated[str, typer.Option(help="Why; the owner reads it.")]
_BY_COMMAND = "by command"


@app.command("list")
def show() -> None:
    """Show every endpoint: its state, and how its newest calls went."""
    header = ("name", "version", "owner", "dialect", "address", "state", "board", "calls", "errors", "breaker", "demo")
    _show(_lines, *header)


@app.command()
def changes(name: str) -> None:
    """Show every step in the life of an endpoint, who took it and why."""
    _show(lambda session: _steps(session, name), "when", "from", "to", "by", "reason")


@app.command()
def approve(name: str, reason: _Reason = "approved by the operator") -> None:
    """Let an endpoint that has passed its probe take part."""

    async def act(database: Database, settings: Settings) -> int:
        number = await endpoints.number_of(database, name)
        return await endpoints.approve(database, number, settings.demo, Step(OPERATOR, reason, now()))

    retired = run(act)
    print(f"{name} is active.")
    if retired:
        print(f"{retired} built-in demo models have retired; ARENA_DEMO=on keeps them.")


@app.command()
def pause(name: str, reason: _Reason = _BY_COMMAND) -> None:
    """Keep an endpoint out of new battles for a while; its owner may resume it."""
    _set(name, EndpointState.PAUSED, reason)


@app.command()
def resume(name: str, reason: _Reason = _BY_COMMAND) -> None:
    """Let a paused, suspended or retired endpoint be drawn again."""
    _set(name, EndpointState.ACTIVE, reason)


@app.command()
def suspend(name: str, reason: _Reason = _BY_COMMAND) -> None:
    """Keep an endpoint out of new battles until an operator resumes it."""
    _set(name, EndpointState.SUSPENDED, reason)


@app.command()
def retire(name: str, reason: _Reason = _BY_COMMAND) -> None:
    """Take an endpoint out for good; its votes and ratings stay."""
    _set(name, EndpointState.RETIRED, reason)


def _show(read: Callable[[Session], list[tuple[str, ...]]], *header: str) -> None:
    async def act(database: Database, _settings: Settings) -> list[tuple[str, ...]]:
        return await database.read(read)

    table = Table(*header)
    for line in run(act):
        table.add_row(*line)
    tables.show(table)


def _lines(session: Session) -> list[tuple[str, ...]]:
    opened = breakers.opened(session, now())
    return [_line(session, row, opened.get(row.id, Opened())) for row in stored.every(session)]


def _line(session: Session, row: EndpointRow, opened: Opened) -> tuple[str, ...]:
    answers = records.answers(session, row.id, endpoints.CALLS)
    errors = sum(answer.error is not None for answer in answers)
    return (
        row.name,
        str(row.version),
        row.owner.name,
        row.dialect,
        row.url or "-",
        row.state,
        "listed" if row.listed else "unlisted",
        str(len(answers)),
        f"{errors / len(answers):.1%}" if answers else "-",
        f"open in {opened.processes} since {opened.since:%H:%M:%S}" if opened.since else "",
        "yes" if row.demo else "",
    )


def _steps(session: Session, name: str) -> list[tuple[str, ...]]:
    row = stored.by_name(session, name)
    if row is None:
        raise ModelNotFound(f"No endpoint is named {name!r}.")
    return [
        (f"{step.created_at:%Y-%m-%d %H:%M:%S}", step.before or "-", step.after, step.actor, step.reason)
        for step in stored.changes(session, row.id)
    ]


def _set(name: str, state: EndpointState, reason: str) -> None:
    async def act(database: Database, _settings: Settings) -> None:
        await endpoints.set_state(database, name, state, Step(OPERATOR, reason, now()))

    run(act)
    print(f"{name} is {state}.")
