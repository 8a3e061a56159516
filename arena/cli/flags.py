"""`arena flags`: close and reopen parts of the running service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from arena.adapters.store import flags
from arena.cli import text_tables
from arena.cli.apps import command_group
from arena.cli.context import now, run
from arena.domain.terms import Part

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables import FlagRow
    from arena.settings import Settings

app = command_group("Close and reopen parts of the running service: battles, chats, voting, registration.")

_WHY = "Reason, for other operators."


@app.command("list")
def show() -> None:
    """List all parts and whether they are open."""

    async def act(database: Database, _settings: Settings) -> list[tuple[str, ...]]:
        return await database.read(lambda session: [_line(part, row) for part, row in flags.every(session).items()])

    table = Table("part", "state", "reason", "since")
    for line in run(act):
        table.add_row(*line)
    text_tables.show(table)


def _line(part: Part, row: FlagRow | None) -> tuple[str, ...]:
    if row is None:
        return part, "open", "", ""
    return part, "closed" if row.closed else "open", row.reason, f"{row.changed_at:%Y-%m-%d %H:%M}"


@app.command("close")
def close(part: Part, reason: Annotated[str, typer.Option(help=_WHY)] = "") -> None:
    """Close a part in all processes: new requests get a 503, running ones finish."""
    _put(part, closed=True, reason=reason)
    print(f"{part} is closed.")


@app.command("open")
def reopen(part: Part, reason: Annotated[str, typer.Option(help=_WHY)] = "") -> None:
    """Reopen a part."""
    _put(part, closed=False, reason=reason)
    print(f"{part} is open.")


def _put(part: Part, *, closed: bool, reason: str) -> None:
    async def act(database: Database, _settings: Settings) -> None:
        await database.write(flags.put, part, closed=closed, reason=reason[:200], now=now())

    run(act)
