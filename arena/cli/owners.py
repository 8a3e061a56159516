"""`arena owners`: list, key, revoke."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer
from rich.table import Table

from arena import owners
from arena.cli import tables
from arena.cli.opening import now, run
from arena.store import owners as stored

if TYPE_CHECKING:
    from arena.settings import Settings
    from arena.store.engine import Database

app = typer.Typer(no_args_is_help=True, help="See who registers models, and give or take their keys.")


@app.command("list")
def show() -> None:
    """Show every owner; no key is known here."""

    async def act(database: Database, _settings: Settings) -> list[tuple[str, ...]]:
        return await database.read(
            lambda session: [
                (
                    row.name,
                    row.contact or "-",
                    str(count),
                    f"{row.key_made_at:%Y-%m-%d}" if row.key_made_at else "none",
                    f"{row.created_at:%Y-%m-%d}",
                )
                for row, count in stored.every(session)
            ]
        )

    table = Table("name", "contact", "endpoints", "key of", "since")
    for line in run(act):
        table.add_row(*line)
    tables.show(table)


@app.command()
def key(name: str) -> None:
    """Give an owner a new key and print it, once; an earlier one is dead from then on."""

    async def act(database: Database, _settings: Settings) -> str:
        return await owners.give_key(database, name, now())

    print(run(act))


@app.command()
def revoke(name: str) -> None:
    """Take an owner's key; what they have registered stays as it is."""

    async def act(database: Database, _settings: Settings) -> None:
        await owners.take_key(database, name)

    run(act)
    print(f"{name} has no key any more.")
