"""Worlds of voters with known ratings and rates, written from the model of the docs alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena_rating import Comparisons

TIES = 0.25
DRAWS = 4_000
"""Voters over whom the rates of a world are averaged."""


@dataclass(frozen=True)
class World:
    """Models spread over `points`, voters with tastes of `taste` points / 173.7, and how many votes each casts."""

    models: int = 20
    points: float = 300.0
    taste: float = 0.0
    ties: float = TIES
    votes_of_voter: str = "even"

    @property
    def strength(self) -> np.ndarray:
        return np.linspace(self.points / 2, -self.points / 2, self.models) * np.log(10) / 400

    def sizes(self, votes: int, rng: np.random.Generator) -> np.ndarray:
        """Votes of each voter."""
        if self.votes_of_voter == "twelve":
            share = np.array([0.2, 0.2, 0.2, *[0.4 / 9] * 9])
            return np.maximum(1, np.round(share * votes)).astype(int)
        if self.votes_of_voter == "two":
            return np.full(votes // 2, 2)
        if self.votes_of_voter == "even":
            return np.full(max(2, votes // 20), 20)
        heavy = np.ceil(1 + rng.pareto(1.0, votes)).astype(int)
        return heavy[: int(np.searchsorted(np.cumsum(heavy), votes)) + 1]

    def log(self, votes: int, seed: int) -> Comparisons:
        rng = np.random.default_rng(seed)
        sizes = self.sizes(votes, rng)
        voter = np.repeat(np.arange(len(sizes)), sizes)
        voter = rng.permutation(voter)[:votes]
        tastes = self.strength + self.taste * rng.normal(size=(len(sizes), self.models))
        left = rng.integers(0, self.models, len(voter))
        right = (left + rng.integers(1, self.models, len(voter))) % self.models
        chance = outcome_chances(tastes[voter, left] - tastes[voter, right], self.ties)
        outcome = (rng.random(len(voter))[:, None] > np.cumsum(chance, axis=1)).sum(axis=1)
        names = tuple(f"m{place:03}" for place in range(self.models))
        columns = (left.astype(np.int32), right.astype(np.int32), np.minimum(outcome, 2).astype(np.uint8))
        return Comparisons(*columns, None, voter.astype(np.int32), None, names)

    def rates(self, tie: float) -> np.ndarray:
        """Each model's mean of 1 for a win and `tie` for a tie, over all opponents and voters."""
        rng = np.random.default_rng(1)
        tastes = self.strength + self.taste * rng.normal(size=(DRAWS if self.taste else 1, self.models))
        gap = tastes[:, :, None] - tastes[:, None, :]
        win, _, draw = np.moveaxis(outcome_chances(gap, self.ties), -1, 0)
        points = (win + tie * draw).mean(axis=0)
        np.fill_diagonal(points, 0.0)
        return points.sum(axis=1) / (self.models - 1)


def outcome_chances(gap: np.ndarray, ties: float) -> np.ndarray:
    """Chances [..., 3] of a win, a loss and a tie by Davidson, with the share `ties` for equals."""
    nu = 2 * ties / (1 - ties)
    first, second = np.exp(gap / 2), np.exp(-gap / 2)
    return np.stack([first, second, nu * np.ones_like(gap)], axis=-1) / (first + second + nu)[..., None]


WORLDS = {
    "alike": World(),
    "taste .5": World(taste=0.5),
    "taste 1": World(taste=1.0),
    "Pareto voters, taste .7": World(taste=0.7, votes_of_voter="pareto"),
    "12 voters, three heavy, taste .7": World(taste=0.7, votes_of_voter="twelve"),
    "ties 40 %": World(ties=0.4),
    "5 models": World(models=5),
    "5 models, taste 1": World(models=5, taste=1.0),
    "600 points": World(points=600.0),
    "taste 1, 2 votes a voter": World(taste=1.0, votes_of_voter="two"),
}
