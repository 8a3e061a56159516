"""Neighbours on a board: orders that are equal but for rounding, and numbers of annotations that nobody will make."""

from __future__ import annotations

import numpy as np
import pytest

from arena.evaluations.usecases.reports.duels import times_to_exclude
from arena.evaluations.usecases.reports.neighbours import PER_CENT, Judgements, neighbours
from arena_rating.clusters import MAX_FURTHER

MANY = Judgements(400, 100)


@pytest.mark.parametrize("points", [100 / 3, 200 / 3, 70.1])
def test_models_of_equal_answers_are_equal_however_their_means_are_rounded(points):
    means = {float(np.full(number, points).mean()) for number in range(1, 200)}
    assert len(means) > 1
    (found,) = neighbours([("gull", max(means), 1e-15), ("tern", min(means), 0.0)], PER_CENT, MANY)
    assert (found.difference, found.z, found.tie, found.more) == (0.0, 0.0, True, None)


def test_without_an_error_a_difference_is_claimed_from_enough_annotations_on():
    places = [("gull", 80.0, 0.0), ("tern", 70.0, 0.0)]
    assert [neighbours(places, PER_CENT, Judgements(n, n))[0].tie for n in (299, 300)] == [True, False]


@pytest.mark.parametrize("gap", [1e-8, 1e-3, 5.0])
def test_no_number_of_annotations_is_named_that_nobody_makes(gap):
    (found,) = neighbours([("gull", 50 + gap, 4.0), ("tern", 50.0, 4.0)], PER_CENT, MANY)
    more = MANY.needs(times_to_exclude(0.5, 0.5 + gap / 100, 380.0)).judgements
    assert [number is None for number in (found.more, more)] == [gap < 1e-2] * 2
    assert all(number is None or 0 < number <= MAX_FURTHER for number in (found.more, more))
