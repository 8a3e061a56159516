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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.model_hits import ModelHits
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


def pair_correlations(
    log: CastVotes,
    hits: Sequence[tuple[ModelHits, float]],
    board: NDArray[np.float64],
    parts: Sequence[NDArray[np.bool_]],
) -> tuple[PairCorrelation, ...]:
    """The correlation within each part [n], over the models that the first one pushes, each with its sign.

    Votes between two of these models are left out, since each would count twice.
    """
    models = [entry.model for entry, _ in hits]
    return tuple(
        _correlation(log, [_residuals(entry, sign, board, part[entry.rows], models) for entry, sign in hits])
        for part in parts
    )


def _correlation(log: CastVotes, columns: Sequence[tuple[NDArray[np.intp], NDArray[np.float64]]]) -> PairCorrelation:
    rows, residual = (np.concatenate(column) for column in zip(*columns, strict=True))
    return PairCorrelation.of(log.voter[rows], residual)


def _residuals(
    hits: ModelHits, sign: float, board: NDArray[np.float64], mask: NDArray[np.bool_], models: Sequence[int]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Rows of a side's votes on a model, and their scores beyond those by the side's own strength."""
    expected = hits.expected(board, hits.strength(board, mask.astype(np.float64)))
    mask = mask & ~np.isin(hits.opponent, models)
    return hits.rows[mask], sign * (hits.score - expected)[mask]


def pushed_models(heard: RemainingVotes, hits: ModelHits, part: NDArray[np.bool_]) -> list[tuple[ModelHits, float]]:
    """The votes on a model, and on all others that a part pushes, with signs: 1 if they go the way of the first."""
    board = heard.board
    first = _difference(hits, board, part)
    result = [(hits, 1.0)]
    for model in range(len(heard.log.names)):
        if model != hits.model:
            others = heard.hits(model)
            z = _difference(others, board, part)
            if abs(z) >= LIKEWISE_Z:
                result.append((others, math.copysign(1.0, z * first)))
    return result


def _difference(hits: ModelHits, board: NDArray[np.float64], part: NDArray[np.bool_]) -> float:
    """Standard errors by which the part's scores differ from those of the others; 0 if either has few votes."""
    inside = part[hits.rows]
    if min(inside.sum(), (~inside).sum()) < LEAST_HITS:
        return 0.0
    expected = hits.expected(board)
    residual, spread = hits.score - expected, expected * (1 - expected)
    error = math.sqrt(sum(float(spread[side].mean()) / float(side.sum()) for side in (inside, ~inside)))
    return (float(residual[inside].mean()) - float(residual[~inside].mean())) / error
