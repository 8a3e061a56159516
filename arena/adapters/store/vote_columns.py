"""The countable votes as two columns of integers: their numbers, and both endpoints with the outcome in one word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from sqlalchemy import BigInteger, String, case, cast, func, select

from arena.adapters.store.integer_columns import integers
from arena.adapters.store.locks import on_postgres
from arena.adapters.store.tables import VoteRow
from arena.adapters.store.votes import last_number
from arena.domain.terms import Outcome

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    Columns = tuple[NDArray[np.int64], NDArray[np.int64]]

_CODES: Final = {outcome.value: code for code, outcome in enumerate(Outcome)}
_CODE: Final = case(_CODES, value=cast(VoteRow.outcome, String))
_OUTCOME_BITS: Final = 2
_ENDPOINT_BITS: Final = 30
"""Bits of an endpoint's id, so that two of them and an outcome fit one 64-bit integer."""


def columns(session: Session, *, after: int, last: int) -> Columns:
    """The countable votes numbered from `after` + 1 to `last`, ascending: numbers and words (see `unpack`)."""
    if after == 0 and not on_postgres(session) and last == last_number(session):
        return _whole(session, last)
    pair = cast(VoteRow.endpoint_a_id, BigInteger) * 2**_ENDPOINT_BITS + VoteRow.endpoint_b_id
    query = (
        select(VoteRow.number, pair * 2**_OUTCOME_BITS + _CODE)
        .where(VoteRow.number > after, VoteRow.number <= last, VoteRow.not_counted.is_(None))
        .order_by(VoteRow.number)
    )
    read = integers(session, query, ("number", "word"))
    return read["number"], read["word"]


def unpack(words: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Endpoint a, endpoint b and the outcome's index in `Outcome`, from the words of `columns`."""
    # Of powers of two a division is a shift, a tenth of its time.
    pairs, outcome = words >> _OUTCOME_BITS, words & (2**_OUTCOME_BITS - 1)
    return pairs >> _ENDPOINT_BITS, pairs & (2**_ENDPOINT_BITS - 1), outcome


def _whole(session: Session, last: int) -> Columns:
    """The whole log of a SQLite file in 40 % of the time, from the index of pairs: one row and one text for each pair.

    Numbers and outcomes of a pair arrive as a list of decimals, so that neither the driver nor Python sees a vote.
    """
    coded = func.group_concat(VoteRow.number * 2**_OUTCOME_BITS + _CODE).filter(VoteRow.not_counted.is_(None))
    pair = VoteRow.endpoint_a_id, VoteRow.endpoint_b_id
    found = [row for row in session.execute(select(*pair, coded).group_by(*pair)) if row[2]]
    if not found:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    texts = [text for _, _, text in found]
    codes = np.fromstring(",".join(texts), np.int64, sep=",")
    pairs = [((a << _ENDPOINT_BITS) + b) << _OUTCOME_BITS for a, b, _ in found]
    words = np.zeros(last + 1, np.int64)
    of_pair = np.repeat(np.array(pairs, np.int64), [text.count(",") + 1 for text in texts])
    words[codes >> _OUTCOME_BITS] = of_pair + (codes & 2**_OUTCOME_BITS - 1)
    numbers = np.flatnonzero(words)  # no word is 0, as ids of endpoints begin at 1
    return numbers, words[numbers]
