"""Figures of sentences say neither all nor nothing where it is nearly so."""

import pytest

from arena.domain.figures import dollars, per_cent, times


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((0.0, "$0.00"), (1.8, "$1.80"), (0.25, "$0.25"), (0.1, "$0.10"), (1234.5, "$1,234.50")),
        *((0.0149, "$0.015"), (0.005, "$0.0050"), (0.000225, "$0.00022"), (2e-9, "$0.0000000020")),
    ],
)
def test_small_amounts_have_digits_enough(value, expected):
    assert dollars(value) == expected


@pytest.mark.parametrize(
    ("share", "digits", "expected"),
    [
        *((0.9975, 0, "99.7"), (0.99999, 0, "99.9"), (0.991, 0, "99.1"), (1.0, 0, "100"), (0.99, 0, "99")),
        *((0.861, 0, "86"), (0.0, 0, "0"), (0.004, 0, "<1"), (1e-9, 0, "<1"), (7.25, 0, "725"), (-0.3, 0, "-30")),
        *((0.9996, 1, "99.96"), (1 - 1e-15, 1, "99.99"), (0.999, 1, "99.9"), (1.0, 1, "100.0"), (0.0, 1, "0.0")),
        *((0.0004, 1, "<0.1"), (0.0126, 1, "1.3"), (0.00001, 2, "<0.01"), (1 - 1e-15, 0, "99.9")),
    ],
)
def test_nearly_all_is_not_all_and_hardly_any_is_not_nothing(share, digits, expected):
    assert per_cent(share, digits) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(2.04, "2"), (2.5, "2.5"), (9.96, "10"), (60.2, "60"), (1500.0, "1,500")]
)
def test_times_as_much_have_a_digit_behind_the_point_below_ten(value, expected):
    assert times(value) == expected
