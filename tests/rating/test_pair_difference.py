from dataclasses import replace

import numpy as np
import pytest

from arena_rating import BadParameters, ClusteredRows, Comparisons, bradley_terry, clustered, pair_counts
from arena_rating.pair_difference import PairErrors, pair_difference
from tests.rating.logs import log_of, require


def fitted(log: Comparisons):
    counts = pair_counts(log)
    return PairErrors.of(clustered(bradley_terry(counts), ClusteredRows.of(log), counts))


def votes_of(won: int, lost: int) -> Comparisons:
    return log_of([("x", "y", "a")] * won + [("y", "x", "a")] * lost)


def test_a_clear_lead_needs_no_more_votes():
    pair = pair_difference(fitted(votes_of(300, 100)), "x", "y")
    assert pair.chance == pytest.approx(0.75, abs=0.002)
    assert 0.5 < require(pair.low) < pair.chance < require(pair.high) < 1
    assert pair.better > 0.999
    assert pair.more == 0


def test_as_many_more_votes_as_it_says_do_tell():
    held = fitted(votes_of(55, 45))
    pair = pair_difference(held, "x", "y")
    assert require(pair.low) < 0.5 < require(pair.high)
    times = 1 + require(pair.more) / 100
    after = pair_difference(fitted(votes_of(round(55 * times), round(45 * times))), "x", "y")
    assert after.low == pytest.approx(0.5, abs=0.005)


def test_the_other_way_round_is_the_complement():
    held = fitted(votes_of(30, 20))
    one, other = pair_difference(held, "x", "y"), pair_difference(held, "y", "x")
    mirrored = 1 - other.chance, 1 - require(other.high), 1 - require(other.better)
    assert (one.chance, one.low, one.better) == pytest.approx(mirrored)
    assert one.more == other.more


def test_equals_are_told_by_no_number_of_votes():
    assert pair_difference(fitted(votes_of(20, 20)), "x", "y").more is None


def test_one_voter_says_nothing_of_an_interval():
    log = votes_of(30, 10)
    pair = pair_difference(fitted(replace(log, voter=np.zeros(40, np.int32))), "x", "y")
    assert (pair.low, pair.high, pair.better, pair.more) == (None,) * 4


def test_unknown_same_and_unconnected_models_are_refused():
    held = fitted(log_of([("x", "y", "a"), ("p", "q", "a")]))
    for names in (("x", "x"), ("x", "z")):
        with pytest.raises(BadParameters, match="two different models"):
            pair_difference(held, *names)
    with pytest.raises(BadParameters, match="no battles connect x and q"):
        pair_difference(held, "x", "q")
