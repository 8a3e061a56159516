"""Analysis of variance: worked examples, the tail of F against Student's t and known quantiles, and its empty cases."""

from __future__ import annotations

import numpy as np
import pytest

from arena.evaluations.domain.predictors.variance import analysis_of_variance, incomplete_beta
from arena_rating.student import student_chance


def test_a_worked_example_comes_out():
    found = analysis_of_variance([[6, 8, 4, 5, 3, 4], [8, 12, 9, 11, 6, 8], [13, 9, 11, 8, 7, 12]])
    assert found is not None
    assert (round(found.f, 4), found.between, found.within) == (9.2647, 2, 15)
    assert found.p == pytest.approx(0.0023987773, abs=1e-9)


@pytest.mark.parametrize(
    ("f", "between", "within", "p"), [(3.8853, 2, 12, 0.05), (2.8661, 4, 20, 0.05), (6.927, 2, 12, 0.01)]
)
def test_the_tail_of_f_is_that_of_printed_tables(f, between, within, p):
    assert incomplete_beta(within / 2, between / 2, within / (within + between * f)) == pytest.approx(p, abs=2e-5)


def test_two_groups_are_as_far_apart_as_by_students_t():
    rng = np.random.default_rng(1)
    first, second = rng.normal(0, 1, 40).tolist(), rng.normal(0.5, 1, 60).tolist()
    found = analysis_of_variance([first, second])
    assert found is not None
    assert found.p == pytest.approx(2 * student_chance(-(found.f**0.5), 98), rel=1e-9)


def test_groups_without_a_difference_are_seldom_told_apart():
    rng = np.random.default_rng(2)
    found = [analysis_of_variance(rng.normal(size=(4, 30)).tolist()) for _ in range(400)]
    assert 0.02 < np.mean([each is not None and each.p < 0.05 for each in found]) < 0.09


@pytest.mark.parametrize("groups", [[], [[1.0, 2.0]], [[1.0], [2.0]], [[1.0, 1.0], [2.0, 2.0]], [[], [1.0, 2.0]]])
def test_where_nothing_can_be_compared_there_is_none(groups):
    assert analysis_of_variance(groups) is None
