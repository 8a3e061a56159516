"""Queries about the vote log and its exclusions; rows are added and read, never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sqlalchemy import BigInteger, String, case, cast, func, select

from arena.store.tables import EndpointRow, ExclusionRow, VoteRow
from arena.terms import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session


_CODES: Final = {outcome.value: code for code, outcome in enumerate(Outcome)}
_ENDPOINTS: Final = 2**30
"""More endpoints than there can be; two of them and an outcome fit one integer."""


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


def columns(session: Session, *, after: int, last: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The countable votes numbered from `after` + 1 to `last`: their numbers and their words (see `unpack`).

    Read straight from the driver's cursor: building a row object for each vote would take three times as long.
    """
    code = case(_CODES, value=cast(VoteRow.outcome, String))
    pair = cast(VoteRow.endpoint_a_id, BigInteger) * _ENDPOINTS + VoteRow.endpoint_b_id
    query = (
        select(VoteRow.number, pair * len(Outcome) + code)
        .where(VoteRow.number > after, VoteRow.number <= last, VoteRow.not_counted.is_(None))
        .order_by(VoteRow.number)
    )
    result = session.connection().execute(query)
    cursor: Any = result.cursor
    read = np.fromiter(cursor, dtype=[("number", np.int64), ("word", np.int64)])
    result.close()
    return read["number"].copy(), read["word"].copy()


def unpack(words: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Endpoint a, endpoint b and the outcome's place in `Outcome`, of words that `columns` has read."""
    pairs, outcome = np.divmod(words, len(Outcome))
    left, right = np.divmod(pairs, _ENDPOINTS)
    return left, right, outcome


def excluded(session: Session, *, after: int, last: int) -> Sequence[int]:
    """The votes that the exclusions numbered from `after` + 1 to `last` take out."""
    return session.scalars(
        select(ExclusionRow.vote_number).where(ExclusionRow.number > after, ExclusionRow.number <= last)
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
