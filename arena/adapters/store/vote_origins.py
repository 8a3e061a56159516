"""Origins of counted votes, written with them; the keys of neighbourhoods are dropped after their week."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, func, select, text, update

from arena.adapters.store.locks import on_postgres
from arena.adapters.store.tables import OriginRow, VoteRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import TextClause
    from sqlalchemy.orm import Session


def _insert(source: str, field: str) -> TextClause:
    """Add several origins by the ids of their votes; `field` is the template that reads an element of a row."""
    vote, *values = (field.format(place) for place in range(4))
    return text(
        "INSERT INTO vote_origins (number, network, tier, client)"  # noqa: S608 - no input
        f" SELECT votes.number, {', '.join(values)} FROM {source} CROSS JOIN votes WHERE votes.id = {vote}"
    )


_ADD: Final = {
    False: _insert("json_each(:rows) AS given", "json_extract(given.value, '$[{}]')"),
    True: _insert("json_array_elements(CAST(:rows AS json)) AS given (entry)", "given.entry ->> {}"),
}
"""By whether the database is PostgreSQL."""
_LONGEST_NUMBER: Final = 20
"""Digits of a number that stands for a neighbourhood; digests are longer."""
_RELABEL: Final = update(OriginRow).where(OriginRow.number == bindparam("vote")).values(network=bindparam("label"))


def add(session: Session, rows: Sequence[tuple[str, str, str, str]]) -> None:
    """Store origins of votes of this transaction: id of the vote, network, tier and client."""
    if rows:
        session.connection().execute(_ADD[on_postgres(session)], {"rows": dumps(rows)})


def read(session: Session, *, after: int, last: int) -> Iterator[tuple[Any, ...]]:
    """Votes with an origin numbered from `after` + 1 to `last`, in order.

    Each is: number, time, both endpoints, outcome, voter key, network, language, tier, client and reading seconds.
    """
    vote = VoteRow
    query = (
        select(
            *(vote.number, vote.created_at, vote.endpoint_a_id, vote.endpoint_b_id, vote.outcome, vote.voter_key),
            *(OriginRow.network, vote.language, OriginRow.tier, OriginRow.client, vote.seconds),
        )
        .join_from(OriginRow, vote, vote.number == OriginRow.number)
        .where(OriginRow.number > after, OriginRow.number <= last)
        .order_by(OriginRow.number)
        .execution_options(yield_per=5_000)
    )
    yield from (tuple(row) for row in session.execute(query))


def oldest_key(session: Session) -> datetime | None:
    """When the oldest vote was cast whose neighbourhood is still known by its digest."""
    query = (
        select(VoteRow.created_at)
        .join(OriginRow, OriginRow.number == VoteRow.number)
        .where(func.length(OriginRow.network) > _LONGEST_NUMBER)
        .order_by(OriginRow.number)
    )
    return session.scalar(query.limit(1))


def drop_keys(session: Session, start: datetime, end: datetime) -> int:
    """Replace the digests of a week's neighbourhoods by numbers in order of appearance; returns how many there were.

    Votes that shared a digest share a number, so that the gate judges them as before, and no secret leads back from it.
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
