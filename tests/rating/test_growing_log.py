"""A log that grows has the bits of the same log read at once: columns, counts, and every published number."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_rating import (
    BadComparisons,
    Comparisons,
    EloParameters,
    LeaderboardParameters,
    compute,
    outcome_counts,
    pair_counts,
)
from arena_rating.growing_log import GrowingLog, GrowingNumbers
from tests.rating.logs import simulated

NAMES = ("x", "y", "z", "w")
PARAMETERS = LeaderboardParameters(EloParameters(orders=3))
WEIGHTS = st.sampled_from([0.0, 0.25, 0.5, 1.0, 0.1, 0.7])
ROW = st.tuples(st.permutations(range(len(NAMES))), st.integers(0, 3), WEIGHTS)
PART = st.tuples(st.lists(ROW, max_size=6), st.booleans())


def log_of(rows, weighted) -> Comparisons:
    left, right = (np.array([pair[side] for pair, _, _ in rows], np.int32) for side in (0, 1))
    weight = np.array([weight for *_, weight in rows], np.float64) if weighted else None
    outcome = np.array([outcome for _, outcome, _ in rows], np.uint8)
    return Comparisons(left, right, outcome, weight, None, None, NAMES)


def joined(parts) -> Comparisons:
    rows = [(pair, outcome, weight if weighted else 1.0) for part, weighted in parts for pair, outcome, weight in part]
    return log_of(rows, any(weighted for _, weighted in parts))


@given(st.lists(PART, min_size=1, max_size=5))
def test_appended_parts_have_the_bits_of_the_log_read_at_once(parts):
    grown = GrowingLog(log_of(*parts[0]))
    for number, part in enumerate(parts[1:], start=2):
        before, held = grown.comparisons, len(grown.comparisons)
        grown.append(log_of(*part))
        whole, log = joined(parts[:number]), grown.comparisons
        for name in ("left", "right", "outcome", "weight"):
            assert np.array_equal(getattr(log, name), getattr(whole, name))
        for weighted in (True, False):
            kept, fresh = pair_counts(log, weighted=weighted), pair_counts(whole, weighted=weighted)
            assert all((getattr(kept, name) == getattr(fresh, name)).all() for name in ("wins", "ties", "both_bad"))
        assert len(before) == held
    assert compute(grown.comparisons, PARAMETERS, seed=1) == compute(joined(parts), PARAMETERS, seed=1)


def test_a_grown_log_can_be_sent_and_a_part_of_it_is_counted_anew():
    grown = GrowingLog(log_of([((0, 1), 0, 1.0), ((1, 2), 2, 1.0)], False))
    grown.append(log_of([((2, 1), 1, 0.5)], True))
    sent = pickle.loads(pickle.dumps(grown.comparisons))  # noqa: S301 - just made
    assert (pair_counts(sent).wins == pair_counts(grown.comparisons).wins).all()
    rest = grown.comparisons.where(np.array([False, True, True]))
    assert (
        pair_counts(rest).wins.tolist()
        == pair_counts(joined([([((1, 2), 2, 1.0), ((2, 1), 1, 0.5)], True)])).wins.tolist()
    )


def test_counts_that_a_caller_changes_do_not_change_the_log():
    grown = GrowingLog(log_of([((0, 1), 0, 1.0)], False))
    outcome_counts(grown.comparisons)[:] = 7
    assert outcome_counts(grown.comparisons).sum() == 1


def test_other_competitors_and_more_columns_are_refused():
    first = log_of([((0, 1), 0, 1.0)], False)
    grown = GrowingLog(first)
    other = Comparisons(first.left, first.right, first.outcome, None, None, None, ("x", "y"))
    with pytest.raises(BadComparisons, match="other competitors"):
        grown.append(other)
    voters = Comparisons(first.left, first.right, first.outcome, None, np.zeros(1, np.int32), None, NAMES)
    with pytest.raises(BadComparisons, match="all rows have voters or none"):
        grown.append(voters)
    with pytest.raises(BadComparisons, match="all rows have voters or none"):
        GrowingLog(voters).append(first)


def test_voters_grow_with_the_rows():
    log = simulated(60, 5, seed=2)
    log = replace(log, voter=np.arange(60, dtype=np.int32) // 3)
    grown = GrowingLog(log.where(np.arange(60) < 40))
    grown.append(log.where(np.arange(60) >= 40))
    assert grown.comparisons.voter.tolist() == log.voter.tolist()


def test_labels_keep_the_numbers_that_they_were_first_given():
    numbers = GrowingNumbers()
    first = numbers.of(np.array([7, -5, 7, 1 << 62]))
    again = numbers.of(np.array([3, 1 << 62, -5, 7, 3]))
    assert first[0] == first[2] == again[3]
    assert (again[1], again[2]) == (first[3], first[1])
    assert again[0] == again[4] == 3
