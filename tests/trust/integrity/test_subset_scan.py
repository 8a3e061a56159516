"""Values and prices of the sets of a division that the scan compares."""

import math

import numpy as np
import pytest

from arena_trust.integrity.subset_scan import Scores


def gain(score, expected):
    """Votes times the divergence of their mean score from the expected one."""
    mean, fair = score.mean(), expected.mean()
    return len(score) * (mean * math.log(mean / fair) + (1 - mean) * math.log((1 - mean) / (1 - fair)))


@pytest.mark.parametrize("seed", range(4))
def test_the_best_set_is_worth_its_likelihood_ratio_less_the_ways_to_choose_it(seed):
    rng, slices = np.random.default_rng(seed), 9
    code, expected = rng.integers(0, slices, 600), rng.uniform(0.3, 0.7, 600)
    score = (rng.random(600) < np.where(code < seed + 1, 0.8, expected)).astype(float)
    best = Scores(score, expected, {"day": (code, slices)}, 1.0).best("day")
    assert best is not None
    inside = best.values[code]
    assert best.price == pytest.approx(math.log(math.comb(slices, int(best.values.sum())) * slices))
    parts = gain(score[inside], expected[inside]) + gain(score[~inside], expected[~inside])
    assert best.value == pytest.approx(parts - best.price)
    assert set(range(seed + 1)) <= set(np.flatnonzero(best.values).tolist())
