from collections import Counter
from random import Random

import numpy as np
import pytest

from arena.domain.pairing.draw import Candidate, choose
from arena.domain.pairing.pair_table import VERSION, PairTable, UnknownForm, decoded, pair_table
from arena.domain.terms import PairingRule

NUMBERS = (3, 5, 8, 13)
RATING = np.array([1100.0, 1050.0, 1000.0, 850.0])


def table(rule: PairingRule = PairingRule.NEAR) -> PairTable:
    return pair_table(NUMBERS, RATING, np.diag([400.0] * 4), np.full(4, 2_000), rule)


@pytest.mark.parametrize("rule", PairingRule)
def test_a_table_is_read_as_it_was_written(rule):
    written = table(rule)
    decoded_table = decoded(VERSION, NUMBERS, written.encoded())
    assert decoded_table.endpoints == NUMBERS
    assert decoded_table.chance == pytest.approx(written.chance, rel=1e-6)


def test_slow_meets_slow_more_often_and_nobody_is_shown_less():
    votes = np.full(4, 2_000)
    even, sorted_ = (
        pair_table(NUMBERS, RATING, np.diag([400.0] * 4), votes, PairingRule.UNIFORM, slow).chance
        for slow in ((), (8, 13))
    )
    assert sorted_[2, 3] == pytest.approx(sorted_[0, 1])
    assert sorted_[2, 3] > 1.3 * even[2, 3]
    assert sorted_.sum(axis=1) == pytest.approx(even.sum(axis=1), rel=0.01)


def test_a_table_of_another_form_is_refused():
    stored = table().encoded()
    for version, numbers, data in (
        (VERSION + 1, NUMBERS, stored),
        (VERSION, NUMBERS[:3], stored),
        (VERSION, NUMBERS, stored[:-1]),
        (VERSION, NUMBERS, np.full(6, np.nan, "<f4").tobytes()),
        (VERSION, NUMBERS, bytes(len(stored))),
        (VERSION, (), b""),
    ):
        with pytest.raises(UnknownForm):
            decoded(version, numbers, data)


def test_a_smaller_pool_keeps_the_ratios_of_its_pairs():
    among = table().among([13, 3, 5])
    chance = table().chance
    assert among[0, 1] / among[1, 2] == pytest.approx(chance[3, 0] / chance[0, 1])
    assert not np.diag(among).any()


def test_a_model_that_the_table_lacks_has_an_even_share():
    among = table().among([3, 99, 5])
    assert among[0, 1] == among[1, 2] == pytest.approx(1 / 6)


def test_draws_match_the_stored_probabilities():
    pool = [Candidate(3, 2.0), Candidate(5), Candidate(8, group="g"), Candidate(13, group="g"), Candidate(99, 0.5)]
    published = table()
    rng, drawn, stored = Random(5), Counter[frozenset[int]](), dict[frozenset[int], float]()
    firsts, draws = 0, 20_000
    for _ in range(draws):
        pairing = choose(pool, rng, table=published)
        pair = frozenset((pairing.a, pairing.b))
        drawn[pair] += 1
        stored[pair] = pairing.probability
        firsts += pairing.a < pairing.b
    assert len(stored) == 10
    assert sum(stored.values()) == pytest.approx(1)
    squares = sum((drawn[pair] - draws * chance) ** 2 / (draws * chance) for pair, chance in stored.items())
    assert squares < 27.88  # chi-squared with nine degrees of freedom exceeds it once in a thousand times
    assert abs(firsts / draws - 0.5) < 0.015


@pytest.mark.parametrize("rule", PairingRule)
def test_both_halves_of_a_table_are_the_same_to_the_last_bit(rule):
    rng = np.random.default_rng(1)
    factor = rng.normal(0, 20, (20, 20))
    found = pair_table(range(20), rng.normal(1000, 100, 20), factor @ factor.T, np.full(20, 200), rule).chance
    assert (found == found.T).all()
    assert found[np.triu_indices(20, k=1)].sum() == pytest.approx(1)
