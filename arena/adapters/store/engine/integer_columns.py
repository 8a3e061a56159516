"""Fast reads of integer columns into numpy, without an object per row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sqlalchemy import case, literal
from sqlalchemy.util import await_only

from arena.adapters.store.engine.sessions import on_postgres

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import Session

_HEADER: Final = 19
_TRAILER: Final = 2
"""Bytes of the header and the trailer of PostgreSQL's binary COPY format."""


def integers(session: Session, query: Select[*tuple[int, ...]], names: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """The columns of `query`, which are 64-bit integers without NULL, by `names` in order."""
    rows = (_copy if on_postgres(session) else _fetch)(session, query, names)
    return {name: rows[name].astype(np.int64) for name in names}


def index_in(column: ColumnElement[str], words: Sequence[str], start: int = 0) -> ColumnElement[int]:
    """The index of a column's text in `words`, which are in the database's order; by binary search in SQL."""
    half = len(words) // 2
    if not half:
        return literal(start)
    lower, upper = index_in(column, words[:half], start), index_in(column, words[half:], start + half)
    return case((column < words[half], lower), else_=upper)


def _fetch(session: Session, query: Select[*tuple[int, ...]], names: Sequence[str]) -> NDArray[Any]:
    """Rows from the driver's cursor, as SQLAlchemy's row objects would take three times as long."""
    result = session.connection().execute(query)
    cursor: Any = result.cursor
    rows = np.fromiter(cursor, dtype=[(name, np.int64) for name in names])
    result.close()
    return rows


def _copy(session: Session, query: Select[*tuple[int, ...]], names: Sequence[str]) -> NDArray[Any]:
    """Rows by binary COPY: the number of fields, then the length and the bytes of each field, all big-endian."""
    connection: Any = session.connection().connection.driver_connection
    text = str(query.compile(session.connection(), compile_kwargs={"literal_binds": True}))
    pieces = list[bytes]()

    async def keep(piece: bytes) -> None:
        pieces.append(piece)

    await_only(connection.copy_from_query(text, output=keep, format="binary"))
    fields = [field for name in names for field in ((f"length of {name}", ">i4"), (name, ">i8"))]
    row = np.dtype([("fields", ">i2"), *fields])
    data = b"".join(pieces)
    return np.frombuffer(data, row, count=(len(data) - _HEADER - _TRAILER) // row.itemsize, offset=_HEADER)
