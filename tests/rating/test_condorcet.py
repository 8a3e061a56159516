from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from arena_rating import PairCounts, majorities


def counts(wins) -> PairCounts:
    wins = np.array(wins, float)
    none = np.zeros_like(wins)
    return PairCounts(tuple(f"m{i}" for i in range(len(wins))), wins, none, none)


def naive(wins) -> tuple[int, int]:
    """Triples with three majorities, and those in a circle."""
    every = combinations(range(len(wins)), 3)
    triples = [each for each in every if all(wins[i, j] != wins[j, i] for i, j in combinations(each, 2))]
    ways = [permutations(each) for each in triples]
    circles = [way for way in ways if any(all(beat(wins, a, b) for a, b in pairwise((*p, p[0]))) for p in way)]
    return len(triples), len(circles)


def beat(wins, i: int, j: int) -> bool:
    return wins[i, j] > wins[j, i]


def test_stone_paper_and_scissors_are_a_cycle_without_a_winner():
    found = majorities(counts([[0, 3, 1], [1, 0, 3], [3, 1, 0]]))
    assert (found.winner, found.loser, found.triples, found.cycles) == (None, None, 1, 1)


def test_whoever_beats_all_others_wins_even_if_those_are_in_a_cycle():
    found = majorities(counts([[0, 2, 2, 2], [1, 0, 3, 1], [1, 1, 0, 3], [1, 3, 1, 0]]))
    assert (found.winner, found.loser, found.triples, found.cycles) == ("m0", None, 4, 1)


def test_pairs_that_are_even_or_never_met_decide_nothing():
    found = majorities(counts([[0, 2, 0], [2, 0, 5], [0, 1, 0]]))
    assert (found.winner, found.decided, found.even, found.unmet, found.triples) == (None, 1, 1, 1, 0)


@pytest.mark.parametrize("seed", range(3))
def test_cycles_are_those_that_enumeration_finds(seed):
    wins = np.random.default_rng(seed).integers(0, 6, (9, 9))
    np.fill_diagonal(wins, 0)
    found = majorities(counts(wins))
    assert (found.triples, found.cycles) == naive(wins)


def test_one_competitor_alone_beats_nobody():
    assert majorities(counts([[0]])).winner is None
