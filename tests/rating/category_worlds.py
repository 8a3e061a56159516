"""Worlds of categories with known strengths, by generators that share no code with each other or with the method.

`davidson`: ties by Davidson's model, pairs alike, categories mixed over voters. `thresholds`: two noisy impressions
compared, a tie where they are near; popular models are drawn more often, each voter stays in one category. `tastes`:
voters differ, and cast very different numbers of votes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from arena_rating import Comparisons

CATEGORIES, SMALL, BIG = 6, 300, 1_500
MODELS: Final = 12
POINT: Final = np.log(10) / 400
EVEN: Final = 1 - np.eye(MODELS)
NAMES: Final = tuple(f"m{place:03}" for place in range(MODELS))


@dataclass(frozen=True)
class CategoryWorld:
    """Strengths [categories, models] in log-odds, votes, their categories, and the chance [m, m] of a point by gap."""

    strength: np.ndarray
    log: Comparisons
    category: np.ndarray
    chance: Callable[[np.ndarray], np.ndarray]
    often: np.ndarray
    """Chance [m, m] of each pair."""

    def part(self, number: int) -> Comparisons:
        return self.log.where(self.category == number)

    def limit(self, number: int) -> np.ndarray:
        """The Bradley-Terry projection of a category, in points, centred by its battles."""
        truth = self.strength[number]
        target, theta = self.chance(truth[:, None] - truth), truth.copy()
        for _ in range(500):
            gap = target - 1 / (1 + np.exp(theta - theta[:, None]))
            theta = theta + 3 * (self.often * gap).sum(axis=1) / self.often.sum(axis=1)
        part = self.part(number)
        battles = np.bincount(part.left, minlength=MODELS) + np.bincount(part.right, minlength=MODELS)
        return 1000 + (theta - battles @ theta / battles.sum()) / POINT


def effects(kind: str, rng: np.random.Generator, base: np.ndarray) -> np.ndarray:
    """Effects [categories, models] in points: none, of one category, of all, of half of them, or one model's alone."""
    result = np.zeros((CATEGORIES, MODELS))
    if kind == "alone":
        result[0] = rng.normal(0, 60, MODELS)
    if kind == "differ":
        result = rng.normal(0, 60, result.shape)
    if kind == "half":
        result[: CATEGORIES // 2] = rng.normal(0, 60, (CATEGORIES // 2, MODELS))
    if kind == "contradict":
        result[0] = rng.permutation(base) - base
    if kind == "one model":
        result[0, rng.integers(MODELS)] = 150
    return result


def _log(left: np.ndarray, right: np.ndarray, outcome: np.ndarray, voter: np.ndarray) -> Comparisons:
    columns = left.astype(np.int32), right.astype(np.int32), outcome.astype(np.uint8)
    return Comparisons(*columns, None, voter.astype(np.int32), None, NAMES)


def _categories() -> np.ndarray:
    return np.repeat(np.arange(CATEGORIES), [SMALL, SMALL, *[BIG] * (CATEGORIES - 2)])


def davidson(kind: str, seed: int) -> CategoryWorld:
    rng = np.random.default_rng(seed)
    base, nu = np.linspace(150, -150, MODELS), 2 / 3
    truth = (base + effects(kind, rng, base)) * POINT
    category = rng.permutation(_categories())
    left = rng.integers(0, MODELS, len(category))
    right = (left + rng.integers(1, MODELS, len(category))) % MODELS
    gap = truth[category, left] - truth[category, right]
    win, loss = np.exp(gap / 2), np.exp(-gap / 2)
    luck = rng.random(len(gap)) * (win + loss + nu)
    outcome = np.where(luck < win, 0, np.where(luck < win + loss, 1, 2))

    def chance(gaps: np.ndarray) -> np.ndarray:
        ahead = np.exp(gaps / 2)
        return (ahead + nu / 2) / (ahead + 1 / ahead + nu)

    voter = np.arange(len(category)) // 20
    return CategoryWorld(truth, _log(left, right, outcome, voter), category, chance, EVEN)


def thresholds(kind: str, seed: int) -> CategoryWorld:
    rng = np.random.default_rng([seed, 1])
    base, margin = rng.permutation(np.linspace(160, -160, MODELS)), 0.4
    truth = (base + effects(kind, rng, base)) * POINT
    category, draws = _categories(), 1 / np.sqrt(1 + np.arange(MODELS))
    keys = np.log(draws) + rng.gumbel(size=(len(category), MODELS))
    places = np.argsort(-keys, axis=1)[:, :2]
    impressions = truth[category[:, None], places] + rng.gumbel(size=places.shape)
    gap = impressions[:, 0] - impressions[:, 1]
    outcome = np.where(gap > margin, 0, np.where(gap < -margin, 1, 2))
    share = draws / draws.sum()
    first = np.outer(share / (1 - share), share)
    often = first + first.T
    np.fill_diagonal(often, 0.0)

    def chance(gaps: np.ndarray) -> np.ndarray:
        return (1 / (1 + np.exp(margin - gaps)) + 1 / (1 + np.exp(-margin - gaps))) / 2

    voter = np.arange(len(category)) // 15
    return CategoryWorld(truth, _log(places[:, 0], places[:, 1], outcome, voter), category, chance, often)


def tastes(kind: str, seed: int) -> CategoryWorld:
    rng = np.random.default_rng([seed, 2])
    base, spread = rng.normal(0, 90, MODELS), 0.5
    truth = (base + effects(kind, rng, base)) * POINT
    category = rng.permutation(_categories())
    sizes = np.ceil(1 + 4 * rng.pareto(1.5, len(category))).astype(int)
    voter = rng.permutation(np.repeat(np.arange(len(sizes)), sizes)[: len(category)])
    taste = rng.normal(0, spread, (voter.max() + 1, MODELS))
    left = rng.integers(0, MODELS, len(category))
    right = (left + rng.integers(1, MODELS, len(category))) % MODELS
    gap = truth[category, left] + taste[voter, left] - truth[category, right] - taste[voter, right]
    outcome = np.where(rng.random(len(gap)) < 0.2, 2, rng.random(len(gap)) > 1 / (1 + np.exp(-gap)))
    nodes, weights = np.polynomial.hermite_e.hermegauss(21)

    def chance(gaps: np.ndarray) -> np.ndarray:
        mean = sum(
            weight / (1 + np.exp(-gaps - spread * np.sqrt(2) * node))
            for node, weight in zip(nodes, weights, strict=True)
        )
        return 0.1 + 0.8 * mean / weights.sum()

    return CategoryWorld(truth, _log(left, right, outcome, voter), category, chance, EVEN)


GENERATORS: Final = {"davidson": davidson, "thresholds": thresholds, "tastes": tastes}
