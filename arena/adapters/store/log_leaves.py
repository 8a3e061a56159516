"""Queries about the leaves of the transparency log, and about votes without one (unlogged votes).

A leaf is written in the transaction of its content. So a vote without a leaf was neither cast nor imported by the
arena, and never counts. Imported votes share the leaf of their import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import exists, false, func, insert, or_, select, update

from arena.adapters.store.engine.sessions import settled, upsert
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.transparency import ImportRow, LeafRow, UnloggedVoteRow
from arena_trust.tlog.leaves import LeafKind, encode_leaf, parse_leaf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import InstrumentedAttribute, Session


_PAIRS_PER_LEAF: Final = 60
"""Most pairs of models in a leaf, whose names may have 80 characters of 6 bytes each."""
_ADD: Final = insert(LeafRow.__table__)  # pyright: ignore[reportArgumentType]
_ADD_ONE: Final = _ADD.returning(LeafRow.number)


def add(session: Session, kind: LeafKind, **fields: object) -> int:
    """Append a leaf without a nonce; returns its number."""
    row = {"kind": kind, "data": encode_leaf(kind, **fields), "nonce": None, "vote_number": None, "listed": None}
    return session.connection().execute(_ADD_ONE, row).scalar_one()


def add_votes(session: Session, leaves: Sequence[tuple[int, bytes, bytes, bool]]) -> None:
    """Append leaves of votes, each with number, bytes, nonce, and whether both models are listed."""
    rows = [
        {"kind": LeafKind.VOTE, "data": data, "nonce": nonce, "vote_number": number, "listed": listed}
        for number, data, nonce, listed in leaves
    ]
    session.connection().execute(_ADD, rows)


def add_import(
    session: Session,
    *,
    first: int,
    last: int,
    votes: int,
    listed: int,
    file: str,
    rows: str,
    pairs: Sequence[tuple[str, str, int, str]],
) -> None:
    """Append the leaves of an import; `file` and `rows` are the digests of its file and of its canonical votes.

    `listed` is the number of its `votes` on listed models, and `pairs` has number and digest of those of each pair of
    such models. Pairs have leaves of their own, since a leaf has 65,535 bytes at most.
    """
    session.add(ImportRow(first=first, last=last, votes=votes, file=file))
    session.flush()
    add(session, LeafKind.IMPORT, first=first, last=last, votes=votes, listed=listed, file=file, rows=rows)
    for start in range(0, len(pairs), _PAIRS_PER_LEAF):
        add(session, LeafKind.IMPORT_PAIRS, first=first, pairs=pairs[start : start + _PAIRS_PER_LEAF])


def imports(session: Session) -> list[tuple[int, int, str]]:
    """First and last number and file digest of each import, in order."""
    query = select(ImportRow.first, ImportRow.last, ImportRow.file).order_by(ImportRow.first)
    return [(first, last, file) for first, last, file in session.execute(query)]


def imported_votes(session: Session, last: int) -> int:
    """The number of imported votes among those up to the number `last`."""
    return int(session.scalar(select(func.sum(ImportRow.votes)).where(ImportRow.last <= last)) or 0)


def last(session: Session) -> int:
    """Number up to which the leaves are settled."""
    return settled(session, LeafRow.number)


def after(session: Session, number: int, *, last: int, limit: int) -> list[tuple[int, bytes]]:
    """At most `limit` leaves numbered above `number` and up to `last`, in order, without the first one of each log."""
    query = (
        select(LeafRow.number, LeafRow.data)
        .where(LeafRow.number > number, LeafRow.number <= last, LeafRow.kind != LeafKind.ORIGIN)
        .order_by(LeafRow.number)
        .limit(limit)
    )
    return [(number, data) for number, data in session.connection().execute(query)]


def of_kind(session: Session, kind: LeafKind) -> list[tuple[int, bytes]]:
    """Number and bytes of the leaves of a kind, in order."""
    query = select(LeafRow.number, LeafRow.data).where(LeafRow.kind == kind)
    return [(number, data) for number, data in session.execute(query.order_by(LeafRow.number))]


def erased(session: Session) -> list[int]:
    """Numbers of the votes that were erased."""
    return [parse_leaf(data)["vote"] for _, data in of_kind(session, LeafKind.ERASURE)]


def between(session: Session, number: int, last: int) -> int:
    """The number of leaves that `after` would return without a limit."""
    condition = (LeafRow.number > number, LeafRow.number <= last, LeafRow.kind != LeafKind.ORIGIN)
    return session.scalar(select(func.count()).select_from(LeafRow).where(*condition)) or 0


def of_vote(session: Session, number: int) -> LeafRow | None:
    """The leaf of one vote."""
    return session.scalar(select(LeafRow).where(LeafRow.vote_number == number))


def oldest_vote(session: Session, number: int) -> datetime | None:
    """The time of the first vote whose leaf is numbered above `number`, or None."""
    query = (
        select(VoteRow.created_at)
        .join(LeafRow, LeafRow.vote_number == VoteRow.number)
        .where(LeafRow.number > number)
        .order_by(LeafRow.number)
        .limit(1)
    )
    return session.scalar(query)


def stream(session: Session, number: int, last: int) -> Iterator[tuple[int, bytes]]:
    """All leaves numbered above `number` and up to `last`, in order, read in pieces."""
    while piece := after(session, number, last=last, limit=10_000):
        yield from piece
        number = piece[-1][0]


def search_unlogged(session: Session, *, after: int, last: int) -> list[int]:
    """Unlogged votes numbered from `after` + 1 to `last` that are not recorded yet, ascending.

    It is one statement, which sees a vote together with its leaf. A million votes take half a second on SQLite and
    several seconds on PostgreSQL.
    """
    # A file has thousands of imports, which do not overlap: the index finds the only one that a vote can be of.
    newest = select(ImportRow.last).where(ImportRow.first <= VoteRow.number).order_by(ImportRow.first.desc()).limit(1)
    imported = func.coalesce(newest.scalar_subquery() >= VoteRow.number, false())
    query = (
        select(VoteRow.number)
        .where(VoteRow.number > after, VoteRow.number <= last)
        .where(~exists().where(LeafRow.vote_number == VoteRow.number))
        .where(~exists().where(UnloggedVoteRow.number == VoteRow.number))
        .where(or_(VoteRow.battle_id.is_not(None), ~imported))
        .order_by(VoteRow.number)
    )
    return list(session.scalars(query))


def unlogged_votes(session: Session, *, after: int, last: int) -> list[int]:
    """All unlogged votes numbered from `after` + 1 to `last`, which must be settled, ascending.

    It compares counts of votes, leaves and imports first, which is ten times as fast as a search.
    """
    numbers = list(session.scalars(select(UnloggedVoteRow.number).where(*_range(UnloggedVoteRow.number, after, last))))
    imported = select(func.coalesce(func.sum(ImportRow.votes), 0)).where(*_range(ImportRow.first, after, last))
    logged = _count(session, LeafRow.vote_number, after, last) + (session.scalar(imported) or 0)
    if _count(session, VoteRow.number, after, last) == logged + len(numbers):
        return sorted(numbers)
    return sorted({*numbers, *search_unlogged(session, after=after, last=last)})


def add_unlogged(session: Session, numbers: Sequence[int], now: datetime) -> None:
    """Record unlogged votes; existing records stay unchanged."""
    if numbers:
        query = upsert(session, UnloggedVoteRow).on_conflict_do_nothing()
        session.execute(query, [{"number": number, "seen_at": now} for number in numbers])


def pending_unlogged(session: Session) -> list[int]:
    """The unlogged votes without a leaf of the operator about them, ascending."""
    query = select(UnloggedVoteRow.number).where(UnloggedVoteRow.leaf.is_(None))
    return list(session.scalars(query.order_by(UnloggedVoteRow.number)))


def set_unlogged_leaf(session: Session, numbers: Sequence[int], leaf: int) -> None:
    """Record the leaf in which the operator states that these votes are unlogged."""
    session.execute(update(UnloggedVoteRow).where(UnloggedVoteRow.number.in_(numbers)).values(leaf=leaf))


def _count(session: Session, number: InstrumentedAttribute[Any], after: int, last: int) -> int:
    return session.scalar(select(func.count(number)).where(*_range(number, after, last))) or 0


def _range(number: InstrumentedAttribute[Any], after: int, last: int) -> tuple[ColumnElement[bool], ...]:
    return number > after, number <= last
