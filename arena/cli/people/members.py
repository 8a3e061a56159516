"""`arena members`: invite a class or a company by a link, list invitations, withdraw one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from arena.adapters.store import voters as stored
from arena.cli.context import now, read, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.tables import AsJson, show
from arena.domain.operators import Act, ActKind

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from datetime import datetime

    from sqlalchemy.orm import Session

app = command_group("Invite members to an arena that is not open to everybody, and withdraw invitations.")


@dataclass(frozen=True, slots=True)
class ListedInvitation:
    """An invitation without its link, which the arena does not store."""

    number: int
    title: str
    taken: int
    seats: int
    ends: datetime


@app.command()
def invite(
    title: str,
    seats: Annotated[int, typer.Option(help="How many may enter, each on one device.")] = 30,
    days: Annotated[int, typer.Option(help="Days until it ends, for those who came by it too.")] = 30,
) -> None:
    """Make an invitation and print its link once."""
    from arena.usecases.people import invitations

    act = Act(ActKind.MEMBERS_INVITED, title)
    print(
        run(
            lambda database, settings: _link(settings.address, invitations.invite(database, title, seats, days, now())),
            act,
        )
    )


async def _link(address: str, token: Awaitable[str]) -> str:
    return f"{address}/sign-in?invitation={await token}"


@app.command("list")
def list_invitations(json: AsJson = False) -> None:
    """List all invitations with their seats."""
    show(read(_listed), json=json)


def _listed(session: Session) -> list[ListedInvitation]:
    return [
        ListedInvitation(row.id, row.title, row.taken, row.seats, row.ends_at) for row in stored.invitations(session)
    ]


@app.command()
def withdraw(number: int) -> None:
    """Withdraw an invitation; whoever has entered by it stays until its end."""
    from arena.usecases.people import invitations

    run(
        lambda database, _settings: invitations.withdraw(database, number),
        Act(ActKind.INVITATION_WITHDRAWN, str(number)),
    )
    print(f"Invitation {number} is withdrawn.")
