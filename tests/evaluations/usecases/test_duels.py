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
    """Whether one is better, and how many more judgements would tell, for scores [items, people] of many questions."""
    view = duel(score, questions=100_000)
    return view.significant, view.more


def duel(score: np.ndarray, questions: int = 0):
    """The duel of two models by scores [items, people]."""
    items, people = score.shape
    item, person = (
        np.repeat(np.arange(items, dtype=np.int32), people),
        np.tile(np.arange(people, dtype=np.int32), items),
    )
    return compare_scores(("x", "y"), score.ravel(), item, person, questions=questions)


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
    place, person = np.repeat(np.arange(15, dtype=np.int32), 2), np.tile(np.arange(2, dtype=np.int32), 15)
    score = ((place + person) % 3 < 2).astype(float)
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


def tastes(people: int, lean: float, taste: float, seed: int) -> np.ndarray:
    """Scores [40, people] of people who win by chances that differ by question."""
    rng = np.random.default_rng(seed)
    chance = 1 / (1 + np.exp(-(lean + taste * np.linspace(-1.5, 1.5, 40))))
    return (rng.random((people, 40)) < chance).T.astype(float)


def test_more_judgements_of_the_same_questions_tell_where_their_number_is_named():
    found = []
    for seed in range(100):
        view = duel(tastes(4, 0.35, 0.5, seed))
        if view.significant or view.more is None or view.share < 0.5:
            continue
        later = duel(tastes(4 + round(view.more / 40), math.log(view.share / (1 - view.share)), 0.5, seed + 1000))
        found.append(mixture(later.share, later.independent))
    assert len(found) > 30
    assert float(np.median(found)) == pytest.approx(math.log(20), abs=1)


def test_the_number_does_not_grow_with_judgements_of_people_who_differ_by_question():
    for seed in range(20):
        views = [duel(tastes(people, 0.35, 3, seed)) for people in (4, 12, 40, 120)]
        assert not any(view.significant for view in views)
        assert [view.more for view in views[1:]] == [None] * 3
        assert all(view.more_questions is None or view.more_questions > 20 for view in views)


def test_one_judgement_of_each_question_does_not_tell_that_more_of_them_help():
    view = duel((np.arange(60) < 33)[:, None].astype(float))
    assert (view.more, view.between) == (None, 1)
    later = np.arange(60 + (view.more_questions or 0)) < 0.55 * (60 + (view.more_questions or 0))
    assert duel(later[:, None].astype(float)).significant or view.more_questions is None


def test_equals_are_told_by_no_number_of_judgements():
    assert scored(np.tile([[1.0], [0.0]], (20, 1))) == (False, None)


@pytest.mark.parametrize(("won", "number"), [(5, 9), (30.5, 47), (400, 1000)])
def test_the_mixture_is_the_mean_over_all_shares(won, number):
    shares = (np.arange(200_000) + 0.5) / 200_000
    logs = won * np.log(2 * shares) + (number - won) * np.log(2 * (1 - shares))
    assert mixture(won / number, number) == pytest.approx(math.log(np.exp(logs).mean()), abs=1e-6)
