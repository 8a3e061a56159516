"""Connected components."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from arena_rating import components, pair_counts
from arena_rating.components import strongly_connected
from tests.rating import naive
from tests.rating.logs import fewer_examples, log_of, vote_lists


@fewer_examples
@given(vote_lists(size=6, most=8))
def test_pools_are_those_that_joining_pair_by_pair_finds(votes):
    counts = pair_counts(log_of(votes))
    label = components(counts.battles)
    found = {frozenset(np.array(counts.names)[label == number]) for number in set(label.tolist())}
    assert found == naive.components_of(votes)
    sizes = np.bincount(label)
    assert naive.descending(sizes)


def test_a_chain_is_one_pool_and_strangers_stand_alone():
    log = log_of([("w", "x", "a"), ("x", "y", "a"), ("u", "v", "b")], names=["alone", *"uvwxy"])
    assert components(pair_counts(log).battles).tolist() == [2, 1, 1, 0, 0, 0]


def test_a_vote_of_weight_zero_joins_nobody():
    log = log_of([("x", "y", "a"), ("y", "z", "a")], weight=[1, 0])
    assert components(pair_counts(log).battles).tolist() == [0, 0, 1]


def test_nobody_is_no_pool():
    assert components(np.zeros((0, 0))).tolist() == []


def test_a_circle_is_strong_and_a_ladder_is_not():
    circle = np.roll(np.eye(4, dtype=bool), 1, axis=1)
    ladder = np.triu(np.ones((4, 4), bool), k=1)
    assert strongly_connected(circle)
    assert not strongly_connected(ladder)
