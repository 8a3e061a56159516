import numpy as np
import pytest

from arena_rating.student import student_quantile


def test_quantiles_are_those_of_the_printed_table():
    freedom = np.array([1, 2, 5, 10, 30, 120, np.inf])
    table = [12.706205, 4.302653, 2.570582, 2.228139, 2.042272, 1.979930, 1.959964]
    assert student_quantile(0.95, freedom) == pytest.approx(table, abs=1e-6)


def test_degrees_between_whole_ones_lie_between():
    one, between, two = student_quantile(0.9, np.array([1.0, 1.5, 2.0]))
    assert one > between > two
