"""Outcomes from verdicts: both orders, scores as comparisons, panels."""

from __future__ import annotations

from itertools import product

import pytest

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.orders import (
    PairJudgement,
    as_printed,
    both_orders,
    by_difference,
    majority,
    mean_points,
)
from arena.evaluations.domain.judges.verdict import Verdict

A, B, TIE, BOTH_BAD = Outcome.A, Outcome.B, Outcome.TIE, Outcome.BOTH_BAD
ALL_SCORES = list(product(range(1, 11), repeat=2))


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
    assert both_orders(Verdict(shown), Verdict(swapped)) == PairJudgement(outcome, flip)


def test_strong_in_both_orders_counts_three_votes_and_a_lost_verdict_loses_the_pair():
    strong = Verdict(A, strong=True)
    assert both_orders(strong, strong.swapped) == PairJudgement(A, votes=3)
    assert both_orders(strong, Verdict(B)) == PairJudgement(A)
    assert both_orders(strong, None) is both_orders(None, strong) is None


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


def test_a_panel_decides_by_majority_or_mean():
    assert majority([A, A, B]) is A
    assert majority([A, B]) is TIE
    assert majority([A, B, BOTH_BAD]) is TIE
    assert majority([]) is None
    assert mean_points([A, A, TIE, B]) == 0.625
