"""Fast reads of integer columns into numpy, without an object per row."""

from __future__ import annotations

import secrets
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from sqlalchemy import String, case, func, literal, literal_column, select
from sqlalchemy.util import await_only

from arena.adapters.store.engine.sessions import on_postgres

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import Session

_BETWEEN: Final = "\x1f"
"""Separator of two values of a joined column, which no value contains."""
_HALF: Final = np.uint64(32)
_WORD: Final = 8
"""Bytes that are hashed at once."""
_HEADER: Final = 19
_TRAILER: Final = 2
"""Bytes of the header and the trailer of PostgreSQL's binary COPY format."""
_BYTES: Final = 8
"""Those of an integer in it."""


def integers(session: Session, query: Select[*tuple[Any, ...]], names: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """The columns of `query` without NULL by `names` in order: 64-bit integers, or texts as a hash of 64 bits.

    The hash of a text differs by process on SQLite: it is for comparisons of what one process has read.
    """
    return (_copy if on_postgres(session) else _fetch)(session, query, names)


def index_in(column: ColumnElement[str], words: Sequence[str], start: int = 0) -> ColumnElement[int]:
    """The index of a column's text in `words`, which are in the database's order; by binary search in SQL."""
    half = len(words) // 2
    if not half:
        return literal(start)
    lower, upper = index_in(column, words[:half], start), index_in(column, words[half:], start + half)
    return case((column < words[half], lower), else_=upper)


def _fetch(session: Session, query: Select[*tuple[Any, ...]], names: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """Columns as one text each, which SQLite joins in half the time that its driver takes for a tuple per row.

    The separator is part of the statement, since a parameter takes half as long again.
    """
    columns = list(query.subquery().columns)
    joined = (func.group_concat(column, literal_column(f"'{_BETWEEN}'")) for column in columns)
    count, *texts = session.execute(select(func.count(), *joined)).one()
    return {
        name: (_hashes if isinstance(column.type, String) else _numbers)(text, count)
        for name, column, text in zip(names, columns, texts, strict=True)
    }


def _numbers(text: str | None, count: int) -> NDArray[np.int64]:
    return _complete(np.fromstring(text or "", np.int64, sep=_BETWEEN), count)


def _hashes(text: str | None, count: int) -> NDArray[np.int64]:
    """Hashes of the joined texts, those of one length at once: in a fifth of the time of an object for each."""
    data = np.frombuffer(f"{text}{_BETWEEN}".encode() if text is not None else b"", np.uint8)
    ends = _complete(np.flatnonzero(data == ord(_BETWEEN)), count)
    starts = np.append(0, ends[:-1] + 1)[:count]
    sizes, hashes = ends - starts + 1, np.empty(count, np.int64)  # with the separator
    for size in np.flatnonzero(np.bincount(sizes)).tolist():
        chosen = sizes == size
        hashes[chosen] = _hash_rows(sliding_window_view(data, size)[starts[chosen]])
    return hashes


@cache
def _factor() -> np.uint64:
    """Odd factor of this process's hashes of texts, so that nobody can choose texts that collide."""
    return np.uint64(secrets.randbits(64) | 1)


def _hash_rows(rows: NDArray[np.uint8]) -> NDArray[np.int64]:
    """A hash of each row of bytes: after each word of eight, its halves are mixed before and after the product."""
    padded = np.zeros((len(rows), -(-rows.shape[1] // _WORD) * _WORD), np.uint8)
    padded[:, : rows.shape[1]] = rows
    state = np.zeros(len(rows), np.uint64)
    for word in padded.view(np.uint64).T:
        state ^= word
        state ^= state >> _HALF
        state *= _factor()
        state ^= state >> _HALF
    return state.view(np.int64)


def _complete(column: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """The column, if it has all rows: SQLite leaves NULL out of a joined text."""
    if len(column) != count:
        raise ValueError(f"{len(column)} values in {count} rows")
    return column


def _copy(session: Session, query: Select[*tuple[Any, ...]], names: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """Columns by binary COPY: the number of fields, then the length and the bytes of each field, all big-endian."""
    connection: Any = session.connection().connection.driver_connection
    columns = query.selected_columns
    hashed = (func.hashtextextended(column, 0) if isinstance(column.type, String) else column for column in columns)
    text = str(
        query.with_only_columns(*hashed, maintain_column_froms=True).compile(
            session.connection(), compile_kwargs={"literal_binds": True}
        )
    )
    pieces = list[bytes]()

    async def keep(piece: bytes) -> None:
        pieces.append(piece)

    await_only(connection.copy_from_query(text, output=keep, format="binary"))
    fields = [field for name in names for field in ((f"length of {name}", ">i4"), (name, ">i8"))]
    row = np.dtype([("fields", ">i2"), *fields])
    data = b"".join(pieces)
    count, rest = divmod(len(data) - _HEADER - _TRAILER, row.itemsize)
    rows = np.frombuffer(data, row, count=count, offset=_HEADER)
    if rest or any((rows[f"length of {name}"] != _BYTES).any() for name in names):
        raise ValueError("a value is not an integer of 64 bits")
    return {name: rows[name].astype(np.int64) for name in names}
