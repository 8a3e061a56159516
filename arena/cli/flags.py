"""`arena flags`: close a part of the running service, and open it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from arena.cli import tables
from arena.cli.opening import now, run
from arena.store import flags
from arena.terms import Part

if TYPE_CHECKING:
    from arena.settings import Settings
    from arena.store.engine import Database
    from arena.store.tables import FlagRow

app = typer.Typer(no_args_is_help=True, help="Close parts of the running service: battles, chats, voting, sign-ups.")

_WHY = "What operators will read later."


@app.command("list")
def show() -> None:
    """Show every part and whether it is open."""

    async def act(database: Database, _settings: Settings) -> list[tuple[str, ...]]:
        return await database.read(lambda session: [_line(part, row) for part, row in flags.every(session).items()])

    table = Table("part", "state", "reason", "since")
    for line in run(act):
        table.add_row(*line)
    tables.show(table)


def _line(part: Part, row: FlagRow | None) -> tuple[str, ...]:
    if row is None:
        return part, "open", "", ""
    return part, "closed" if row.closed else "open", row.reason, f"{row.changed_at:%Y-%m-%d %H:%M}"


@app.command("close")
def close(part: Part, reason: Annotated[str, typer.Option(help=_WHY)] = "") -> None:
    """Refuse it with a clear 503 from now on, in every process; what is running ends as usual."""
    _put(part, closed=True, reason=reason)
    print(f"{part} is closed.")


@app.command("open")
def reopen(part: Part, reason: Annotated[str, typer.Option(help=_WHY)] = "") -> None:
    """Take it up again."""
    _put(part, closed=False, reason=reason)
    print(f"{part} is open.")


def _put(part: Part, *, closed: bool, reason: str) -> None:
    async def act(database: Database, _settings: Settings) -> None:
        await database.write(flags.put, part, closed=closed, reason=reason[:200], now=now())

    run(act)
