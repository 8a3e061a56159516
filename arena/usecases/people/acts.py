"""Acts of operators: the first write of each stores, in the same transaction, a row that says who did it."""

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
"""The way of an act by command, for which the operating system gives the name of its user."""


def recorded(database: Database, operator: Operator, act: Act, now: Callable[[], datetime]) -> Database:
    """A database for the writes of `act`, the first of which also stores the row of the act by `operator`."""
    return JoinedWrites(database, lambda session: operators.add_act(session, operator, _fit(act), now()))


def _fit(act: Act) -> Act:
    """The act with its texts as single lines, cut to the length of their columns."""
    return Act(act.kind, _line(act.target)[:TARGET_LIMIT], _line(act.why)[:WHY_LIMIT])


def _line(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode().replace("\0", " ").split())
