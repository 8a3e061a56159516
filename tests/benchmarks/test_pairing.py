import numpy as np
import pytest

from arena.domain.terms import PairingRule
from benchmarks import pairing
from benchmarks.pairing import Arena, World

SMALL = World(6, 600, 0.5)


@pytest.mark.parametrize("rule", PairingRule)
def test_every_rule_finds_the_ranks_of_a_small_world(rule):
    votes, coverage, exposure = np.mean([pairing._run(SMALL, rule, seed) for seed in range(4)], axis=0)
    assert pairing.STEP < votes < pairing.MOST
    assert coverage > 0.9
    assert exposure < 3


def test_votes_are_added_to_both_sides():
    arena = Arena(SMALL, PairingRule.UNIFORM, np.random.default_rng(1))
    arena.vote(500)
    assert arena.played.sum() == 1_000
    assert (arena.counts.battles == arena.counts.battles.T).all()
