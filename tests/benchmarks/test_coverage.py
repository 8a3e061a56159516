import numpy as np
import pytest

from benchmarks.coverage import MODELS, World, one_log, projection


def test_tastes_pull_strengths_of_the_mean_voter_together():
    strength = np.linspace(-1.0, 1.0, MODELS)
    assert projection(strength, 0.0) == pytest.approx(strength, abs=1e-3)
    assert np.abs(projection(strength, 1.0)).max() < np.abs(strength).max() - 0.1


def test_intervals_by_voter_hold_more_than_independent_ones_where_a_few_cast_most_votes():
    rows = [one_log(World(500, 1.0, equal=False), np.random.default_rng(seed)) for seed in range(3)]
    independent, clustered = (np.mean([row[name] for row in rows]) for name in ("independent", "1 day"))
    assert clustered > independent
    assert clustered >= 0.85
