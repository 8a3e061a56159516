"""The interval of a duel knows that judgements depend on each other, and says whether it leaves ½ out."""

import numpy as np
import pytest

from arena.evaluations.usecases.reports.duels import design_effect


def effect(table):
    """The design effect of a table of scores: a row for each item, a column for each person."""
    scores = np.array(table, float)
    items, people = scores.shape
    item, person = np.repeat(np.arange(items), people), np.tile(np.arange(people), items)
    return design_effect(scores.ravel(), item.astype(np.int32), person.astype(np.int32))


def test_judgements_that_agree_on_each_item_count_as_one_for_each():
    assert effect([[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 0]]) == pytest.approx(3 * 4 / 3)
    assert effect([[1, 1, 1], [1, 1, 1]]) == 3


def test_independent_judgements_count_as_they_are():
    assert effect([[1, 0], [0, 1], [1, 0], [0, 1]]) >= 1
    rng = np.random.default_rng(1)
    assert effect(rng.integers(0, 2, (400, 5))) == pytest.approx(1, abs=0.35)


def test_a_person_who_leans_to_one_side_widens_the_interval():
    assert effect([[1, 0, 0], [1, 0, 0], [1, 0, 0], [1, 1, 0]]) > 2
