"""The statements that some work sends, and the steps that SQLite takes for them: measures without a clock."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

Statements = list[tuple[str, Any]]
STEP = 10
"""Instructions of SQLite's virtual machine that are counted as one."""


@contextmanager
def recorded() -> Iterator[Statements]:
    """The statements of the block with their parameters, in order, of all engines."""
    statements: Statements = []

    def note(_connection, _cursor, statement, parameters, _context, many) -> None:
        statements.append((statement, parameters[0] if many else parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def counted_steps(database: Database, work: Callable[..., Any], *args: Any) -> int:
    """How much SQLite works for a read, which grows with the rows that it visits; the same at each call."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    def run(session: Session) -> None:
        driver: Any = session.connection().connection.dbapi_connection
        driver.set_progress_handler(count, STEP)
        try:
            work(session, *args)
        finally:
            driver.set_progress_handler(None, 0)

    await database.read(run)
    return steps
