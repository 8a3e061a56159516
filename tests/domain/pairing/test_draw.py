from collections import Counter
from random import Random

import pytest

from arena.domain.errors import TooFewEndpoints
from arena.domain.pairing.draw import Candidate, choose


def draw(pool, times=20_000, seed=1, **how):
    rng = Random(seed)
    return [choose(pool, rng, **how) for _ in range(times)]


def test_equal_weights_make_every_pair_equally_likely():
    pairs = draw([Candidate(n) for n in range(5)])
    counts = Counter(frozenset((p.a, p.b)) for p in pairs)
    assert len(counts) == 10
    assert all(abs(count / 20_000 - 0.1) < 0.01 for count in counts.values())
    assert all(p.probability == pytest.approx(0.1) for p in pairs)


def test_nobody_ever_meets_itself():
    assert all(p.a != p.b for p in draw([Candidate(n, weight=10.0**n) for n in range(4)], 5_000))


def test_sides_are_drawn_at_random():
    pairs = draw([Candidate(1), Candidate(2)])
    assert abs(sum(p.a == 1 for p in pairs) / len(pairs) - 0.5) < 0.015


def test_the_stored_probability_is_how_often_the_pair_is_drawn():
    pool = [Candidate(1, 3.0), Candidate(2, 1.0), Candidate(3, 0.5, "g"), Candidate(4, 2.0, "g")]
    pairs = draw(pool, 40_000)
    counts = Counter(frozenset((p.a, p.b)) for p in pairs)
    for pair in {(frozenset((p.a, p.b)), p.probability) for p in pairs}:
        assert abs(counts[pair[0]] / 40_000 - pair[1]) < 0.01
    assert sum({frozenset((p.a, p.b)): p.probability for p in pairs}.values()) == pytest.approx(1)


def test_members_of_one_group_meet_more_often():
    pool = [Candidate(1, group="g"), Candidate(2, group="g"), Candidate(3), Candidate(4)]
    probability = {frozenset((p.a, p.b)): p.probability for p in draw(pool, 2_000, group_boost=3.0)}
    assert probability[frozenset((1, 2))] == pytest.approx(3 * probability[frozenset((3, 4))])


def test_two_endpoints_without_a_group_are_not_a_group():
    pairs = draw([Candidate(1), Candidate(2), Candidate(3)], 500, group_boost=9.0)
    assert all(p.probability == pytest.approx(1 / 3) for p in pairs)


def test_weight_zero_is_never_drawn():
    assert all(3 not in (p.a, p.b) for p in draw([Candidate(1), Candidate(2), Candidate(3, 0.0)], 1_000))


@pytest.mark.parametrize("pool", [[], [Candidate(1)], [Candidate(1), Candidate(2, 0.0)]])
def test_fewer_than_two_are_refused(pool):
    with pytest.raises(TooFewEndpoints):
        choose(pool, Random(1))


def test_extreme_weights_do_not_overflow():
    assert draw([Candidate(1, 1e300), Candidate(2, 1e300), Candidate(3, 1e-300)], 10)
