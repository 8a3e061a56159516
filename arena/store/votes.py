"""Queries about the vote log and its exclusions; rows are added and read, never changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from sqlalchemy import BigInteger, String, and_, case, cast, exists, func, or_, select

from arena.store.integers import integers
from arena.store.settled import settled
from arena.store.tables import BattleRow, EndpointRow, ExclusionRow, VoteRow
from arena.terms import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import Session


_CODES: Final = {outcome.value: code for code, outcome in enumerate(Outcome)}
_MIRRORED: Final = {Outcome.A: Outcome.B, Outcome.B: Outcome.A}
_ENDPOINTS: Final = 2**30
"""More endpoints than there can be; two of them and an outcome fit one integer."""
_LEFT: Final = EndpointRow.__table__.alias("left")
_RIGHT: Final = EndpointRow.__table__.alias("right")


def of_battle(session: Session, battle_id: str) -> VoteRow | None:
    """The vote of one battle."""
    return session.scalar(select(VoteRow).where(VoteRow.battle_id == battle_id))


def place(session: Session, battle_id: str, voter_key: str) -> tuple[int, int, int] | None:
    """The number and the two endpoints of a battle's vote, if this voter holds the battle."""
    query = select(VoteRow.number, VoteRow.endpoint_a_id, VoteRow.endpoint_b_id).join(
        BattleRow, BattleRow.id == VoteRow.battle_id
    )
    row = session.execute(query.where(VoteRow.battle_id == battle_id, BattleRow.voter_key == voter_key)).one_or_none()
    return None if row is None else (row.number, row.endpoint_a_id, row.endpoint_b_id)


def of_pair(session: Session, a: int, b: int, *, before: int) -> dict[Outcome, int]:
    """The counted votes on two endpoints numbered below `before`, by outcome, with `a` on side A."""
    pairs = ((a, b), (b, a))
    query = (
        select(VoteRow.endpoint_a_id, VoteRow.outcome, func.count())
        .where(or_(*(and_(VoteRow.endpoint_a_id == left, VoteRow.endpoint_b_id == right) for left, right in pairs)))
        .where(VoteRow.not_counted.is_(None), VoteRow.number < before)
        .where(~exists().where(ExclusionRow.vote_number == VoteRow.number))
        .group_by(VoteRow.endpoint_a_id, VoteRow.outcome)
    )
    found: Counter[Outcome] = Counter()
    for left, outcome, count in session.execute(query):
        found[outcome if left == a else _MIRRORED.get(outcome, outcome)] += count
    return found


def by_key(session: Session, voter_key: str, idempotency_key: str) -> VoteRow | None:
    """The vote that this voter cast with this idempotency key."""
    return session.scalar(
        select(VoteRow).where(VoteRow.voter_key == voter_key, VoteRow.idempotency_key == idempotency_key)
    )


def by_number(session: Session, number: int) -> VoteRow | None:
    """The vote at one place of the log."""
    return session.get(VoteRow, number)


def last_number(session: Session) -> int:
    """How far the log is settled, 0 for an empty one: no vote up to this number will appear any more."""
    return settled(session, VoteRow.number)


def last_exclusion(session: Session) -> int:
    """The same of the exclusions."""
    return settled(session, ExclusionRow.number)


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
    """The countable votes numbered from `after` + 1 to `last`: their numbers and their words (see `unpack`)."""
    code = case(_CODES, value=cast(VoteRow.outcome, String))
    pair = cast(VoteRow.endpoint_a_id, BigInteger) * _ENDPOINTS + VoteRow.endpoint_b_id
    query = (
        select(VoteRow.number, pair * len(Outcome) + code)
        .where(VoteRow.number > after, VoteRow.number <= last, VoteRow.not_counted.is_(None))
        .order_by(VoteRow.number)
    )
    read = integers(session, query, ("number", "word"))
    return read["number"], read["word"]


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


def facets(session: Session, *, after: int, last: int) -> Iterator[tuple[int, str | None, str | None, str | None]]:
    """Number, language, category and style (JSON) of the votes that `columns` reads, straight from the cursor."""
    query = (
        select(VoteRow.number, VoteRow.language, VoteRow.category, cast(VoteRow.style, String))
        .where(VoteRow.number > after, VoteRow.number <= last, VoteRow.not_counted.is_(None))
        .order_by(VoteRow.number)
    )
    result = session.connection().execute(query)
    cursor: Any = result.cursor
    yield from cursor
    result.close()


def left_out(session: Session, *, last: int, exclusion: int) -> dict[str, int]:
    """How many votes up to `last` do not count, by reason; with the exclusions up to number `exclusion`."""
    judged = select(cast(VoteRow.not_counted, String), func.count()).where(
        VoteRow.not_counted.is_not(None), VoteRow.number <= last
    )
    said = (
        select(ExclusionRow.reason, func.count())
        .join(VoteRow, VoteRow.number == ExclusionRow.vote_number)
        .where(VoteRow.number <= last, ExclusionRow.number <= exclusion, VoteRow.not_counted.is_(None))
    )
    found = [
        *session.execute(judged.group_by(VoteRow.not_counted)),
        *session.execute(said.group_by(ExclusionRow.reason)),
    ]
    return {str(reason): count for reason, count in found}


def log(
    session: Session, *, after: int = 0, limit: int | None = None, unlisted: bool = False
) -> Iterator[tuple[VoteRow, str, str, ExclusionRow | None]]:
    """Every vote numbered above `after`, `limit` at most, in order with both names and its exclusion.

    Votes on endpoints that are not listed are left out unless `unlisted` asks for them.
    """
    query = _log(_LEFT.c.name, _RIGHT.c.name, after, limit)
    yield from session.execute(query if unlisted else query.where(_LEFT.c.listed, _RIGHT.c.listed))


def of_endpoint(
    session: Session, endpoint_id: int, *, after: int, limit: int
) -> Iterator[tuple[VoteRow, str | None, str | None, ExclusionRow | None]]:
    """The same of the votes on one endpoint; an opponent that is not listed has no name here."""
    a, b = (case((or_(side.c.listed, side.c.id == endpoint_id), side.c.name)) for side in (_LEFT, _RIGHT))
    own = or_(VoteRow.endpoint_a_id == endpoint_id, VoteRow.endpoint_b_id == endpoint_id)
    yield from session.execute(_log(a, b, after, limit).where(own))


def _log(
    a: ColumnElement[Any], b: ColumnElement[Any], after: int, limit: int | None
) -> Select[VoteRow, Any, Any, ExclusionRow]:
    return (
        select(VoteRow, a, b, ExclusionRow)
        .join(_LEFT, _LEFT.c.id == VoteRow.endpoint_a_id)
        .join(_RIGHT, _RIGHT.c.id == VoteRow.endpoint_b_id)
        .outerjoin(ExclusionRow, ExclusionRow.vote_number == VoteRow.number)
        .where(VoteRow.number > after)
        .order_by(VoteRow.number)
        .limit(limit)
        .execution_options(yield_per=1_000)
    )
