"""`arena flags`: close and reopen parts of the running service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import now, read, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.tables import AsJson, show
from arena.domain.operators import Act, ActKind
from arena.domain.terms import Part

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

app = command_group("Close and reopen parts of the running service: battles, chats, voting, registration.")

_WHY = "Reason, for other operators."


@dataclass(frozen=True, slots=True)
class PartState:
    """Whether a part is open, and what the operator said when it was last changed."""

    part: Part
    state: str
    reason: str = ""
    since: datetime | None = None


@app.command("list")
def list_parts(json: AsJson = False) -> None:
    """List all parts and whether they are open."""
    show(read(_states), json=json)


def _states(session: Session) -> list[PartState]:
    from arena.adapters.store import site

    return [
        PartState(part, "closed" if row.closed else "open", row.reason, row.changed_at)
        if row
        else PartState(part, "open")
        for part, row in site.flags(session).items()
    ]


@app.command("close")
def close(part: Part, reason: Annotated[str, typer.Option(help=_WHY)] = "") -> None:
    """Close a part in all processes: new requests get a 503, running ones finish."""
    is_new = _put(part, closed=True, reason=reason)
    print(f"{part} is closed{'' if is_new else ' already'}.")


@app.command("open")
def reopen(part: Part, reason: Annotated[str, typer.Option(help=_WHY)] = "") -> None:
    """Reopen a part."""
    is_new = _put(part, closed=False, reason=reason)
    print(f"{part} is open{'' if is_new else ' already'}.")


def _put(part: Part, *, closed: bool, reason: str) -> bool:
    from arena.adapters.store import site

    act = Act(ActKind.PART_CLOSED if closed else ActKind.PART_OPENED, part.value, reason)
    return run(
        lambda database, _settings: database.write(site.put_flag, part, closed=closed, reason=reason[:200], now=now()),
        act,
    )
