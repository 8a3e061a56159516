"""A simulated arena with known true ranks.

An honest voter prefers the better model with Bradley-Terry's probability and ties a quarter of the battles of equal
models. A bot votes for its target in battles with it, and honestly in others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.pairing.pair_table import PairTable, pair_table
from arena_rating import BradleyTerry, PairCounts, bradley_terry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.domain.terms import PairingRule

    _Array = NDArray[np.float64]

TIES: Final = 0.25


@dataclass(frozen=True, slots=True)
class World:
    """Models with evenly spaced strengths over `spread` points; `width` is the mean rank interval to reach."""

    models: int
    spread: float
    width: float

    @property
    def strength(self) -> _Array:
        """Ratings [models] in points, the best first."""
        return np.linspace(self.spread / 2, -self.spread / 2, self.models)

    @property
    def name(self) -> str:
        """A short description."""
        return f"{self.models} models, {self.spread:.0f}, w {self.width:g}"


@dataclass(slots=True)
class Arena:
    """A world with the votes so far. The pair table is recomputed before each batch of votes, as by the worker.

    `honest` has the battles of `counts` with honest votes in place of the bots'.
    """

    world: World
    rule: PairingRule
    rng: np.random.Generator
    counts: PairCounts = field(init=False)
    honest: PairCounts = field(init=False)

    def __post_init__(self) -> None:
        """Begin without votes."""
        self.counts, self.honest = _no_votes(self.world.models), _no_votes(self.world.models)

    @property
    def target(self) -> int:
        """The model that bots push, the middle one."""
        return self.world.models // 2

    @property
    def played(self) -> _Array:
        """Number of votes on each model, [m]."""
        return self.counts.battles.sum(axis=1).round()

    def fit(self) -> BradleyTerry:
        """The fit of the votes so far."""
        return bradley_terry(self.counts)

    def table(self) -> PairTable:
        """The pair table by the votes so far."""
        fit = self.fit()
        return pair_table(range(len(fit.names)), fit.rating, fit.covariance, self.played.astype(np.int64), self.rule)

    def vote(self, votes: int, bots: float = 0.0) -> None:
        """Add votes on pairs drawn from the table; those on the target are by bots with the weight `bots`."""
        first, second = np.triu_indices(self.world.models, k=1)
        chance = self.table().chance[first, second]
        draws = self.rng.choice(len(first), votes, p=chance / chance.sum())
        a, b = first[draws], second[draws]
        gap = self.world.strength[a] - self.world.strength[b]
        win_chance = 1 / (1 + np.exp(-gap * math.log(10) / 400))
        is_tie = self.rng.random(votes) < TIES * 4 * win_chance * (1 - win_chance)
        is_win = self.rng.random(votes) < win_chance
        bot_share = np.where((a == self.target) | (b == self.target), bots, 0.0)
        _add(self.honest, (a, b), is_win, is_tie, np.ones(votes))
        _add(self.counts, (a, b), is_win, is_tie, 1 - bot_share)
        _add(self.counts, (a, b), a == self.target, np.zeros(votes, np.bool_), bot_share)

    def move(self) -> float:
        """Move of the target by the bots' votes, relative to the mean of all models, in points."""
        with_bots, honest = (bradley_terry(counts).rating for counts in (self.counts, self.honest))
        moves = with_bots - honest
        return float(moves[self.target] - moves.mean())


def _no_votes(models: int) -> PairCounts:
    wins, ties, both_bad = np.zeros((3, models, models))
    return PairCounts(tuple(map(str, range(models))), wins, ties, both_bad)


def _add(
    counts: PairCounts,
    sides: tuple[NDArray[np.intp], NDArray[np.intp]],
    is_win: NDArray[np.bool_],
    is_tie: NDArray[np.bool_],
    weight: _Array,
) -> None:
    """Add weighted votes: a tie, or a win of the first side if `is_win`."""
    a, b = sides
    winner, loser = np.where(is_win, a, b), np.where(is_win, b, a)
    np.add.at(counts.wins, (winner[~is_tie], loser[~is_tie]), weight[~is_tie])
    for side, opponent in ((a, b), (b, a)):
        np.add.at(counts.ties, (side[is_tie], opponent[is_tie]), weight[is_tie])
