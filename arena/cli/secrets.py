"""`arena secrets`: new, rotate, status."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from arena.cli import tables
from arena.cli.opening import keys, run
from arena.store import secrets
from arena.store.keyring import VARIABLE, new_master

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.settings import Settings
    from arena.store.engine import Database
    from arena.store.keyring import Keyring

app = typer.Typer(no_args_is_help=True, help=f"The master keys ({VARIABLE}) that seal the stored keys of models.")


@app.command()
def new() -> None:
    """Print a fresh master key; keep it where the database's copies are not kept."""
    print(new_master())
    print(f"Put it into {VARIABLE}. Before an older one, with a comma, to rotate.", file=sys.stderr)


@app.command()
def rotate() -> None:
    """Wrap every stored key with the newest master key, while the arena runs.

    With the file in the data folder this does it all. With ARENA_SECRET_KEY:

    1. put what `arena secrets new` prints before the old key, with a comma between;

    2. restart each process of the arena, one after the other;

    3. run this;

    4. when `arena secrets status` counts nothing under the old key, take it out and restart again.
    """

    async def act(database: Database, settings: Settings) -> tuple[int, Keyring]:
        keyring = keys(settings).keyring
        keyring.renew()
        wrapped = await database.write(secrets.rewrap, keyring)
        keyring.forget()
        return wrapped, keyring

    wrapped, keyring = run(act)
    newest, *older = keyring.names()
    print(f"{wrapped} stored keys were wrapped again; all are under {newest}.")
    if older:
        print(f"Take {', '.join(older)} out of {VARIABLE} when every process has {newest}.")


@app.command()
def status() -> None:
    """Show the master keys by name, and how many stored keys each one wraps."""

    async def act(database: Database, settings: Settings) -> list[tuple[str, str, str]]:
        return await database.read(_status, keys(settings).keyring)

    table = Table("master key", "stored keys", "here")
    for row in run(act):
        table.add_row(*row)
    tables.show(table)


def _status(session: Session, keyring: Keyring) -> list[tuple[str, str, str]]:
    here, wrapped = keyring.names(), secrets.wrapped(session)
    places = {name: "seals" if name == here[0] else "opens" for name in here}
    return [
        (name, str(wrapped.get(name, 0)), places.get(name, "no: these models are not paired"))
        for name in dict.fromkeys([*here, *wrapped])
    ]
