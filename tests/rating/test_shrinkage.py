"""Small boards that borrow from all votes: a plain twin, and coverage where categories agree, differ and contradict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_rating import ClusteredRows, Comparisons, bradley_terry, clustered, pair_counts
from arena_rating.clusters import ClusteredFit
from arena_rating.research.shrinkage import SPREADS, borrow
from tests.rating.worlds import outcome_chances

MODELS, SMALL, BIG = 10, 300, 1_500
POINT = np.log(10) / 400


def fitted(log: Comparisons) -> ClusteredFit:
    counts = pair_counts(log)
    return clustered(bradley_terry(counts), ClusteredRows.of(log), counts)


def strengths(kind: str, rng: np.random.Generator) -> np.ndarray:
    """Log-odds [6, models] of six categories that agree, differ by 60 points, or of which the first contradicts."""
    base, effects = np.linspace(150, -150, MODELS), np.zeros((6, MODELS))
    if kind == "differ":
        effects = rng.normal(0, 60, effects.shape)
    if kind == "contradict":
        effects[0] = rng.permutation(base) - base
    return (base + effects) * POINT


def world(kind: str, seed: int) -> tuple[np.ndarray, ClusteredFit, list[Comparisons]]:
    """Strengths, the fit of all votes, and the votes of two small categories; 20 votes a voter."""
    rng = np.random.default_rng(seed)
    truth = strengths(kind, rng)
    category = rng.permutation(np.repeat(np.arange(6), [SMALL, SMALL, *[BIG] * 4]))
    left = rng.integers(0, MODELS, len(category))
    right = (left + rng.integers(1, MODELS, len(category))) % MODELS
    chance = outcome_chances(truth[category, left] - truth[category, right], 0.25)
    outcome = np.minimum((rng.random(len(category))[:, None] > np.cumsum(chance, axis=1)).sum(axis=1), 2)
    voter = (np.arange(len(category)) // 20).astype(np.int32)
    columns = (left.astype(np.int32), right.astype(np.int32), outcome.astype(np.uint8))
    log = Comparisons(*columns, None, voter, None, tuple(f"m{place:03}" for place in range(MODELS)))
    return truth, fitted(log), [log.where(category == number) for number in range(6)]


def limit(truth: np.ndarray, log: Comparisons) -> np.ndarray:
    """What the fit tends to, in points, by the battles of a category: ties make Davidson's scale half as steep."""
    gap = truth[:, None] - truth
    win, _, tie = np.moveaxis(outcome_chances(gap, 0.25), -1, 0)
    target, theta = win + tie / 2, np.zeros(MODELS)
    for _ in range(300):
        theta += 0.3 * (target - 1 / (1 + np.exp(theta - theta[:, None]))).sum(axis=1)
    battles = np.bincount(log.left, minlength=MODELS) + np.bincount(log.right, minlength=MODELS)
    return 1000 + (theta - battles @ theta / battles.sum()) / POINT


def measured(kind: str, logs: int) -> tuple[float, float, float]:
    """Coverage of the first small category and of the second one, and the ratio of the second one's widths."""
    inside, ratio = np.zeros((logs, 2)), np.zeros(logs)
    for seed in range(logs):
        truth, whole, parts = world(kind, seed)
        fits = [fitted(part) for part in parts]
        boards = borrow(whole, fits)
        for number in (0, 1):
            at = limit(truth[number], parts[number])
            inside[seed, number] = ((boards[number].low <= at) & (at <= boards[number].high)).mean()
        own = fits[1].fit.high - fits[1].fit.low
        ratio[seed] = ((boards[1].high - boards[1].low) / own).mean()
    return float(inside[:, 0].mean()), float(inside[:, 1].mean()), float(ratio.mean())


@pytest.mark.parametrize(("kind", "least", "width"), [("agree", 0.95, 0.6), ("differ", 0.9, 1.0)])
def test_intervals_that_borrow_hold_the_truth_and_are_narrower_where_categories_agree(kind, least, width):
    first, second, ratio = measured(kind, 5)
    assert min(first, second) >= least
    assert ratio < width


@pytest.mark.heavy
@pytest.mark.parametrize(("kind", "width"), [("agree", 0.7), ("differ", 1.0), ("contradict", 1.0)])
def test_coverage_where_categories_agree_differ_or_contradict(kind, width):
    first, second, ratio = measured(kind, 100)
    assert min(first, second) >= 0.92
    assert ratio <= width


def test_a_category_that_contradicts_all_others_borrows_nothing():
    _, whole, parts = world("contradict", 2)
    fits = [fitted(part) for part in parts]
    first, second, *_ = borrow(whole, fits)
    assert first.share.max() < 0.3
    assert second.share.min() > 0.5


def test_ratings_and_intervals_are_those_of_the_posterior_by_plain_sums():
    _, whole, parts = world("differ", 1)
    (board,) = borrow(whole, [fit := fitted(parts[0])])
    square, unit = np.eye(MODELS), fit.fit.unit
    precision = 1 / np.diag(fit.fit.covariance)
    centre = square - precision / precision.sum()
    own, common = (np.diag(centre @ one.fit.covariance @ centre.T) / unit**2 for one in (fit, whole))
    gap = centre @ (fit.fit.rating - whole.fit.rating) / unit
    noise = np.maximum(own - common, 0.05 * own)
    chance = [
        np.prod([(noise[i] + tau**2) ** -0.5 * np.exp(-(gap[i] ** 2) / (noise[i] + tau**2) / 2) for i in range(MODELS)])
        for tau in SPREADS
    ]
    chance = np.array(chance) ** (1 - 1 / MODELS) / np.sum(np.array(chance) ** (1 - 1 / MODELS))
    for i in np.flatnonzero(board.share > 0):
        share = sum(c * noise[i] / (noise[i] + tau**2) for c, tau in zip(chance, SPREADS, strict=True))
        assert board.share[i] == pytest.approx(share)
        assert board.rating[i] == pytest.approx(fit.fit.rating[i] - unit * share * gap[i])
    assert (board.share > 0).sum() > 5


def test_models_without_an_error_keep_their_own_ratings():
    _, whole, parts = world("agree", 1)
    fit = fitted(parts[0])
    broken = replace(fit, fit=replace(fit.fit, error=np.full(MODELS, np.nan)))
    (board,) = borrow(whole, [broken])
    assert board.rating.tolist() == fit.fit.rating.tolist()
    assert not board.share.any()
