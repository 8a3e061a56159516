"""Fragility of ranks: the fewest votes whose removal swaps two neighbours of the ranking (after Huang et al. 2025).

Removing a vote (a, b, S) moves the difference of i and j by about -(S - s_ab) (v_a - v_b) / (1 - h), with
v = H^-1 (e_i - e_j), s_ab the expected score, H the Hessian of the negative log-likelihood and h the vote's leverage.
Votes of one pair and outcome are interchangeable, so the best k votes are the first k of these kinds by influence. A
fit without them tells whether the two have swapped, and bisection finds the least k. As removal changes the influence,
the kinds are then sorted by the mean influence along the path, again and again until that saves no more votes.

A fit confirms every result; a smaller removal is unlikely but not excluded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import PRIOR, bradley_terry
from arena_rating.components import reachable
from arena_rating.counts import PairCounts
from arena_rating.errors import BadParameters, NotConverged

TIE_BELOW: Final = 25
"""Votes below which neighbours are called tied."""

_EQUAL: Final = 1e-8
_ROUNDS: Final = 6
_PATH: Final = (1 / 6, 3 / 6, 5 / 6)
_ONE_BY_ONE: Final = 12
_LAST_RESORT: Final = 40


@dataclass(frozen=True, slots=True)
class Removal:
    """Votes of one kind: `a` beat `b` (outcome "a"), or the two met without a winner ("tie" or "both_bad")."""

    a: str
    b: str
    outcome: str
    votes: int


@dataclass(frozen=True, slots=True)
class Flip:
    """A smallest removal that swaps two neighbours of the ranking.

    Attributes:
        above: The better one.
        below: The next one.
        component: Their component.
        gap: Difference of their Bradley-Terry ratings, in points.
        votes: Fewest votes without which `below` is strictly better; 0 if the two are equal, None if no removal that
            leaves them connected swaps them.
        share: `votes` as a share of all votes.
        removed: These votes, most influential kind first.
        is_tie: Whether `votes` is below `TIE_BELOW`.
    """

    above: str
    below: str
    component: int
    gap: float
    votes: int | None
    share: float | None
    removed: tuple[Removal, ...]
    is_tie: bool


@dataclass(frozen=True, slots=True, eq=False)
class _VoteTypes:
    """The t kinds of votes (pair, outcome) of one component with their counts; arrays [t], indices within it."""

    names: tuple[str, ...]
    a: NDArray[np.intp]
    b: NDArray[np.intp]
    score: NDArray[np.float64]
    outcome: tuple[str, ...]
    count: NDArray[np.int64]
    prior: float


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """A fit of the remaining votes; their counts may be fractional."""

    count: NDArray[np.int64] | NDArray[np.float64]
    theta: NDArray[np.float64]
    hessian: NDArray[np.float64]


def fragility(
    counts: PairCounts, *, prior: float = PRIOR, base: float = 10.0, scale: float = 400.0
) -> tuple[Flip, ...]:
    """Flips of all neighbours of the Bradley-Terry ranking, by component, best first.

    `counts` are unweighted: `pair_counts(log, weighted=False)`.

    Raises:
        BadParameters: A count that is no integer, or a prior of 0, without which a subset of votes may have no fit.
        RatingError: As in `bradley_terry`.
    """
    if prior <= 0 or any((table != np.rint(table)).any() for table in (counts.wins, counts.ties, counts.both_bad)):
        raise BadParameters("fragility needs integer counts and a prior above 0")
    fit = bradley_terry(counts, prior=prior, base=base, scale=scale)
    rating, total = fit.rating.round(6), round(counts.battles.sum() / 2)
    flips: list[Flip] = []
    for label in range(int(fit.component.max(initial=-1)) + 1):
        members = np.flatnonzero(fit.component == label)
        if len(members) > 1:
            order = sorted(members, key=lambda member: (-rating[member], counts.names[member]))
            flips += _flips(_vote_types(counts, np.array(order), prior), rating[order], label, total)
    return tuple(flips)


def _flips(votes: _VoteTypes, rating: NDArray[np.float64], label: int, total: int) -> Iterator[Flip]:
    """Flips of one component, whose members are numbered by rank."""
    start = _fit(votes, votes.count, np.zeros(len(votes.names)))
    for i in range(len(votes.names) - 1):
        removal = _smallest_removal(votes, start, i)
        number = None if removal is None else int(removal.sum())
        yield Flip(
            above=votes.names[i],
            below=votes.names[i + 1],
            component=label,
            gap=float(rating[i] - rating[i + 1]),
            votes=number,
            share=None if number is None else number / total,
            removed=() if removal is None else tuple(_removals(votes, start, i, removal)),
            is_tie=number is not None and number < TIE_BELOW,
        )


def _vote_types(counts: PairCounts, members: NDArray[np.intp], prior: float) -> _VoteTypes:
    square = np.ix_(members, members)
    tables = {
        "a": counts.wins[square],
        "tie": np.triu(counts.ties[square]),
        "both_bad": np.triu(counts.both_bad[square]),
    }
    places: list[NDArray[np.intp]] = [np.argwhere(table) for table in tables.values()]
    outcome = tuple(word for word, cells in zip(tables, places, strict=True) for _ in cells)
    pairs: NDArray[np.intp] = np.concatenate(places)
    numbers = [table[table > 0] for table in tables.values()]
    return _VoteTypes(
        names=tuple(counts.names[int(member)] for member in members),
        a=pairs[:, 0],
        b=pairs[:, 1],
        score=np.array([1.0 if word == "a" else 0.5 for word in outcome]),
        outcome=outcome,
        count=np.concatenate(numbers).astype(np.int64),
        prior=prior,
    )


def _removals(votes: _VoteTypes, start: _State, i: int, removal: NDArray[np.int64]) -> Iterator[Removal]:
    influence = _influence(votes, start, i)
    for kind in map(int, np.argsort(-influence, kind="stable")):
        if removal[kind]:
            a, b = votes.names[int(votes.a[kind])], votes.names[int(votes.b[kind])]
            yield Removal(a, b, votes.outcome[kind], int(removal[kind]))


def _smallest_removal(votes: _VoteTypes, start: _State, i: int) -> NDArray[np.int64] | None:
    """A smallest removal [t] that puts i + 1 above i."""
    if start.theta[i] - start.theta[i + 1] <= _EQUAL:
        return np.zeros_like(votes.count)
    smallest: NDArray[np.int64] | None = None
    influence = _influence(votes, start, i)
    for _ in range(_ROUNDS):
        result = _bisect(votes, start, i, influence, None if smallest is None else int(smallest.sum()) - 1)
        if result is None:
            break
        smallest = result
        influence = _mean_influence(votes, start, i, smallest)
    if smallest is None:
        return _greedy(votes, start, i, _LAST_RESORT)
    number = int(smallest.sum())
    shorter = _greedy(votes, start, i, number - 1) if number <= _ONE_BY_ONE else None
    return smallest if shorter is None else shorter


def _bisect(
    votes: _VoteTypes, start: _State, i: int, influence: NDArray[np.float64], limit: int | None
) -> NDArray[np.int64] | None:
    """The shortest prefix of the votes by `influence` that swaps the two, or None within `limit` votes."""
    order = np.argsort(-influence, kind="stable")
    order = order[influence[order] > 0]
    reach = np.cumsum(votes.count[order])
    longest = int(reach[-1]) if len(reach) else 0
    low, high = 0, min(longest, longest if limit is None else limit)
    state, guess = start, _estimate(start, i, influence[order], votes.count[order])
    if high < 1:
        return None
    shortest: NDArray[np.int64] | None = None
    while high - low > 1 or shortest is None:
        middle = max(low + 1, min(high, guess))
        removal = _prefix(votes, order, reach, middle)
        state = _fit(votes, votes.count - removal, state.theta)
        if _is_swapped(votes, state, i):
            high, shortest = middle, removal
        elif middle == high:
            return None
        else:
            low = middle
        guess = _next_guess(low, high, middle, shortest is not None)
    return shortest


def _next_guess(low: int, high: int, length: int, has_bound: bool) -> int:  # noqa: FBT001 - private
    if not has_bound:
        return min(high, max(length + 1, length * 5 // 4))
    return (low + high) // 2


def _estimate(start: _State, i: int, influence: NDArray[np.float64], count: NDArray[np.int64]) -> int:
    """Number of votes that would be enough if the influence did not change."""
    gap = float(start.theta[i] - start.theta[i + 1])
    decrease: NDArray[np.float64] = np.cumsum(influence * count)
    place = int((decrease < gap).sum())
    if place == len(decrease):
        return int(count.sum())
    previous = float(decrease[place - 1]) if place else 0.0
    return int(count[:place].sum()) + math.floor((gap - previous) / float(influence[place])) + 1


def _prefix(votes: _VoteTypes, order: NDArray[np.intp], reach: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    removal = np.zeros_like(votes.count)
    numbers = votes.count[order] - np.maximum(0, reach - length)
    removal[order] = np.maximum(0, numbers)
    return removal


def _greedy(votes: _VoteTypes, start: _State, i: int, limit: int) -> NDArray[np.int64] | None:
    """Removal of the most influential vote after each new fit; None if `limit` votes do not swap the two.

    Votes whose removal would disconnect the two are not removed.
    """
    state, count = start, votes.count.copy()
    for _ in range(limit):
        influence = _influence(votes, state, i)
        order = np.argsort(-influence, kind="stable")
        useful = (kind for kind in order if count[kind] > 0 and influence[kind] > 0)
        kind = next((kind for kind in useful if _stays_connected(votes, count, kind, i)), None)
        if kind is None:
            return None
        count[kind] -= 1
        state = _fit(votes, count, state.theta)
        if _is_swapped(votes, state, i):
            return votes.count - count
    return None


def _stays_connected(votes: _VoteTypes, count: NDArray[np.int64], kind: int, i: int) -> bool:
    """Whether i and i + 1 stay connected without one vote of this kind."""
    if count[kind] > 1:
        return True
    fewer = count.copy()
    fewer[kind] = 0
    return _is_connected(votes, fewer, i)


def _is_swapped(votes: _VoteTypes, state: _State, i: int) -> bool:
    """Whether i + 1 is strictly better and still connected with i."""
    return bool(state.theta[i + 1] - state.theta[i] > _EQUAL) and _is_connected(votes, state.count, i)


def _is_connected(votes: _VoteTypes, count: NDArray[np.int64] | NDArray[np.float64], i: int) -> bool:
    """Whether a path of battles connects i and i + 1."""
    adjacent = np.zeros((len(votes.names), len(votes.names)), np.bool_)
    adjacent[votes.a[count > 0], votes.b[count > 0]] = True
    return bool(reachable(adjacent | adjacent.T, i)[i + 1])


def _influence(votes: _VoteTypes, state: _State, i: int) -> NDArray[np.float64]:
    """Decrease of theta[i] - theta[i + 1] when one vote of each kind is removed, [t]."""
    from arena_rating.research._kernels.newton import inverse

    inverse_curve, (a, b) = inverse(state.hessian), (votes.a, votes.b)
    chance = _chance(state.theta[a] - state.theta[b])
    toward = inverse_curve[:, i] - inverse_curve[:, i + 1]
    spread = inverse_curve[a, a] + inverse_curve[b, b] - 2 * inverse_curve[a, b]
    leverage = np.minimum(chance * (1 - chance) * spread, 1 - 1e-3)
    return (votes.score - chance) * (toward[a] - toward[b]) / (1 - leverage)


def _mean_influence(votes: _VoteTypes, start: _State, i: int, removal: NDArray[np.int64]) -> NDArray[np.float64]:
    """The influence averaged along the path from all votes to those left by `removal`."""
    total, state = np.zeros(len(removal)), start
    for share in _PATH:
        state = _fit(votes, votes.count - share * removal, state.theta)
        total += _influence(votes, state, i)
    return total / len(_PATH)


def _chance(difference: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.5 + 0.5 * np.tanh(0.5 * difference)


def _fit(votes: _VoteTypes, count: NDArray[np.int64] | NDArray[np.float64], theta: NDArray[np.float64]) -> _State:
    """The fit of `bradley_terry`, with the prior for all members, started from the nearby `theta`."""
    from arena_rating.research._kernels.newton import refit

    size, (a, b) = len(votes.names), (votes.a, votes.b)
    battles = np.bincount(a * size + b, count, size * size).reshape(size, size)
    points = np.bincount(a, votes.score * count, size) + np.bincount(b, (1 - votes.score) * count, size)
    theta, hessian = theta.copy(), np.empty((size, size))
    if not refit(battles + battles.T, points, votes.prior, theta, hessian):
        raise NotConverged("the fit without some of the votes did not converge")
    return _State(count, theta, hessian)
