"""Designs: over a whole tournament all pairs meet equally often."""

from collections import Counter
from itertools import combinations

import pytest

from arena.domain.evaluations import AGAINST_BASELINE, pairs


@pytest.mark.parametrize("models", [2, 3, 4, 5, 8, 11])
def test_all_pairs_meet_on_every_question_or_each_once_in_a_balanced_tournament(models):
    every = list(combinations(range(models), 2))
    assert pairs("all", models, 7) == every
    rounds = [pairs("balanced", models, number) for number in range(models - 1 + models % 2)]
    assert Counter(pair for each in rounds for pair in each) == Counter(every)
    for each in rounds:
        assert len({model for pair in each for model in pair}) == models - models % 2


def test_with_a_baseline_the_first_model_meets_each_other_and_nobody_else():
    assert pairs(AGAINST_BASELINE, 4, 7) == [(0, 1), (0, 2), (0, 3)]
