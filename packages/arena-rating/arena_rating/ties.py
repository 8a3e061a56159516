"""Tie models of Davidson and of Rao and Kupper: the chance of a tie by the difference of strengths.

With strengths pi = e^theta, Davidson's (1970) chances of a win, a loss and a tie are proportional to pi_i, pi_j and
nu sqrt(pi_i pi_j). Rao and Kupper (1967) have P(i beats j) = pi_i / (pi_i + t pi_j) with a threshold t > 1 for both
sides, and a tie otherwise. "Both are bad" does not mean a close race: each model is fitted without these votes and with
them as ties.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import PRIOR
from arena_rating.counts import Votes, counts_of
from arena_rating.errors import BadParameters, NotConverged

_MAX_STEPS: Final = 100
_TOLERANCE: Final = 1e-7
_GAP: Final = 200 * math.log(10) / 400
"""200 points in natural units."""
_Array = NDArray[np.float64]


class _Slopes(NamedTuple):
    """Log-likelihood by pair and its derivatives by the difference d of strengths and the log e of the parameter."""

    value: _Array
    d: _Array
    e: _Array
    dd: _Array
    de: _Array
    ee: _Array


_Model = Callable[[_Array, float, _Array, _Array, _Array], _Slopes]


@dataclass(frozen=True, slots=True)
class TieFit:
    """A fitted model of ties.

    Attributes:
        model: "davidson" or "rao_kupper".
        both_bad: Whether "both are bad" counts as a tie or is left out.
        votes: Number of votes in the fit.
        ties: Share of ties among these votes.
        parameter: nu of Davidson, t of Rao and Kupper.
        error: Standard error of the parameter's logarithm.
        even: Chance of a tie between equals.
        apart: Chance of a tie at a difference of 200 points.
        loss: Negative log-likelihood per vote, in natural units; a smaller one fits better.
        iterations: Newton steps.
    """

    model: str
    both_bad: bool
    votes: int
    ties: float
    parameter: float
    error: float
    even: float
    apart: float
    loss: float
    iterations: int


def tie_fits(votes: Votes, *, prior: float = PRIOR) -> tuple[TieFit, ...]:
    """Fit both models, with "both are bad" left out and as ties; no fits without wins or without ties.

    `prior` is the weight of each competitor's virtual draw, as in `bradley_terry`.

    Raises:
        BadParameters: The prior is not above 0, which leaves the mean strength undetermined.
        NotConverged: The steps did not vanish.
    """
    if not prior > 0:
        raise BadParameters("models of ties need a prior above 0")
    counts, fits = counts_of(votes), list[TieFit]()
    for both_bad in (False, True):
        ties = counts.ties + counts.both_bad if both_bad else counts.ties
        if ties.any() and counts.wins.any():
            fits += [_fit(name, counts.wins, ties, prior, both_bad=both_bad) for name in _MODELS]
    return tuple(fits)


@dataclass(frozen=True, slots=True, eq=False)
class _Votes:
    """Pairs that met: the indices of both competitors, and the first one's wins, losses and ties."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    wins: _Array
    losses: _Array
    ties: _Array

    @classmethod
    def of(cls, wins: _Array, ties: _Array) -> Self:
        first, second = np.nonzero(np.triu(wins + wins.T + ties, 1))
        return cls(first, second, wins[first, second], wins[second, first], ties[first, second])


def _fit(name: str, wins: _Array, ties: _Array, prior: float, *, both_bad: bool) -> TieFit:
    votes, model = _Votes.of(wins, ties), _MODELS[name]
    log_parameter, error, loss, steps = _maximum(model, votes, len(wins), prior)
    total, zeros = float((votes.wins + votes.losses + votes.ties).sum()), np.zeros(2)
    even_chance, gap_chance = np.exp(model(np.array([0.0, _GAP]), log_parameter, zeros, zeros, np.ones(2)).value)
    return TieFit(
        model=name,
        both_bad=both_bad,
        votes=round(total),
        ties=float(votes.ties.sum() / total),
        parameter=math.exp(log_parameter),
        error=error,
        even=float(even_chance),
        apart=float(gap_chance),
        loss=loss / total,
        iterations=steps,
    )


