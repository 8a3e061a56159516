"""Rows of votes with their origins, and their conversion to the gate's columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from arena_trust.integrity.cast_votes import UNKNOWN, CastVotes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

VoteWithOrigin = tuple[
    int, float, str, str, int, str, str | None, str | None, str | None, str | None, str | None, float, float
]
"""Number, second, both models, outcome, voter, network, since, language, tier, client, age and reading time."""


def columns_of(rows: Sequence[VoteWithOrigin]) -> CastVotes:
    """Columns of rows, which are sorted by number."""
    number, second, left, right, outcome, voter, network, since, language, check, client, age, reading = (
        zip(*rows, strict=True) if rows else [()] * 13
    )
    names = tuple(sorted({*left, *right}))
    return CastVotes(
        number=np.array(number, np.int64),
        second=np.floor(np.array(second, np.float64)).astype(np.int64),
        left=_codes(left, names),
        right=_codes(right, names),
        outcome=np.array(outcome, np.uint8),
        voter=_codes(voter),
        network=_codes(network),
        since=_codes(since),
        language=_codes(language),
        check=_codes(check),
        client=_codes(client),
        age=np.array(age, np.float64),
        reading=np.array(reading, np.float64),
        names=names,
    )


def _codes(labels: Iterable[str | None], names: tuple[str, ...] = ()) -> Any:  # noqa: ANN401 - an array
    codes: dict[str | None, int] = {None: UNKNOWN, **{name: code for code, name in enumerate(names)}}
    return np.array([codes.setdefault(label, len(codes) - 1) for label in labels], np.int32)
