"""Grounded tie model: strengths with a zero, which tell whether a model is good and not only better than another.

With p_i = e^b_i and t > 1, P(i beats j) = p_i / (p_i + t p_j + 1), P(both are bad) = 1 / (1 + p_i + p_j), and a tie is
the remaining case: Rao and Kupper (1967) with a third competitor "neither" of strength 1, as in p2l's grounded model.
A model with b = 0 is preferred as often as "neither". Errors are those of independent votes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from arena_rating.board.parameters import LeaderboardParameters
from arena_rating.board.rows import DECIMALS
from arena_rating.bradley_terry import PRIOR, BradleyTerry, bradley_terry
from arena_rating.comparisons import Comparisons
from arena_rating.counts import PairCounts, pair_counts
from arena_rating.errors import BadParameters, NotConverged

_MAX_STEPS: Final = 200
_TOLERANCE: Final = 1e-8
_MIN_THRESHOLD: Final = 1.000001
_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class GroundedFit:
    """Strengths in natural units; 0 is the strength of "neither".

    Attributes:
        names: The m competitors.
        strength: float64 [m]; nan without a vote.
        error: float64 [m], standard error of independent votes.
        threshold: t, above 1; the larger, the more ties.
        loss: Negative log-likelihood per vote.
        votes: Number of votes in the fit.
        iterations: Steps of Fisher scoring.
    """

    names: tuple[str, ...]
    strength: _Array
    error: _Array
    threshold: float
    loss: float
    votes: int
    iterations: int

    def bar(self, fit: BradleyTerry, battles: _Array) -> float:
        """The rating at strength 0, by a regression of ratings on strengths weighted by `battles` [m]."""
        usable = np.isfinite(self.strength) & np.isfinite(fit.rating) & (battles > 0)
        table = np.column_stack([np.ones(int(usable.sum())), self.strength[usable]])
        root = np.sqrt(battles[usable])
        return float(np.linalg.lstsq(table * root[:, None], fit.rating[usable] * root)[0][0])


@dataclass(frozen=True, slots=True)
class GroundedRow:
    """The strength of one competitor in natural units with its standard error."""

    name: str
    strength: float
    error: float


@dataclass(frozen=True, slots=True)
class GroundedTable:
    """A published grounded fit: the competitors of the largest component, best first.

    `bar` is the rating at strength 0 on the scale of the leaderboard; the other fields are as in `GroundedFit`.
    """

    votes: int
    bar: float
    threshold: float
    loss: float
    rows: list[GroundedRow]


class _Pairs(NamedTuple):
    """Pairs that met, and votes [4, pairs] by outcome: first wins, second wins, tie, both are bad."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    votes: _Array


def grounded(counts: PairCounts, *, prior: float = PRIOR) -> GroundedFit | None:
    """Fit by Fisher scoring; None for a log without wins, without ties, or without votes that both are bad.

    `prior` is the weight of each competitor's virtual draw against "neither".

    Raises:
        BadParameters: The prior is not above 0.
        NotConverged: The steps did not vanish.
    """
    if not prior > 0:
        raise BadParameters("the grounded model needs a prior above 0")
    if not (counts.wins.any() and counts.ties.any() and counts.both_bad.any()):
        return None
    first, second = np.nonzero(np.triu(counts.battles, 1))
    columns = (counts.wins[first, second], counts.wins[second, first], counts.ties[first, second])
    pairs = _Pairs(first, second, np.stack([*columns, counts.both_bad[first, second]]))
    estimate = np.zeros(len(counts.names) + 1)
    for steps in range(1, _MAX_STEPS):
        gradient, information, chance = _assemble(pairs, estimate, prior)
        change = np.linalg.solve(information, gradient)
        longest = float(np.abs(change).max())
        estimate = estimate + change / max(1.0, longest)
        if longest <= _TOLERANCE:
            return _result(counts, pairs, estimate, cast("_Array", np.linalg.inv(information)), chance, steps)
    raise NotConverged(f"the steps have not vanished after {_MAX_STEPS}; {len(counts.names)} competitors")


