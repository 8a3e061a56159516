"""The interval of a duel knows that judgements depend on each other, and says whether it leaves ½ out."""

import math

import numpy as np
import pytest

from arena.evaluations.usecases.reports.duels import compare_scores, design_effect, mixture


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


def scored(score: np.ndarray) -> tuple[bool, int | None]:
    """Whether one is better, and how many more judgements would tell, for scores [items, people]."""
    items, people = score.shape
    item, person = np.repeat(np.arange(items), people), np.tile(np.arange(people), items)
    view = compare_scores(("x", "y"), score.ravel(), item.astype(np.int32), person.astype(np.int32))
    return view.significant, view.more


def worlds(number: int, taste: float) -> np.ndarray:
    """Scores [number, 300, 3] of equal models with tastes by question, of people who mostly agree on one."""
    rng = np.random.default_rng(3)
    question = taste * rng.normal(size=(number, 300, 1))
    return (rng.random((number, 300, 3)) < 1 / (1 + np.exp(-question))).astype(float)


@pytest.mark.parametrize("taste", [0.0, 2.0])
def test_of_equals_none_is_called_better_however_often_one_looks(taste):
    looks = [20, 30, 45, 70, 100, 150, 220, 300]
    wrong = [any(scored(score[:look])[0] for look in looks) for score in worlds(200, taste)]
    assert np.mean(wrong) <= 0.05


def test_a_clear_difference_is_called_after_twenty_questions_and_not_before():
    assert scored(np.ones((20, 3)))[0]
    assert scored(np.ones((19, 3))) == (False, 3)


def test_no_number_of_judgements_is_named_where_all_questions_of_a_pair_are_too_few():
    place = np.arange(15, dtype=np.int32)
    score, person = (place % 3 < 2).astype(float), np.zeros(15, np.int32)
    views = [compare_scores(("x", "y"), score, place, person, questions=number) for number in (15, 19, 20)]
    assert [(view.more is None, view.missing_questions) for view in views] == [(True, 5), (True, 1), (False, 0)]


@pytest.mark.parametrize("share", [0.55, 0.6, 0.65])
def test_as_many_more_judgements_as_it_says_do_tell(share):
    better, more = scored((np.arange(60) < round(60 * share))[:, None].astype(float))
    total = 60 + (more or 0)
    later = (np.arange(total) < round(total * share)).astype(float)
    number = total / design_effect(later, np.arange(total, dtype=np.int32), np.zeros(total, np.int32))
    assert not better
    assert mixture(float(later.mean()), number) == pytest.approx(math.log(20), abs=0.25)


def test_equals_are_told_by_no_number_of_judgements():
    assert scored(np.tile([[1.0], [0.0]], (20, 1))) == (False, None)


@pytest.mark.parametrize(("won", "number"), [(5, 9), (30.5, 47), (400, 1000)])
def test_the_mixture_is_the_mean_over_all_shares(won, number):
    shares = (np.arange(200_000) + 0.5) / 200_000
    logs = won * np.log(2 * shares) + (number - won) * np.log(2 * (1 - shares))
    assert mixture(won / number, number) == pytest.approx(math.log(np.exp(logs).mean()), abs=1e-6)