def _maximum(model: _Model, votes: _Votes, size: int, prior: float) -> tuple[float, float, float, int]:
    """Newton's method with steps of at most 1: log of the parameter, its error, the loss, and the number of steps."""
    theta, log_parameter = np.zeros(size), math.log(2.0)
    for steps in range(1, _MAX_STEPS):
        gap = theta[votes.first] - theta[votes.second]
        slopes = model(gap, log_parameter, votes.wins, votes.losses, votes.ties)
        gradient, hessian = _assemble(slopes, votes.first, votes.second, theta, prior)
        change = np.linalg.solve(hessian, gradient)
        longest = float(np.abs(change).max())
        if longest <= _TOLERANCE:
            return (
                log_parameter,
                math.sqrt(float(np.linalg.inv(hessian)[size, size])),
                -float(slopes.value.sum()),
                steps,
            )
        change = change / max(1.0, longest)
        theta = theta + change[:size]
        log_parameter = _move(model, log_parameter, float(change[size]))
    raise NotConverged(f"the steps have not vanished after {_MAX_STEPS}")


def _move(model: _Model, log_parameter: float, change: float) -> float:
    """The parameter after a step; the threshold of Rao and Kupper stays above 1, that is its logarithm above 0."""
    return max(log_parameter + change, log_parameter / 4) if model is _rao_kupper else log_parameter + change


def _assemble(
    slopes: _Slopes, first: NDArray[np.intp], second: NDArray[np.intp], theta: _Array, prior: float
) -> tuple[_Array, _Array]:
    """Gradient and negative Hessian by (theta, e)."""
    size = len(theta)
    gradient, hessian = np.zeros(size + 1), np.zeros((size + 1, size + 1))
    for places, sign in ((first, 1.0), (second, -1.0)):
        np.add.at(gradient, places, sign * slopes.d)
        np.add.at(hessian, (places, places), -slopes.dd)
        np.add.at(hessian, (places, np.full(len(places), size)), -sign * slopes.de)
    np.add.at(hessian, (first, second), slopes.dd)
    np.add.at(hessian, (second, first), slopes.dd)
    hessian[size, :size] = hessian[:size, size]
    gradient[size], hessian[size, size] = slopes.e.sum(), -slopes.ee.sum()
    virtual_win = 0.5 + 0.5 * np.tanh(0.5 * theta)
    gradient[:size] += prior * (0.5 - virtual_win)
    hessian[:size, :size] += np.diag(prior * virtual_win * (1 - virtual_win))
    return gradient, hessian


def _davidson(d: _Array, e: float, wins: _Array, losses: _Array, ties: _Array) -> _Slopes:
    """The chances are proportional to e^(d/2), e^(-d/2) and e^e: an exponential family."""
    log_sum = np.logaddexp(np.logaddexp(d / 2, -d / 2), e)
    win, loss, tie = np.exp(d / 2 - log_sum), np.exp(-d / 2 - log_sum), np.exp(e - log_sum)
    votes, lean = wins + losses + ties, (win - loss) / 2
    return _Slopes(
        value=(wins - losses) * d / 2 + ties * e - votes * log_sum,
        d=(wins - losses) / 2 - votes * lean,
        e=ties - votes * tie,
        dd=-votes * ((win + loss) / 4 - lean**2),
        de=votes * lean * tie,
        ee=-votes * tie * (1 - tie),
    )


def _rao_kupper(d: _Array, e: float, wins: _Array, losses: _Array, ties: _Array) -> _Slopes:
    """With s the logistic function, P(win) = s(d - e) and P(tie) = s(d + e) s(e - d) (1 - e^(-2e))."""
    not_lost, not_won = wins + ties, losses + ties
    p, q = 0.5 + 0.5 * np.tanh(0.5 * (d - e)), 0.5 + 0.5 * np.tanh(0.5 * (-d - e))
    # A win and a loss use s(d - e) and s(-d - e); a tie uses their complements s(e - d) and s(d + e).
    curve_p, curve_q = p * (1 - p) * not_lost, q * (1 - q) * not_won
    slope_p, slope_q = wins * (1 - p) - ties * p, losses * (1 - q) - ties * q
    correction = 2 / math.expm1(2 * e)
    value = wins * np.log(p) + losses * np.log(q) + ties * (np.log1p(-p) + np.log1p(-q) + math.log(-math.expm1(-2 * e)))
    return _Slopes(
        value=value,
        d=slope_p - slope_q,
        e=-slope_p - slope_q + ties * correction,
        dd=-curve_p - curve_q,
        de=curve_p - curve_q,
        ee=-curve_p - curve_q - ties * correction * (correction + 2),
    )


_MODELS: Final[dict[str, _Model]] = {"davidson": _davidson, "rao_kupper": _rao_kupper}
