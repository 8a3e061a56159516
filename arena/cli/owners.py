"""`arena owners`: list, key, revoke."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from arena.adapters.store import owners as stored
from arena.cli import text_tables
from arena.cli.apps import command_group
from arena.cli.context import now, run
from arena.usecases.people import owners

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.settings import Settings

app = command_group("List the owners of endpoints, and issue or revoke their keys.")


@app.command("list")
def show() -> None:
    """List all owners, without their keys, which the arena does not store."""

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
    text_tables.show(table)


@app.command()
def key(name: str) -> None:
    """Issue a new key to an owner and print it once; the previous key becomes invalid."""

    async def act(database: Database, _settings: Settings) -> str:
        return await owners.give_key(database, name, now())

    print(run(act))


@app.command()
def revoke(name: str) -> None:
    """Revoke an owner's key; their endpoints stay as they are."""

    async def act(database: Database, _settings: Settings) -> None:
        await owners.take_key(database, name)

    run(act)
    print(f"{name} has no key any more.")
