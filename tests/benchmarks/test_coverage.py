import numpy as np
import pytest

from arena_rating import ClusteredRows, bradley_terry, clustered, pair_counts
from benchmarks.coverage import MODELS, World, draw_outcomes, one_log, projection
from benchmarks.few_clusters import WORLDS, halves, measure


def test_tastes_pull_strengths_of_the_mean_voter_together():
    strength = np.linspace(-1.0, 1.0, MODELS)
    assert projection(strength, 0.0) == pytest.approx(strength, abs=1e-3)
    assert np.abs(projection(strength, 1.0)).max() < np.abs(strength).max() - 0.1


def test_intervals_by_voter_hold_more_than_independent_ones_where_a_few_cast_most_votes():
    rows = [one_log(World(500, 1.0, equal=False), np.random.default_rng(seed)) for seed in range(3)]
    independent, clustered = (np.mean([row[name] for row in rows]) for name in ("independent", "1 day"))
    assert clustered > independent
    assert clustered >= 0.85


def test_the_correction_of_the_board_is_cr3_from_dense_matrices_too():
    log, _ = draw_outcomes(World(40, 1.0, equal=False), np.linspace(-1.0, 1.0, MODELS), np.random.default_rng(4))
    counts = pair_counts(log)
    fit = bradley_terry(counts)
    held = clustered(fit, ClusteredRows.of(log), counts).fit
    wide = halves(log, fit)
    board = (held.high - held.low) / 2
    assert wide["CR3, t of Satterthwaite"] == pytest.approx(board, rel=0.05)
    assert (wide["CR1, normal"] < wide["CR2, normal"]).all()
    assert (wide["CR2, normal"] < wide["CR3, normal"]).all()


def test_each_share_has_its_error_beside_it():
    shares = [row for row in measure(2) if row.work == "as the board has it"]
    assert len(shares) == len(WORLDS)
    assert all(0 <= row.figures["error"] < 0.5 for row in shares)
