"""Acts of operators: what one does is saved together with a row that says who did it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.adapters.store import operators
from arena.adapters.store.engine.joined_writes import JoinedWrites
from arena.domain.operators import TARGET_LIMIT, WHY_LIMIT, Act, Operator

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from arena.adapters.store.engine import Database

BY_COMMAND: Final = "command"
"""The system, which vouches for the name of who runs a command."""


def recorded(database: Database, operator: Operator, act: Act, now: Callable[[], datetime]) -> Database:
    """A database by which `operator` carries out `act`: what the act writes and its own row are saved together."""
    return JoinedWrites(database, lambda session: operators.add_act(session, operator, _fitting(act), now()))


def _fitting(act: Act) -> Act:
    """The act with texts of one line that fit their columns."""
    return Act(act.kind, _line(act.target)[:TARGET_LIMIT], _line(act.why)[:WHY_LIMIT])


def _line(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode().replace("\0", " ").split())
