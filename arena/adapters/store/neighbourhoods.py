"""Neighbourhoods of addresses: their daily activity, and the origins of counted votes.

Activity is counted in the transaction of each battle or vote. The upsert locks the neighbourhood's row until its end,
so that no two votes get the same number.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, delete, func, insert, select, update

from arena.adapters.store.engine.sessions import upsert
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.integrity import OriginRow
from arena.adapters.store.tables.people import NeighbourhoodRow

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from arena.domain.terms import Neighbourhood


@dataclass(frozen=True, slots=True)
class Day:
    """Activity of all neighbourhoods on a day; `cast` counts all votes, `votes` countable ones, `most_votes` of one."""

    neighbourhoods: int
    battles: int
    votes: int
    most_votes: int
    cast: int


_COUNTS: Final = ("battles", "voted", "countable")


def begin(session: Session, place: Neighbourhood) -> tuple[int, int]:
    """Count a battle; returns the numbers of the day's battles, this one included, and votes."""
    ((battles, voted, _),) = _add(session, {place: (1, 0, 0)}).values()
    return battles, voted


def give_back(session: Session, place: Neighbourhood) -> None:
    """Uncount a battle whose models failed; does nothing after the day's row is deleted."""
    row = NeighbourhoodRow
    session.execute(update(row).where(row.day == place.day, row.digest == place.digest).values(battles=row.battles - 1))


def vote(session: Session, votes: Sequence[tuple[Neighbourhood, bool]]) -> list[int]:
    """Count votes, each with whether it is countable by the other rules.

    Returns for each vote its number among the countable ones of its neighbourhood.
    """
    cast, countable = Counter(place for place, _ in votes), Counter(place for place, counts in votes if counts)
    result = _add(session, {place: (0, cast[place], countable[place]) for place in cast})
    number = {place: result[place.digest][2] - countable[place] for place in cast}
    numbers: list[int] = []
    for place, counts in votes:
        number[place] += counts
        numbers.append(number[place])
    return numbers


def day(session: Session, day: date) -> Day:
    """The sums of a day, and the most countable votes of one neighbourhood."""
    row = NeighbourhoodRow
    columns = (
        func.count(),
        func.sum(row.battles),
        func.sum(row.countable),
        func.max(row.countable),
        func.sum(row.voted),
    )
    return Day(*(count or 0 for count in session.execute(select(*columns).where(row.day == day)).one()))


def warn(session: Session, day: date) -> bool:
    """Record a warning of the operator about a day; False if there was one before."""
    row = NeighbourhoodRow
    if session.scalar(select(row.warned).where(row.day == day, row.warned).limit(1)):
        return False
    session.execute(update(row).where(row.day == day).values(warned=True))
    return True


def forget_before(session: Session, day: date) -> None:
    """Delete the counts of earlier days."""
    session.execute(delete(NeighbourhoodRow).where(NeighbourhoodRow.day < day))


def _add(session: Session, counts: Mapping[Neighbourhood, tuple[int, int, int]]) -> dict[str, tuple[int, int, int]]:
    """Add battles, votes and countable votes, in one order to prevent deadlocks; returns the sums by digest."""
    if not counts:
        return {}
    row, new = NeighbourhoodRow, upsert(session, NeighbourhoodRow)
    sums = {name: row.__table__.c[name] + new.excluded[name] for name in _COUNTS}
    statement = new.on_conflict_do_update(index_elements=["day", "digest"], set_=sums)
    values = [
        {**place._asdict(), **dict(zip(_COUNTS, counts[place], strict=True)), "warned": False}
        for place in sorted(counts)
    ]
    columns = row.digest, row.battles, row.voted, row.countable
    rows = session.connection().execute(statement.returning(*columns), values)
    return {digest: (battles, voted, countable) for digest, battles, voted, countable in rows}


_LONGEST_NUMBER: Final = 20
"""Most digits of a number that has replaced a digest; digests are longer."""
_ADD: Final = insert(OriginRow)
_RELABEL: Final = update(OriginRow).where(OriginRow.number == bindparam("vote")).values(network=bindparam("label"))


def add_origins(session: Session, rows: Sequence[Mapping[str, object]]) -> None:
    """Store origins of votes, each the columns of an `OriginRow`."""
    if rows:
        session.connection().execute(_ADD, list(rows))


def first_weeks(session: Session, digests: Collection[str]) -> dict[str, date | None]:
    """The week of the first vote of each of these neighbourhoods, None if unknown; without those that never voted.

    A digest lasts a week, so callers must include the digests of earlier weeks.
    """
    row = OriginRow
    query = select(row.network, func.min(row.since)).where(row.network.in_(digests)).group_by(row.network)
    return {digest: since for digest, since in session.execute(query) if digest}


def origins(session: Session, *, after: int, last: int) -> Iterator[tuple[object, ...]]:
    """Votes with an origin numbered from `after` + 1 to `last`, in order.

    Columns: number, time, both endpoints, outcome, voter key, network, since, language, tier, client, reading seconds.
    """
    vote = VoteRow
    query = (
        select(
            *(vote.number, vote.created_at, vote.endpoint_a_id, vote.endpoint_b_id, vote.outcome, vote.voter_key),
            *(OriginRow.network, OriginRow.since, vote.language, OriginRow.tier, OriginRow.client, vote.seconds),
        )
        .join_from(OriginRow, vote, vote.number == OriginRow.number)
        .where(OriginRow.number > after, OriginRow.number <= last)
        .order_by(OriginRow.number)
        .execution_options(yield_per=5_000)
    )
    yield from (tuple(row) for row in session.execute(query))


def oldest_key(session: Session) -> datetime | None:
    """The time of the oldest vote whose origin still has a digest, or None."""
    query = (
        select(VoteRow.created_at)
        .join(OriginRow, OriginRow.number == VoteRow.number)
        .where(func.length(OriginRow.network) > _LONGEST_NUMBER)
        .order_by(OriginRow.number)
    )
    return session.scalar(query.limit(1))


def drop_keys(session: Session, start: datetime, end: datetime) -> int:
    """Replace the digests of a week's neighbourhoods by numbers in order of appearance; returns their number.

    Votes with equal digests get equal numbers, so the gate's results stay, and no secret leads back to an address.
    """
    query = (
        select(OriginRow.number, OriginRow.network)
        .join(VoteRow, VoteRow.number == OriginRow.number)
        .where(VoteRow.created_at >= start, VoteRow.created_at < end, func.length(OriginRow.network) > _LONGEST_NUMBER)
        .order_by(OriginRow.number)
    )
    labels: dict[str, str] = {}
    rows = [
        {"vote": number, "label": labels.setdefault(network or "", str(len(labels) + 1))}
        for number, network in session.execute(query)
    ]
    if rows:
        session.connection().execute(_RELABEL, rows)
    return len(labels)
