"""Queries about the leaves of the transparency log. Whoever changes what a leaf tells writes it in that transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, insert, select

from arena.adapters.store.log_positions import settled
from arena.adapters.store.tables import ImportRow, LeafRow, VoteRow
from arena_trust.tlog.leaves import LeafKind, encode_leaf, parse_leaf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

_ADD: Final = insert(LeafRow.__table__)  # pyright: ignore[reportArgumentType]
_ADD_ONE: Final = _ADD.returning(LeafRow.number)


def add(session: Session, kind: LeafKind, **fields: Any) -> int:  # noqa: ANN401 - whatever JSON takes
    """Append a leaf in clear; returns its number."""
    row = {"kind": kind, "data": encode_leaf(kind, **fields), "nonce": None, "vote_number": None, "listed": None}
    return session.connection().execute(_ADD_ONE, row).scalar_one()


def add_votes(session: Session, leaves: Sequence[tuple[int, bytes, bytes, bool]]) -> None:
    """Append leaves of votes, each with number, bytes, nonce, and whether both models are listed."""
    rows = [
        {"kind": LeafKind.VOTE, "data": data, "nonce": nonce, "vote_number": number, "listed": listed}
        for number, data, nonce, listed in leaves
    ]
    session.connection().execute(_ADD, rows)


def add_import(session: Session, *, first: int, last: int, votes: int, listed: int, file: str, rows: str) -> None:
    """Append the leaf of an import: the digest of its file and that of its canonical votes, and their numbers.

    `listed` is how many of its `votes` are on listed models.
    """
    session.add(ImportRow(first=first, last=last, votes=votes, file=file))
    session.flush()
    add(session, LeafKind.IMPORT, first=first, last=last, votes=votes, listed=listed, file=file, rows=rows)


def imports(session: Session) -> list[tuple[int, int, str]]:
    """First and last number and file digest of each import, in order."""
    query = select(ImportRow.first, ImportRow.last, ImportRow.file).order_by(ImportRow.first)
    return [(first, last, file) for first, last, file in session.execute(query)]


def last(session: Session) -> int:
    """Number up to which the leaves are settled."""
    return settled(session, LeafRow.number)


def after(session: Session, number: int, *, last: int, limit: int) -> list[tuple[int, bytes]]:
    """At most `limit` leaves numbered above `number` and up to `last`, in order; the first of each log is left out."""
    query = (
        select(LeafRow.number, LeafRow.data)
        .where(LeafRow.number > number, LeafRow.number <= last, LeafRow.kind != LeafKind.ORIGIN)
        .order_by(LeafRow.number)
        .limit(limit)
    )
    return [(found, data) for found, data in session.connection().execute(query)]


def of_kind(session: Session, kind: LeafKind) -> list[tuple[int, bytes]]:
    """Number and bytes of the leaves of a kind, in order."""
    query = select(LeafRow.number, LeafRow.data).where(LeafRow.kind == kind)
    return [(found, data) for found, data in session.execute(query.order_by(LeafRow.number))]


def erased(session: Session) -> list[int]:
    """Numbers of the votes that were erased."""
    return [parse_leaf(data)["vote"] for _, data in of_kind(session, LeafKind.ERASURE)]


def between(session: Session, number: int, last: int) -> int:
    """How many leaves `after` would find without a limit."""
    found = (LeafRow.number > number, LeafRow.number <= last, LeafRow.kind != LeafKind.ORIGIN)
    return session.scalar(select(func.count()).select_from(LeafRow).where(*found)) or 0


def of_vote(session: Session, number: int) -> LeafRow | None:
    """The leaf of one vote."""
    return session.scalar(select(LeafRow).where(LeafRow.vote_number == number))


def oldest_vote(session: Session, number: int) -> datetime | None:
    """When the first vote was cast whose leaf is numbered above `number`."""
    query = (
        select(VoteRow.created_at)
        .join(LeafRow, LeafRow.vote_number == VoteRow.number)
        .where(LeafRow.number > number)
        .order_by(LeafRow.number)
        .limit(1)
    )
    return session.scalar(query)


def stream(session: Session, number: int, last: int) -> Iterator[tuple[int, bytes]]:
    """All leaves numbered above `number` and up to `last`, in order, a few at a time."""
    while piece := after(session, number, last=last, limit=10_000):
        yield from piece
        number = piece[-1][0]
