import numpy as np
import pytest

from arena_rating.student import student_chance, student_quantile


def test_quantiles_are_those_of_the_printed_table():
    freedom = np.array([1, 2, 5, 10, 30, 120, np.inf])
    table = [12.706205, 4.302653, 2.570582, 2.228139, 2.042272, 1.979930, 1.959964]
    assert student_quantile(0.95, freedom) == pytest.approx(table, abs=1e-6)


def test_degrees_between_whole_ones_lie_between():
    one, between, two = student_quantile(0.9, np.array([1.0, 1.5, 2.0]))
    assert one > between > two


@pytest.mark.parametrize("freedom", [1.0, 3.5, 40.0, np.inf])
def test_the_chance_up_to_a_quantile_is_its_level(freedom):
    t = float(student_quantile(0.9, np.array([freedom]))[0])
    assert student_chance(t, freedom) == pytest.approx(0.95)
    assert student_chance(-t, freedom) == pytest.approx(0.05)
    assert student_chance(0.0, freedom) == 0.5
