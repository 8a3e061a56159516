"""Designs: over a whole tournament all pairs meet equally often."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from arena.evaluations.domain.people.designs import (
    draw_repeat,
    drawn_pairs,
    is_disputed,
    overlap_is_due,
    pairs,
    repeat_is_due,
)
from arena.evaluations.domain.terms import Design


@pytest.mark.parametrize("models", [2, 3, 4, 5, 8, 11])
def test_all_pairs_meet_on_every_question_or_each_once_in_a_balanced_tournament(models):
    every = list(combinations(range(models), 2))
    assert pairs(Design.ALL, models, 7) == every
    rounds = [pairs(Design.BALANCED, models, number) for number in range(models - 1 + models % 2)]
    assert Counter(pair for each in rounds for pair in each) == Counter(every)
    for each in rounds:
        assert len({model for pair in each for model in pair}) == models - models % 2


def test_with_a_baseline_the_first_model_meets_each_other_and_nobody_else():
    assert pairs(Design.BASELINE, 4, 7) == [(0, 1), (0, 2), (0, 3)]


def test_drawn_pairs_are_the_same_for_a_seed_and_as_many_as_in_a_round_and_none_meets_twice():
    chances = [0.1] * 10
    drawn = [drawn_pairs(chances, 5, number, 7) for number in range(50)]
    assert drawn == [drawn_pairs(chances, 5, number, 7) for number in range(50)]
    assert drawn != [drawn_pairs(chances, 5, number, 8) for number in range(50)]
    assert all(len(set(each)) == 2 and each == sorted(each) for each in drawn)
    assert {pair for each in drawn for pair in each} == set(combinations(range(5), 2))


def test_pairs_are_drawn_as_often_as_their_probabilities_say():
    chances = [0.6, 0.3, 0.1]
    met = Counter(pair for number in range(3000) for pair in drawn_pairs(chances, 3, number, 1))
    for pair, chance in zip(combinations(range(3), 2), chances, strict=True):
        assert met[pair] / 3000 == pytest.approx(chance, abs=0.03)


def test_a_pair_without_a_probability_never_meets_even_if_fewer_are_left():
    assert drawn_pairs([0, 0, 1.0, 0, 0, 0], 4, 3, 1) == [(0, 3)]


def test_two_in_a_hundred_items_are_asked_again_at_least_twenty_later():
    rng, done, repeats = Random(1), list(range(1, 21)), 0
    for position in range(21, 2_021):
        again = draw_repeat(done, position, rng) if repeat_is_due(position, 0.02, rng) else None
        if again is None:
            done.append(position)
        else:
            assert position - again >= 20
            done.remove(again)
            repeats += 1
    assert repeats == pytest.approx(40, abs=20)
    assert draw_repeat(done, 1, rng) is None
    assert not repeat_is_due(20, 1, rng)


def test_every_third_item_is_one_for_everybody():
    assert [position for position in range(1, 8) if overlap_is_due(position)] == [1, 4, 7]


@pytest.mark.parametrize(
    ("values", "result"),
    [
        (["a", "b", "tie"], True),
        (["a", "a", "tie"], False),
        (["a", "b"], False),
        (["a", "a", "skip"], True),
        (["skip"], False),
        (["3", "5", "9"], False),
    ],
)
def test_a_reviewer_looks_where_all_differ_or_one_could_not_judge(values, result):
    assert is_disputed(values, 3) is result
