import numpy as np
import pytest

from arena.domain.terms import PairingRule
from benchmarks.pairing import report
from benchmarks.pairing.arena import Arena, World

SMALL = World(6, 600, 0.5)


@pytest.mark.parametrize("rule", PairingRule)
def test_every_rule_finds_the_ranks_of_a_small_world(rule):
    votes, coverage, exposure = np.mean([report._run(SMALL, rule, seed) for seed in range(4)], axis=0)
    assert report.STEP < votes < report.MAX_VOTES
    assert coverage > 0.9
    assert exposure < 3


def test_votes_are_added_to_both_sides():
    arena = Arena(SMALL, PairingRule.UNIFORM, np.random.default_rng(1))
    arena.vote(500)
    assert arena.played.sum() == 1_000
    assert (arena.counts.battles == arena.counts.battles.T).all()


def test_bots_move_their_model_up_and_the_same_battles_without_them_move_nothing():
    arena = Arena(World(20, 300, 3), PairingRule.RANK, np.random.default_rng(1))
    arena.vote(2_000)
    assert arena.move() == 0
    arena.vote(2_000, 0.1)
    assert 5 < arena.move() < 40
    assert arena.counts.battles == pytest.approx(arena.honest.battles)
