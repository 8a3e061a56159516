"""`arena operators`: give people keys of their own, list and withdraw them, and show what operators have done."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import now, read, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.output_file import write_out
from arena.cli.terminal.tables import AsJson, Cells, show
from arena.domain.operators import Act, ActKind, OperatorRole

if TYPE_CHECKING:
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from arena.domain.schemas.operators import ActView

HINT = "This key is shown only now. It holds at once: at {page}, and in the API as “Authorization: Bearer KEY”."
"""A sentence beside a key; it goes to the standard error, so that scripts read the key alone."""

app = command_group("Give operators keys of their own, withdraw them, and show what operators have done.")


@dataclass(frozen=True, slots=True)
class ListedOperator:
    """An operator without the key, which the arena does not store."""

    name: str
    role: str
    since: date
    withdrawn: datetime | None


@app.command()
def add(
    name: str,
    role: Annotated[OperatorRole, typer.Option(help="What they may do.")] = OperatorRole.OPERATOR,
) -> None:
    """Give a person a key of their own for `/operator` and its API, and print it once."""
    from arena.usecases.people import operators

    act = Act(ActKind.OPERATOR_ADDED, name, role.value)
    print(run(lambda database, _settings: operators.add(database, name, role, now()), act))
    typer.echo(HINT.format(page="/operator"), err=True)


@app.command("list")
def list_operators(json: AsJson = False) -> None:
    """List operators with keys of their own; those who sign in by a provider stand in the file of ARENA_SIGN_IN."""
    show(read(_listed), json=json)


def _listed(session: Session) -> list[ListedOperator]:
    from arena.adapters.store import operators as stored

    return [
        ListedOperator(row.name, row.role, row.created_at.date(), row.withdrawn_at) for row in stored.list_all(session)
    ]


@app.command()
def withdraw(name: str) -> None:
    """Withdraw a person's key at once; what they have done stays under their name."""
    from arena.usecases.people import operators

    act = Act(ActKind.OPERATOR_WITHDRAWN, name)
    run(lambda database, _settings: operators.withdraw(database, name, now()), act)
    print(f"{name} has no key any more.")


@app.command()
def acts(
    json: AsJson = False,
    csv: Annotated[Path | None, typer.Option(help="Write them to this file, with the nonces of their leaves.")] = None,
) -> None:
    """Show who has done what, when, on what and why, newest first."""
    from arena.usecases.people import oversight

    views = read(oversight.acts)
    if csv:
        write_out(oversight.acts_csv(views).encode(), csv)
    else:
        show(views, _cells, json=json)


def _cells(view: ActView) -> Cells:
    actor = f"{view.who} ({view.via})"
    return {"number": view.number, "at": view.at, "who": actor, "act": view.kind, "on": view.target, "why": view.why}
