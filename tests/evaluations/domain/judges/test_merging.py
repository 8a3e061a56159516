"""Columns of judgements merge as single ones do."""

from __future__ import annotations

from itertools import product

import numpy as np

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.merging import mean_panel, merge, panel
from arena.evaluations.domain.judges.orders import both_orders, majority, mean_points
from arena.evaluations.domain.judges.verdict import Verdict

WORDS = [*Outcome]
CODE = {word: code for code, word in enumerate(WORDS)}
SAID = [None, *(Verdict(word, strong) for word in WORDS for strong in (False, True))]


def code(verdict: Verdict | None) -> int:
    return CODE[verdict.outcome] if verdict else -1


def test_columns_merge_as_both_orders_does():
    cases = list(product(SAID, SAID))
    n = len(cases)
    told = [verdict for case in cases for verdict in case]
    found = merge(
        np.repeat(np.arange(n), 2),
        np.tile([False, True], n),
        np.array([code(verdict) for verdict in told]),
        np.array([bool(verdict and verdict.strong) for verdict in told]),
        n,
    )
    for number, (shown, swapped) in enumerate(cases):
        alone = both_orders(shown, swapped.swapped if swapped else None)
        assert found.outcome[number] == (CODE[alone.outcome] if alone else -1)
        if alone:
            assert (found.flip[number], found.votes[number]) == (alone.flip, alone.votes)


def test_a_missing_order_has_no_outcome():
    found = merge(np.array([1]), np.array([False]), np.array([0]), np.array([True]), 2)
    assert found.outcome.tolist() == [-1, -1]
    assert not found.flip.any()


def test_columns_of_a_panel_decide_as_majority_does():
    rows = list(product(range(-1, 4), repeat=3))
    for row, found in zip(rows, panel(np.array(rows)), strict=True):
        alone = majority([WORDS[each] for each in row if each >= 0])
        assert found == (CODE[alone] if alone else -1)


def test_the_mean_of_a_panel_is_that_of_points():
    panels = list(product([-1, 0, 1, 2, 3], repeat=3))
    found = mean_panel(np.array(panels))
    for said, word in zip(panels, found.tolist(), strict=True):
        known = [WORDS[each] for each in said if each >= 0]
        points = mean_points(known) if known else None
        assert word == (-1 if points is None else 2 if points == 0.5 else int(points < 0.5))
