"""`arena owners`: list, key, revoke."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import now, read, run
from arena.cli.people.operators import HINT
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.tables import AsJson, Cells, cells, owner_name, owner_text, show
from arena.domain.operators import Act, ActKind

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy.orm import Session

_Name = Annotated[str, typer.Argument(callback=owner_name)]
app = command_group("List the owners of endpoints, and issue or revoke their keys.")


@dataclass(frozen=True, slots=True)
class ListedOwner:
    """An owner without the key, which the arena does not store."""

    name: str
    contact: str | None
    endpoints: int
    key_of: date | None
    since: date


@app.command("list")
def list_owners(json: AsJson = False) -> None:
    """List all owners, without their keys, which the arena does not store."""
    show(read(_listed), _cells, json=json)


def _cells(owner: ListedOwner) -> Cells:
    return {**cells(owner), "name": owner_text(owner.name)}


def _listed(session: Session) -> list[ListedOwner]:
    from arena.adapters.store import owners as stored

    return [
        ListedOwner(
            row.name, row.contact, count, row.key_made_at.date() if row.key_made_at else None, row.created_at.date()
        )
        for row, count in stored.list_all(session)
    ]


@app.command()
def key(name: _Name) -> None:
    """Issue a new key to an owner and print it once; the previous key becomes invalid."""
    from arena.usecases.people import owners

    print(run(lambda database, _settings: owners.give_key(database, name, now()), Act(ActKind.OWNER_KEY_GIVEN, name)))
    typer.echo(HINT.format(page="/owners"), err=True)


@app.command()
def revoke(name: _Name) -> None:
    """Revoke an owner's key; their endpoints stay as they are."""
    from arena.usecases.people import owners

    run(lambda database, _settings: owners.take_key(database, name), Act(ActKind.OWNER_KEY_TAKEN, name))
    print(f"{owner_text(name)} has no key any more.")
