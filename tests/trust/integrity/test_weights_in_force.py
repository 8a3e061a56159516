"""Weights in force: which votes another verdict would weigh otherwise."""

from __future__ import annotations

import numpy as np

from arena_trust.integrity.weights_in_force import FULL_QUARTERS, GATE, WeightsInForce


def test_votes_that_no_decision_has_reached_differ_as_others_do_and_an_operator_s_never():
    weights = WeightsInForce()
    weights.apply(1, 0, "pooled", [2], GATE)
    weights.apply(2, 0, "doubtful", [3], "operator")
    numbers = np.arange(1, 100)
    quarters = np.where(np.isin(numbers, (2, 99)), 0, FULL_QUARTERS)
    for reason, expected in (("pooled", [99]), ("chosen", [2, 99])):
        places = weights.differing(numbers, quarters, np.zeros(len(numbers), np.int64), [reason])
        assert numbers[places].tolist() == expected


def test_a_decision_is_a_revision_if_it_changes_a_weight_that_was_read():
    weights = WeightsInForce()
    weights.apply(1, 0, "pooled", [2, 5], GATE)
    assert weights.revision == 0
    assert weights.weights(np.array([1, 2])).tolist() == [1, 0]
    for number, (quarters, votes, revision) in enumerate([(0, [2, 5], 0), (FULL_QUARTERS, [5], 0), (2, [2], 1)], 2):
        weights.apply(number, quarters, "pooled", votes, GATE)
        assert weights.revision == revision


def test_decisions_on_the_same_votes_take_no_more_room():
    weights = WeightsInForce()
    for number in range(1, 20):
        weights.apply(number, 0, "pooled", [9], GATE)
    assert len(weights.quarters) == 10
