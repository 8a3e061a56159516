"""Outcomes of pairs: both orders, scores as comparisons, panels; in columns as one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.outcomes import as_printed, by_difference, majority_panel, mean_panel, merge_orders
from arena.evaluations.domain.judges.verdict_words import Verdict
from tests.evaluations.plain_outcomes import both_orders, majority, mean_points

A, B, TIE, BOTH_BAD = WORDS = tuple(Outcome)
ALL_SCORES = list(product(range(1, 11), repeat=2))
VERDICTS = [None, *(Verdict(word, strong) for word in WORDS for strong in (False, True))]
PANELS = list(product(range(-1, 4), repeat=3))


def merged(cases):
    """Verdicts on pairs as they are shown first, and with their sides swapped, as columns."""
    n, verdicts = len(cases), [verdict for case in cases for verdict in case]
    own = [verdict.mirrored if verdict and place % 2 else verdict for place, verdict in enumerate(verdicts)]
    outcome = np.array([WORDS.index(verdict.outcome) if verdict else -1 for verdict in own])
    strong = np.array([bool(verdict and verdict.strong) for verdict in own])
    return merge_orders(np.repeat(np.arange(n), 2), np.tile([False, True], n), outcome, strong, n)


@pytest.mark.parametrize(
    ("shown", "swapped", "outcome", "flip"),
    [
        (A, B, A, False),
        (B, A, B, False),
        (A, A, TIE, True),
        (A, TIE, TIE, True),
        (TIE, TIE, TIE, False),
        (BOTH_BAD, BOTH_BAD, BOTH_BAD, False),
        (TIE, BOTH_BAD, TIE, False),
    ],
)
def test_what_changes_with_the_order_is_a_tie(shown, swapped, outcome, flip):
    found = merged([(Verdict(shown), Verdict(swapped))])
    assert (WORDS[found.outcome[0]], found.flip[0], found.votes[0]) == (outcome, flip, 1)


def test_strong_in_both_orders_counts_three_votes_and_a_lost_verdict_loses_the_pair():
    strong = Verdict(A, strong=True)
    found = merged([(strong, strong.mirrored), (strong, Verdict(B)), (strong, None), (None, strong)])
    assert found.outcome.tolist() == [0, 0, -1, -1]
    assert found.votes.tolist() == [3, 1, 1, 1]
    missing = merge_orders(np.array([1]), np.array([False]), np.array([0]), np.array([True]), 2)
    assert missing.outcome.tolist() == [-1, -1]
    assert not missing.flip.any()


def test_columns_merge_as_single_verdicts_do():
    cases = list(product(VERDICTS, VERDICTS))
    found = merged(cases)
    for number, case in enumerate(cases):
        alone = both_orders(*case)
        assert found.outcome[number] == (WORDS.index(alone.outcome) if alone else -1)
        if alone:
            assert (found.flip[number], found.votes[number]) == (alone.flip, alone.votes)


def test_the_symmetric_rule_treats_both_sides_alike_on_all_scores():
    turned = {A: B, B: A}
    for a, b in ALL_SCORES:
        found = by_difference(a, b)
        assert by_difference(b, a) is turned.get(found, found)
        assert (found is A) == (a - b > 2 and a > 5)
        assert (found is TIE) == (abs(a - b) <= 2 and min(a, b) > 5)


def test_the_printed_rule_is_kept_as_it_is_and_never_prefers_b():
    for a, b in ALL_SCORES:
        wanted = A if a - b > 2 and a > 5 else TIE if a - b <= 2 and b > 5 else BOTH_BAD
        assert as_printed(a, b) is wanted
    assert {by_difference(a, b) for a, b in ALL_SCORES if as_printed(a, b) is TIE} == {B, TIE, BOTH_BAD}


def test_a_panel_decides_by_majority():
    assert majority_panel(np.array([[0, 0, 1], [0, 1, -1], [0, 1, 3], [-1, -1, -1]])).tolist() == [0, 2, 2, -1]
    for row, found in zip(PANELS, majority_panel(np.array(PANELS)), strict=True):
        alone = majority([WORDS[code] for code in row if code >= 0])
        assert found == (WORDS.index(alone) if alone else -1)


def test_the_mean_of_a_panel_is_that_of_points():
    assert mean_points([A, A, TIE, B]) == 0.625
    for row, found in zip(PANELS, mean_panel(np.array(PANELS)).tolist(), strict=True):
        known = [WORDS[code] for code in row if code >= 0]
        points = mean_points(known) if known else None
        assert found == (-1 if points is None else 2 if points == 0.5 else int(points < 0.5))
