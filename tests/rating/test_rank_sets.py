import numpy as np
import pytest

from arena_rating import BadParameters, rank_sets, ranks
from arena_rating._kernels.rank_sets import largest_differences, normals

NAN = float("nan")
STEPS = np.linspace(1.0, 3.0, 10)


def test_the_printed_case_of_csranks_comes_out():
    low, high = rank_sets(STEPS, np.eye(10) * 0.2**2, seed=1)
    assert low.tolist() == [7, 6, 5, 4, 3, 2, 1, 1, 1, 1]
    assert high.tolist() == [10, 10, 10, 10, 9, 8, 7, 6, 5, 4]


def test_common_errors_do_not_hide_a_difference():
    covariance = np.full((2, 2), 100.0) + np.eye(2) * 0.01
    assert [bound.tolist() for bound in rank_sets(np.array([0.0, 1.0]), covariance, seed=1)] == [[2, 1], [2, 1]]


def test_components_have_ranks_of_their_own():
    low, high = rank_sets(np.array([0.0, 9.0, 5.0]), np.eye(3) * 0.01, np.array([0, 0, 1]), seed=1)
    assert (low.tolist(), high.tolist()) == ([2, 1, 1], [2, 1, 1])


def test_without_an_error_any_rank_is_possible():
    covariance = np.diag([0.01, 0.01, np.nan])
    low, high = rank_sets(np.array([9.0, 0.0, 5.0]), covariance, seed=1)
    assert (low.tolist(), high.tolist()) == ([1, 2, 1], [2, 3, 3])


def test_where_no_error_is_known_to_be_above_0_nothing_is_proved():
    low, high = rank_sets(np.array([1.0, 0.0]), np.zeros((2, 2)), seed=1)
    assert (low.tolist(), high.tolist()) == ([1, 1], [2, 2])


@pytest.mark.parametrize("unit", [1e-3, 1e3])
def test_the_unit_of_the_ratings_changes_no_set(unit):
    sets = [rank_sets(STEPS * scale, np.eye(10) * (0.2 * scale) ** 2, seed=1) for scale in (1.0, unit)]
    assert [bound.tolist() for bound in sets[0]] == [bound.tolist() for bound in sets[1]]


def test_wider_intervals_prove_less():
    wide = rank_sets(STEPS, np.eye(10) * 0.2**2, seed=1, stretch=np.full(10, 3.0))
    narrow = rank_sets(STEPS, np.eye(10) * 0.2**2, seed=1)
    assert (wide[1] - wide[0]).sum() > (narrow[1] - narrow[0]).sum()


@pytest.mark.parametrize("wrong", [{"level": 1.0}, {"seed": -1}, {"draws": 5}], ids=["level", "seed", "draws"])
def test_what_gives_no_sets_is_refused(wrong):
    with pytest.raises(BadParameters):
        rank_sets(STEPS, np.eye(10), **{"seed": 1, **wrong})


def test_a_matrix_that_is_no_covariance_is_refused():
    with pytest.raises(BadParameters, match="not positive semidefinite"):
        rank_sets(STEPS[:2], np.array([[1.0, 2.0], [2.0, 1.0]]), seed=1)


@pytest.mark.heavy
def test_all_true_ranks_are_inside_at_once_in_95_of_100_worlds():
    rng, held = np.random.default_rng(1), 0
    for world in range(400):
        truth = np.sort(rng.normal(0, 1, 12))
        low, high = rank_sets(rng.normal(truth, 0.15), np.eye(12) * 0.15**2, seed=world)
        ranks = np.arange(12, 0, -1)
        held += bool(((low <= ranks) & (ranks <= high)).all())
    assert held >= 0.95 * 400 - 2 * np.sqrt(400 * 0.05 * 0.95)


def test_equal_ratings_share_the_better_rank_and_the_next_one_is_left_out():
    assert ranks(np.array([5.0, 7.0, 5.0, 1.0])).tolist() == [2, 1, 2, 4]


def test_who_has_no_rating_has_no_rank_and_harms_nobody():
    assert ranks(np.array([NAN, 1.0, 2.0])).tolist() == [0, 2, 1]


def test_ranks_start_anew_in_each_component_and_row():
    table, pool = np.array([[1.0, 2.0, 9.0, 8.0], [2.0, 1.0, 8.0, 9.0]]), np.array([0, 0, 1, 1])
    assert ranks(table, pool).tolist() == [[2, 1, 1, 2], [1, 2, 2, 1]]


@pytest.mark.parametrize("share", [1.0, 0.5, 0.02])
@pytest.mark.parametrize("unequal", [0.0, 0.1, 2.0])
def test_skipped_pairs_change_no_bit_of_the_largest_difference(share: float, unequal: float):
    random = np.random.default_rng(round(10 * (share + unequal)))
    error = np.exp(unequal * random.normal(size=60))
    draws = random.normal(size=(60, 50)) * error[:, None]
    first, second = np.triu_indices(60, 1)
    is_open = random.random(len(first)) < share
    first, second = first[is_open], second[is_open]
    scale = 1 / np.hypot(error[first], error[second])
    largest = (np.abs(draws[first] - draws[second]) * scale[:, None]).max(axis=0)
    result, pairs = largest_differences(draws, first, second, scale)
    assert result.tolist() == largest.tolist()
    column = np.arange(draws.shape[1])
    gaps = np.abs(draws[first[pairs], column] - draws[second[pairs], column]) * scale[pairs]
    assert gaps.tolist() == largest.tolist()


@pytest.mark.parametrize("spread", [4.0, 8.0])
def test_draws_kept_between_steps_give_the_ranks_of_draws_made_anew(spread: float):
    random = np.random.default_rng(7)
    size, draws = 30, 400
    rating, half = spread * random.normal(size=size), random.normal(size=(size, size))
    covariance = half @ half.T / size
    sample = np.linalg.cholesky(covariance + np.eye(size) * 1e-9 * np.diag(covariance).mean()) @ normals(
        np.uint64(3), size, draws
    )
    first, second = np.triu_indices(size, 1)
    error = np.sqrt(np.diag(covariance)[first] + np.diag(covariance)[second] - 2 * covariance[first, second])
    gap, is_open, steps = np.abs(rating[first] - rating[second]) / error, np.ones(len(first), np.bool_), 0
    while is_open.any():
        gaps = np.abs(sample[first] - sample[second])[is_open] / error[is_open, None]
        critical = np.sort(gaps.max(axis=0))[round(0.95 * draws) - 1]
        if not (is_open & (gap > critical)).any():
            break
        is_open, steps = is_open & (gap <= critical), steps + 1
    better = np.zeros((size, size), np.bool_)
    closed = np.flatnonzero(~is_open)
    winner = np.where(rating[first[closed]] > rating[second[closed]], first[closed], second[closed])
    better[winner, first[closed] + second[closed] - winner] = True
    low, high = rank_sets(rating, covariance, seed=3, draws=draws)
    assert steps > 1
    assert low.tolist() == (1 + better.sum(axis=0)).tolist()
    assert high.tolist() == (size - better.sum(axis=1)).tolist()
