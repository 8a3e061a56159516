"""Rank correlations: by hand, by brute force, and on votes."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_rating import BadParameters, EloParameters
from arena_rating.research import agreement, correlate, kendall, spearman
from tests.rating.logs import fewer_examples, log_of, simulated

SMALL = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12)


def columns(rows):
    x, y = zip(*rows, strict=True)
    return np.array(x, float), np.array(y, float)


def sign(value):
    return (value > 0) - (value < 0)


def middle_rank(values, value):
    below, alike = sum(v < value for v in values), sum(v == value for v in values)
    return below + Fraction(alike + 1, 2)


def test_correlations_of_five_numbers_are_those_computed_by_hand():
    x, y = np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 4, 3, 5])
    assert kendall(x, y) == pytest.approx(6 / 10)  # 8 pairs agree, 2 do not
    assert spearman(x, y) == pytest.approx(1 - 6 * 4 / (5 * 24))


def test_correlations_with_ties_are_those_computed_by_hand():
    x, y = np.array([1.0, 1, 2, 3]), np.array([1.0, 2, 2, 3])
    assert kendall(x, y) == pytest.approx(4 / 5)  # 4 of 6 pairs agree, 5 differ in x, 5 in y
    assert spearman(x, y) == pytest.approx(3.75 / 4.5)  # mid-ranks 1.5 1.5 3 4 and 1 2.5 2.5 4


@fewer_examples
@given(SMALL)
def test_kendall_is_the_count_over_all_pairs(rows):
    x, y = columns(rows)
    pairs = [(sign(a[0] - b[0]), sign(a[1] - b[1])) for a, b in combinations(rows, 2)]
    moved_x, moved_y = sum(p != 0 for p, _ in pairs), sum(q != 0 for _, q in pairs)
    if moved_x and moved_y:
        assert kendall(x, y) == pytest.approx(sum(p * q for p, q in pairs) / math.sqrt(moved_x * moved_y), abs=1e-15)
    else:
        assert math.isnan(kendall(x, y))


@fewer_examples
@given(SMALL)
def test_spearman_is_the_correlation_of_middle_ranks(rows):
    x, y = columns(rows)
    p, q = ([middle_rank(column, v) - Fraction(len(rows) + 1, 2) for v in column] for column in zip(*rows, strict=True))
    scale = sum(v * v for v in p) * sum(v * v for v in q)
    if scale:
        assert spearman(x, y) == pytest.approx(float(sum(map(Fraction.__mul__, p, q))) / math.sqrt(scale), abs=1e-14)
    else:
        assert math.isnan(spearman(x, y))


def test_a_thousand_rows_reversed_are_exactly_opposite():
    x = np.arange(1000.0)
    assert kendall(x, -x) == pytest.approx(-1, abs=1e-15)
    assert spearman(x, x**3) == pytest.approx(1, abs=1e-15)


def test_rows_without_a_number_are_left_out():
    nan = math.nan
    assert kendall(np.array([1, nan, 2, 3]), np.array([1.0, 2, nan, 3])) == 1
    assert correlate({"x": np.array([1, nan, 2]), "y": np.array([1.0, 2, 3])}).competitors == 2


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(BadParameters, match="lengths"):
        kendall(np.ones(2), np.ones(3))
    with pytest.raises(BadParameters, match="lengths"):
        correlate({"x": np.ones(2), "y": np.ones(3)})


def test_methods_that_rate_battles_agree_and_points_reward_playing():
    found = agreement(simulated(5000, 12, seed=4), EloParameters(orders=40), seed=1)
    at = {method: number for number, method in enumerate(found.methods)}
    assert found.spearman[at["points_per_battle"], at["bradley_terry"]] > 0.9
    assert found.spearman[at["points"], at["bradley_terry"]] < 0.7
    assert np.array_equal(found.kendall, found.kendall.T)
    assert (np.diag(found.spearman) == 1).all()


def test_only_the_largest_component_is_compared():
    votes = [("u", "v", "a"), ("v", "w", "a"), ("w", "u", "tie"), ("x", "y", "a")]
    assert agreement(log_of(votes), EloParameters(orders=8), seed=1).competitors == 3


# LLMEval, table 2: scores of twelve models by people and by GPT-4, as stars (overall) and as outcomes of pairs.
STARS_PEOPLE = (2.833, 2.789, 2.639, 2.633, 2.597, 2.571, 2.523, 2.464, 2.337, 2.312, 2.312, 2.310)
STARS_GPT4 = (2.917, 2.878, 2.724, 2.821, 2.644, 2.723, 2.646, 2.622, 2.518, 2.534, 2.411, 2.506)
PAIRS_PEOPLE = (0.701, 0.643, 0.550, 0.603, 0.579, 0.506, 0.491, 0.415, 0.377, 0.398, 0.426, 0.352)
PAIRS_GPT4 = (0.894, 0.818, 0.623, 0.621, 0.547, 0.457, 0.507, 0.425, 0.272, 0.339, 0.245, 0.254)


@pytest.mark.parametrize(
    ("first", "second", "rho", "tau"),
    [
        (STARS_PEOPLE, PAIRS_PEOPLE, 0.9387, 0.8397),
        (STARS_GPT4, PAIRS_GPT4, 0.9650, 0.8788),
        (STARS_PEOPLE, STARS_GPT4, 0.9492, 0.8397),
        (PAIRS_PEOPLE, PAIRS_GPT4, 0.9021, 0.7879),
    ],
)
def test_llmevals_correlations_of_methods_come_out_of_its_scores(first, second, rho, tau):
    x, y = np.array(first), np.array(second)
    assert (round(spearman(x, y), 4), round(kendall(x, y), 4)) == (rho, tau)
