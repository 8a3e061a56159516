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
