"""The countable votes as columns of integers: number, a word of endpoints and outcome, a hash of voter and day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import BigInteger, Date, String, case, cast, func, select

from arena.adapters.store.engine.integer_columns import integers
from arena.adapters.store.engine.sessions import on_postgres
from arena.adapters.store.tables.conversations import VoteRow
from arena.domain.terms import Outcome

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from arena.domain.terms import NotCounted

_CODES: Final = {outcome.value: code for code, outcome in enumerate(Outcome)}
_CODE: Final = case(_CODES, value=cast(VoteRow.outcome, String))
_OUTCOME_BITS: Final = 2
_ENDPOINT_BITS: Final = 30
"""Bits of an endpoint's id: two ids and an outcome fit into a 64-bit integer."""


class VoteColumns(NamedTuple):
    """Columns of n votes, int64 [n] each: `words` for `unpack`; `voters`, equal for votes of a voter on a day (UTC)."""

    numbers: NDArray[np.int64]
    words: NDArray[np.int64]
    voters: NDArray[np.int64]


def packed_votes(session: Session, *, after: int, last: int, reason: NotCounted | None = None) -> VoteColumns:
    """The countable votes numbered from `after` + 1 to `last`, ascending, or those not counted for `reason`."""
    pair = cast(VoteRow.endpoint_a_id, BigInteger) * 2**_ENDPOINT_BITS + VoteRow.endpoint_b_id
    query = (
        select(VoteRow.number, pair * 2**_OUTCOME_BITS + _CODE, _voter_and_day(session))
        .where(VoteRow.number > after, VoteRow.number <= last, VoteRow.not_counted.is_not_distinct_from(reason))
        .order_by(VoteRow.number)
    )
    return VoteColumns(**integers(session, query, VoteColumns._fields))


def _voter_and_day(session: Session) -> ColumnElement[int]:
    """A 64-bit hash of voter and day; a million of them collide with a probability of about 3e-8."""
    if on_postgres(session):
        day = cast(cast(func.timezone("UTC", VoteRow.created_at), Date), String)
        return func.hashtextextended(VoteRow.voter_key + day, 0)
    return func.hash64(VoteRow.voter_key + func.substr(cast(VoteRow.created_at, String), 1, 10))


def unpack(words: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Endpoint a, endpoint b and the outcome's index in `Outcome`, from the words of `packed_votes`."""
    # Shifts and masks take a tenth of the time of divisions.
    pairs, outcome = words >> _OUTCOME_BITS, words & (2**_OUTCOME_BITS - 1)
    return pairs >> _ENDPOINT_BITS, pairs & (2**_ENDPOINT_BITS - 1), outcome