def grounded_table(log: Comparisons, parameters: LeaderboardParameters) -> GroundedTable | None:
    """The fit of a log on the scale of its leaderboard; None without a prior or where `grounded` gives none.

    Raises:
        NotConverged: The steps did not vanish.
    """
    counts, rule = pair_counts(log), parameters.elo
    result = grounded(counts, prior=parameters.prior) if parameters.prior > 0 else None
    if result is None:
        return None
    fit = bradley_terry(
        counts, init=rule.init, base=rule.base, scale=rule.scale, prior=parameters.prior, level=parameters.level
    )
    largest = fit.component == 0
    bar = result.bar(fit, counts.battles.sum(axis=1) * largest) + _anchor_shift(fit, parameters)
    columns = zip(result.names, result.strength.tolist(), result.error.tolist(), largest, strict=True)
    rows = [
        GroundedRow(name, round(at, DECIMALS), round(error, DECIMALS))
        for name, at, error, is_ranked in columns
        if is_ranked
    ]
    rows.sort(key=lambda row: -row.strength)
    return GroundedTable(result.votes, round(bar, DECIMALS), round(result.threshold, DECIMALS), result.loss, rows)


def _anchor_shift(fit: BradleyTerry, parameters: LeaderboardParameters) -> float:
    """Points by which the anchor shifts the ratings of the largest component."""
    anchor = parameters.anchor
    if anchor is None or anchor.name not in fit.names:
        return 0.0
    place = fit.names.index(anchor.name)
    return 0.0 if fit.component[place] else anchor.rating - float(fit.rating[place])


def _result(
    counts: PairCounts, pairs: _Pairs, estimate: _Array, inverse: _Array, chance: _Array, steps: int
) -> GroundedFit:
    has_battles, votes = counts.battles.sum(axis=1) > 0, float(pairs.votes.sum())
    return GroundedFit(
        names=counts.names,
        strength=np.where(has_battles, estimate[:-1], np.nan),
        error=np.where(has_battles, np.sqrt(np.diag(inverse)[:-1]), np.nan),
        threshold=math.exp(estimate[-1]) + _MIN_THRESHOLD,
        loss=-float((pairs.votes * np.log(chance)).sum()) / votes,
        votes=round(votes),
        iterations=steps,
    )


def chances(first: _Array, second: _Array, threshold: float) -> _Array:
    """Chances of the four outcomes, [4, pairs], for strengths e^b of both sides."""
    win = first / (first + threshold * second + 1)
    lose = second / (second + threshold * first + 1)
    both_bad = 1 / (1 + first + second)
    return np.stack([win, lose, 1 - win - lose - both_bad, both_bad])


def _slopes(a: _Array, b: _Array, excess: float) -> tuple[_Array, _Array]:
    """Chances [4, pairs], and their derivatives [4, 3, pairs] by b_i, b_j and log(t - 1)."""
    t = excess + _MIN_THRESHOLD
    p = chances(a, b, t)
    win, lose, both_bad = p[0], p[1], p[3]
    win_divisor, loss_divisor = a + t * b + 1, b + t * a + 1
    of_win = np.stack([win * (1 - win), -win * t * b / win_divisor, -win * b * excess / win_divisor])
    of_lose = np.stack([-lose * t * a / loss_divisor, lose * (1 - lose), -lose * a * excess / loss_divisor])
    of_bad = np.stack([-both_bad * both_bad * a, -both_bad * both_bad * b, np.zeros_like(a)])
    return p, np.stack([of_win, of_lose, -of_win - of_lose - of_bad, of_bad])


def _assemble(pairs: _Pairs, estimate: _Array, prior: float) -> tuple[_Array, _Array, _Array]:
    """Gradient and expected information by (b, log(t - 1)), and the chances [4, pairs]."""
    size, (first, second, votes) = len(estimate), pairs
    p, slopes = _slopes(np.exp(estimate[first]), np.exp(estimate[second]), math.exp(estimate[-1]))
    gradient, information = np.zeros(size), np.zeros((size, size))
    places = np.stack([first, second, np.full(len(first), size - 1)])
    np.add.at(gradient, places, (votes[:, None] / p[:, None] * slopes).sum(axis=0))
    products = (votes.sum(axis=0) / p)[:, None, None] * slopes[:, :, None] * slopes[:, None, :]
    np.add.at(information, (places[:, None], places[None, :]), products.sum(axis=0))
    virtual_win = 0.5 + 0.5 * np.tanh(0.5 * estimate[:-1])
    gradient[:-1] += prior * (0.5 - virtual_win)
    information[np.arange(size - 1), np.arange(size - 1)] += prior * virtual_win * (1 - virtual_win)
    return gradient, information, p
