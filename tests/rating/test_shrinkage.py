"""Small boards that borrow from all votes: a plain twin, and coverage in the worlds of several generators."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_rating import ClusteredRows, Comparisons, Pool, bradley_terry, clustered, pair_counts
from arena_rating.categories.shrinkage import SPREADS, Borrowed
from arena_rating.clusters import ClusteredFit
from tests.rating.category_worlds import GENERATORS, CategoryWorld


def fitted(log: Comparisons) -> ClusteredFit:
    counts = pair_counts(log)
    return clustered(bradley_terry(counts), ClusteredRows.of(log), counts)


def fits_of(world: CategoryWorld) -> tuple[ClusteredFit, list[ClusteredFit]]:
    return fitted(world.log), [fitted(world.part(number)) for number in range(len(world.strength))]


def boards_of(whole: ClusteredFit, fits: list[ClusteredFit]) -> list[Borrowed]:
    pool = Pool.of(whole, fits)
    return [pool.borrow(fit) for fit in fits]


def measured(generator: str, kind: str, logs: int) -> tuple[float, float, float]:
    """Coverage of the first small category and of the second one, and the ratio of the second one's widths."""
    inside, ratio = np.zeros((logs, 2)), np.zeros(logs)
    for seed in range(logs):
        world = GENERATORS[generator](kind, seed)
        whole, fits = fits_of(world)
        boards = boards_of(whole, fits)
        for number in (0, 1):
            at = world.limit(number)
            inside[seed, number] = ((boards[number].low <= at) & (at <= boards[number].high)).mean()
        own = fits[1].fit.high - fits[1].fit.low
        ratio[seed] = ((boards[1].high - boards[1].low) / own).mean()
    return float(inside[:, 0].mean()), float(inside[:, 1].mean()), float(ratio.mean())


@pytest.mark.parametrize(("kind", "least", "width"), [("agree", 0.95, 0.7), ("alone", 0.9, 0.7), ("differ", 0.9, 1.0)])
def test_intervals_that_borrow_hold_the_truth_and_are_narrower_where_categories_agree(kind, least, width):
    first, second, ratio = measured("davidson", kind, 4)
    assert min(first, second) >= least
    assert ratio < width


@pytest.mark.heavy
@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("kind", ["agree", "alone", "differ", "contradict", "one model", "half"])
def test_coverage_where_categories_agree_differ_or_contradict(generator, kind):
    first, second, ratio = measured(generator, kind, 100)
    assert min(first, second) >= 0.93
    assert ratio <= (0.7 if kind == "agree" else 1.0)


def test_a_category_that_contradicts_all_others_borrows_little():
    whole, fits = fits_of(GENERATORS["davidson"]("contradict", 2))
    first, second, *_ = boards_of(whole, fits)
    assert first.share.max() < 0.3
    assert second.share.min() > 0.5


def plain_share(
    whole: ClusteredFit, fits: list[ClusteredFit], number: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Chances of tau, and difference, noise and common variance of a category, by sums over models."""
    from scipy.stats import norm  # takes every run half a second to import

    results, models = [], len(fits[0].fit.rating)
    for fit in fits:
        precision, unit = 1 / np.diag(fit.fit.covariance), fit.fit.unit
        centre = np.eye(models) - precision / precision.sum()
        own, common = (np.diag(centre @ one.fit.covariance @ centre.T) / unit**2 for one in (fit, whole))
        noise = np.maximum(own - common, 0.05 * own)
        gap = centre @ (fit.fit.rating - whole.fit.rating) / unit
        logarithm = [sum(norm.logpdf(gap, 0, np.sqrt(noise + tau**2))) * (1 - 1 / models) for tau in SPREADS]
        results.append((np.array(logarithm), gap, noise, common))
    others = sum(result[0] for place, result in enumerate(results) if place != number)
    own, gap, noise, common = results[number]
    both = own + 2 * others / (models * (len(fits) - 1))
    if own.max() - own[both.argmax()] > 0.5:
        both = own
    chance = SPREADS * np.exp(both - both.max())
    return chance / chance.sum(), gap, noise, common


@pytest.mark.parametrize("kind", ["agree", "alone", "contradict"])
def test_ratings_and_intervals_are_those_of_the_posterior_by_plain_sums(kind):
    from scipy.stats import norm, t

    whole, fits = fits_of(GENERATORS["davidson"](kind, 1))
    board, fit = boards_of(whole, fits)[0], fits[0]
    chance, gap, noise, common = plain_share(whole, fits, 0)
    borrows = np.flatnonzero(board.share > 0)
    for i in borrows:
        weight = noise[i] / (noise[i] + SPREADS**2)
        stretch = t.ppf(0.975, fit.freedom[i]) / norm.ppf(0.975)
        error = np.sqrt(common[i] + weight * SPREADS**2) * (1 + (1 - weight) * (stretch - 1))
        assert board.share[i] == pytest.approx(chance @ weight, abs=1e-6)
        base = fit.fit.rating[i] - fit.fit.unit * gap[i]
        assert board.rating[i] == pytest.approx(base + fit.fit.unit * (chance @ (1 - weight)) * gap[i], abs=1e-3)
        for end, level in ((board.low[i], 0.025), (board.high[i], 0.975)):
            parts = norm.cdf((end - base) / fit.fit.unit, (1 - weight) * gap[i], error)
            assert chance @ parts == pytest.approx(level, abs=1e-5)
    assert len(borrows) > 5
    assert (board.high - board.low <= fit.fit.high - fit.fit.low + 1e-9).all()


def test_models_without_an_error_keep_their_own_ratings():
    whole, fits = fits_of(GENERATORS["davidson"]("agree", 1))
    broken = replace(fits[0], fit=replace(fits[0].fit, error=np.full(len(fits[0].fit.names), np.nan)))
    board = Pool.of(whole, [broken]).borrow(broken)
    assert board.rating.tolist() == fits[0].fit.rating.tolist()
    assert not board.share.any()


def test_fewer_than_eight_models_borrow_nothing():
    world = GENERATORS["davidson"]("agree", 1)
    few = world.log.where((world.log.left < 7) & (world.log.right < 7))
    board = Pool.of(fitted(few), [fitted(few)]).borrow(fitted(few))
    assert not np.nan_to_num(board.share).any()
