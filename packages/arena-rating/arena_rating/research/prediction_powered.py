"""Prediction-powered inference: scores from votes of people and verdicts of a judge on the same and on other pairs.

The score of a model is its share of points against the others. People are right but dear, a judge is cheap but biased:
score = people's on their pairs + lambda (judge's on other pairs - judge's on people's pairs). The lambda in [0, 1] with
the least variance is 0 for a judge that does not correlate with people (PPI++, Angelopoulos et al. 2023; ranks from it:
Chatzi et al. 2024). The score is unbiased whatever the judge does, and the narrower the more the judge agrees with
people. Pairs should be drawn evenly; the score never enters the board of people. As in the errors of rates, a virtual
win and a virtual loss of each model are independent noise, so that a share of 0 or 1 has an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena_rating.comparisons import Comparisons
from arena_rating.errors import BadComparisons
from arena_rating.rank_sets import Ranks, rank_sets

_POINTS: Final = np.array([1.0, 0.0, 0.5, 0.5])
_FEWEST: Final = 2
_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PoweredScores:
    """Scores of m models.

    Attributes:
        names: The models.
        score: float64 [m], share of points; nan without a vote of people.
        covariance: float64 [m, m] of the scores.
        weight: The judge's lambda, between 0 and 1; it is 0 for a model without a verdict on other pairs.
        people: Number of votes of people, each with the judge's verdict on the same pair.
        judged: Number of verdicts on other pairs.
    """

    names: tuple[str, ...]
    score: _Array
    covariance: _Array
    weight: float
    people: int
    judged: int

    def rank_sets(self, *, seed: int, level: float = 0.95) -> Ranks:
        """Best and worst ranks [m], simultaneous for all models."""
        return rank_sets(self.score, self.covariance, seed=seed, level=level)


def prediction_powered(people: Comparisons, judge_same: Comparisons, judge_other: Comparisons) -> PoweredScores:
    """Combine votes of people, the judge's verdicts on the same pairs in the same order, and those on other pairs.

    Raises:
        BadComparisons: Fewer than two votes of people, different models, or `judge_same` is on other pairs.
    """
    if len({people.names, judge_same.names, judge_other.names}) > 1:
        raise BadComparisons("people and judge have different models")
    if not (np.array_equal(people.left, judge_same.left) and np.array_equal(people.right, judge_same.right)):
        raise BadComparisons("the verdicts are not on the pairs of the votes, in their order")
    if len(people) < _FEWEST:
        raise BadComparisons("scores need at least two votes of people")
    (score, move_people), (score_same, move_same), (score_other, move_other) = map(
        _influences, (people, judge_same, judge_other)
    )
    is_judged = np.isfinite(score_other)
    weight = _weight(*(moves[:, is_judged] for moves in (move_people, move_same, move_other)))
    weights = np.where(is_judged, weight, 0.0)
    shift = np.where(is_judged, weights * (np.nan_to_num(score_other) - score_same), 0.0)
    total = score + shift if weight > 0 else score
    spread = _spread(move_people - weights * move_same) + (_spread(weights * move_other) if weight > 0 else 0.0)
    spread = spread + np.diag(_virtual_noise(people, np.nan_to_num(score)))
    return PoweredScores(people.names, total, spread, weight, len(people), len(judge_other))


def _influences(log: Comparisons) -> tuple[_Array, _Array]:
    """Shares of points [m], and the influence [n, m] of each row on each share, a ratio of sums."""
    rows, size = np.arange(len(log)), len(log.names)
    points, battle = np.zeros((len(log), size)), np.zeros((len(log), size))
    point = _POINTS[log.outcome]
    points[rows, log.left], points[rows, log.right] = point, 1 - point
    battle[rows, log.left] = battle[rows, log.right] = 1.0
    battles = battle.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = points.sum(axis=0) / battles
    return share, (points - battle * np.nan_to_num(share)) / np.maximum(battles, 1.0)


def _spread(influences: _Array) -> _Array:
    n = len(influences)
    return influences.T @ influences * (n / max(n - 1, 1))


def _virtual_noise(people: Comparisons, score: _Array) -> _Array:
    battles = np.bincount(np.concatenate([people.left, people.right]), minlength=len(score))
    return (score**2 + (1 - score) ** 2) / np.maximum(battles, 1) ** 2


def _weight(human: _Array, judge: _Array, other: _Array) -> float:
    """The lambda in [0, 1] with the least sum of variances; 0 without other pairs."""
    covariance = float((human * judge).sum())
    variance = float((judge**2).sum() + (other**2).sum())
    return min(1.0, max(0.0, covariance / variance)) if len(other) and variance > 0 else 0.0
