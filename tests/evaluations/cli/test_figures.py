"""Figures of sentences say neither all nor nothing where it is nearly so."""

import pytest

from arena.evaluations.cli.figures import dollars, percent


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((0.0, "$0.00"), (1.8, "$1.80"), (0.25, "$0.25"), (0.1, "$0.10"), (1234.5, "$1234.50")),
        *((0.0149, "$0.015"), (0.005, "$0.0050"), (0.000225, "$0.00022"), (2e-9, "$0.0000000020")),
    ],
)
def test_small_amounts_have_digits_enough(value, expected):
    assert dollars(value) == expected


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        *((0.9975, "99.7 %"), (0.99999, "99.9 %"), (0.991, "99.1 %"), (1.0, "100 %"), (0.99, "99 %")),
        *((0.861, "86 %"), (0.0, "0 %"), (0.004, "under 1 %"), (1e-9, "under 1 %"), (7.25, "725 %")),
    ],
)
def test_nearly_all_is_not_all_and_hardly_any_is_not_nothing(share, expected):
    assert percent(share) == expected
