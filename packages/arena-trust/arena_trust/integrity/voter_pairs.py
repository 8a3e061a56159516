"""Pairs of votes of one voter: they tell which side of a difference holds two kinds of voters.

Whoever pushes a model pushes it again: within a part with hostile voters some always win and the others vote as the
board says, so that two votes of one voter on one day are alike beyond the board. Among honest voters they hardly are,
whatever mean taste the part has, since the part's own strength is fitted first. (The intraclass correlation of analysis
of variance, Fisher 1925, over pairs within voters.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from arena_rating.counts import ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.model_hits import ModelHits
    from arena_trust.integrity.reference import Excess
    from arena_trust.integrity.remaining_votes import RemainingVotes

LEAST_HITS: Final = 20
"""Votes on a model, of a part and of the others, from which a push of a second model is looked for."""
LIKEWISE_Z: Final = 4.0
"""Standard errors from which a part pushes a second model."""


@dataclass(frozen=True, slots=True)
class PairCorrelation:
    """The correlation of scores beyond the expected ones between two votes of a voter, and the number of pairs."""

    value: float
    pairs: int

    @classmethod
    def of(cls, voter: NDArray[np.int32], residual: NDArray[np.float64]) -> Self:
        """The correlation within voters; 0 without a pair."""
        place = np.unique(voter, return_inverse=True)[1]
        count, total = np.bincount(place), np.bincount(place, residual)
        pairs, variance = int((count * (count - 1)).sum()) // 2, float((residual**2).mean()) if len(residual) else 0.0
        if not pairs or not variance:
            return cls(0.0, pairs)
        products = float((total**2).sum()) - variance * len(residual)
        return cls(products / 2 / pairs / variance, pairs)

    @property
    def z(self) -> float:
        """The correlation in standard errors of independent votes."""
        return self.value * math.sqrt(self.pairs)

    def above(self, other: PairCorrelation) -> float:
        """Standard errors by which it is above another one."""
        return (self.value - other.value) / math.sqrt(1 / max(self.pairs, 1) + 1 / max(other.pairs, 1))


def pair_correlation(
    log: CastVotes, hits: Sequence[tuple[ModelHits, float]], board: NDArray[np.float64], part: NDArray[np.bool_]
) -> PairCorrelation:
    """The correlation within a part [n], over models that are pushed, each with its sign.

    Votes between two of these models are left out, since each would count twice.
    """
    is_pushed = np.zeros(len(log.names), np.bool_)
    is_pushed[[entry.model for entry, _ in hits]] = True
    return _correlation(log, [_residuals(entry, sign, board, part[entry.rows], is_pushed) for entry, sign in hits])


def _correlation(log: CastVotes, columns: Sequence[tuple[NDArray[np.intp], NDArray[np.float64]]]) -> PairCorrelation:
    rows, residual = (np.concatenate(column) for column in zip(*columns, strict=True))
    return PairCorrelation.of(log.voter[rows], residual)


def _residuals(
    hits: ModelHits, sign: float, board: NDArray[np.float64], mask: NDArray[np.bool_], is_pushed: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Rows of a side's votes on a model, and their scores beyond those by the side's own strength."""
    side = hits.of(mask)
    residual = side.score - side.expected(board, side.strength(board))
    is_counted = ~is_pushed[side.opponent]
    return side.rows[is_counted], sign * residual[is_counted]


def pushed_models(heard: RemainingVotes, hits: ModelHits, part: NDArray[np.bool_]) -> list[tuple[ModelHits, float]]:
    """The votes on a model, and on all others that a part pushes, with signs: 1 if they go the way of the first."""
    first, differences = _difference(hits, heard.board, part), _differences(*heard.excess(part))
    models = np.flatnonzero(np.abs(differences) >= LIKEWISE_Z).tolist()
    others = [
        (heard.hits(model), math.copysign(1.0, differences[model] * first)) for model in models if model != hits.model
    ]
    return [(hits, 1.0), *others]


def _differences(inside: Excess, outside: Excess) -> NDArray[np.float64]:
    """`_difference` of each model [m], with the scores of its votes as they were cast."""
    sides = (inside, outside)
    is_tested = np.minimum(inside.votes, outside.votes) >= LEAST_HITS
    means, errors = zip(
        *((ratio(side.score, side.votes, 0.0), ratio(side.spread, side.votes**2, 0.0)) for side in sides), strict=True
    )
    return np.where(is_tested, ratio(means[0] - means[1], np.sqrt(errors[0] + errors[1]), 0.0), 0.0)


def _difference(hits: ModelHits, board: NDArray[np.float64], part: NDArray[np.bool_]) -> float:
    """Standard errors by which the part's scores differ from those of the others; 0 if either has few votes."""
    inside = part[hits.rows]
    if min(inside.sum(), (~inside).sum()) < LEAST_HITS:
        return 0.0
    expected = hits.expected(board)
    residual, spread = hits.score - expected, expected * (1 - expected)
    error = math.sqrt(sum(float(spread[side].mean()) / float(side.sum()) for side in (inside, ~inside)))
    return (float(residual[inside].mean()) - float(residual[~inside].mean())) / error
