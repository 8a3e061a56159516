"""Queries about the vote log and its exclusions; rows are added and read, never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from arena.store.tables import EndpointRow, ExclusionRow, VoteRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import Row
    from sqlalchemy.orm import Session

    from arena.terms import Outcome


def of_battle(session: Session, battle_id: str) -> VoteRow | None:
    """The vote of one battle."""
    return session.scalar(select(VoteRow).where(VoteRow.battle_id == battle_id))


def by_key(session: Session, voter_key: str, idempotency_key: str) -> VoteRow | None:
    """The vote that this voter cast with this idempotency key."""
    return session.scalar(
        select(VoteRow).where(VoteRow.voter_key == voter_key, VoteRow.idempotency_key == idempotency_key)
    )


def by_number(session: Session, number: int) -> VoteRow | None:
    """The vote at one place of the log."""
    return session.get(VoteRow, number)


def last_number(session: Session) -> int:
    """The number of the newest vote, 0 for an empty log."""
    return session.scalar(select(func.max(VoteRow.number))) or 0


def last_exclusion(session: Session) -> int:
    """The number of the newest exclusion, 0 if there is none."""
    return session.scalar(select(func.max(ExclusionRow.number))) or 0


def count(session: Session) -> int:
    """How many votes the log holds, counted or not."""
    return session.scalar(select(func.count()).select_from(VoteRow)) or 0


def known_ids(session: Session, ids: Iterable[str]) -> set[str]:
    """Which of these vote ids the log already holds."""
    wanted = list(ids)
    found: set[str] = set()
    for start in range(0, len(wanted), 500):
        found.update(session.scalars(select(VoteRow.id).where(VoteRow.id.in_(wanted[start : start + 500]))))
    return found


def counted(session: Session, last: int, last_exclusion: int) -> Sequence[Row[int, int, Outcome, str]]:
    """The columns a rating needs (endpoint a, endpoint b, outcome, voter) of every counted vote up to `last`, in order.

    An exclusion numbered above `last_exclusion` is not yet known to this view, so that a snapshot can be recomputed.
    """
    excluded = select(ExclusionRow.vote_number).where(ExclusionRow.number <= last_exclusion)
    return session.execute(
        select(VoteRow.endpoint_a_id, VoteRow.endpoint_b_id, VoteRow.outcome, VoteRow.voter_key)
        .where(VoteRow.number <= last, VoteRow.not_counted.is_(None), VoteRow.number.not_in(excluded))
        .order_by(VoteRow.number)
    ).all()


def log(
    session: Session, *, after: int = 0, limit: int | None = None
) -> Iterator[tuple[VoteRow, str, str, ExclusionRow | None]]:
    """Every vote numbered above `after`, `limit` at most, in order with both names and its exclusion."""
    left, right = EndpointRow.__table__.alias("left"), EndpointRow.__table__.alias("right")
    query = (
        select(VoteRow, left.c.name, right.c.name, ExclusionRow)
        .join(left, left.c.id == VoteRow.endpoint_a_id)
        .join(right, right.c.id == VoteRow.endpoint_b_id)
        .outerjoin(ExclusionRow, ExclusionRow.vote_number == VoteRow.number)
        .where(VoteRow.number > after)
        .order_by(VoteRow.number)
        .limit(limit)
        .execution_options(yield_per=1_000)
    )
    yield from session.execute(query)
