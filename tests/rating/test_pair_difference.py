import math
from dataclasses import replace

import numpy as np
import pytest

from arena_rating import BadParameters, ClusteredRows, Comparisons, bradley_terry, clustered, pair_counts
from arena_rating.pair_difference import PairErrors, claim_bounds, pair_difference
from tests.rating.logs import log_of, require
from tests.rating.worlds import WORLDS


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


# Claims that hold at all looks at once

EQUAL = {name: replace(world, points=0.0) for name, world in WORLDS.items()}
LOOKS = 20
TWO = ("Pareto voters, taste .7", "5 models")
SIX = ("alike", "taste 1", "12 voters, three heavy, taste .7", "taste 1, 2 votes a voter", *TWO)


def looked_at(name: str, votes: int, seed: int, looks: int) -> list[tuple[PairErrors, int, int, int]]:
    """Errors, votes and the clusters of the first two models at each look at a growing log of equal models."""
    log, found = EQUAL[name].log(votes, seed), []
    for end in np.geomspace(100, len(log), looks).astype(int).tolist():
        part = log.where(np.arange(len(log)) < end)
        counts = pair_counts(part)
        held = clustered(bradley_terry(counts), ClusteredRows.of(part), counts)
        found.append((PairErrors.of(held), end, int(held.clusters[:2].min()), int(held.clusters[2:4].min())))
    return found


def kept(name: str, votes: int, logs: int, looks: int = LOOKS) -> tuple[float, float]:
    """Share of the paths of a pair on which the claim, and the interval, never excludes the true difference of 0."""
    claims, intervals = [], []
    for seed in range(logs):
        path = looked_at(name, votes, seed, looks)
        for place, pair in enumerate((("m000", "m001"), ("m002", "m003"))):
            bounds = [claim_bounds(table, *pair, votes=n, clusters=of[place]) for table, n, *of in path]
            claims.append(all(low < 0 < high for low, high in bounds))
            differences = [pair_difference(table, *pair) for table, _, *_ in path]
            intervals.append(all(one.low is None or one.low < 0.5 < (one.high or 0) for one in differences))
    return float(np.mean(claims)), float(np.mean(intervals))


@pytest.mark.parametrize("name", TWO)
def test_a_claim_about_equal_models_is_hardly_ever_made_however_often_one_looks(name):
    claim, interval = kept(name, 2_000, 40)
    assert claim >= 0.95
    assert interval < claim


@pytest.mark.heavy
@pytest.mark.parametrize("name", SIX)
def test_over_the_path_claims_hold_in_every_world(name):
    assert kept(name, 2_000, 150, 40)[0] >= 0.95


@pytest.mark.parametrize("name", ["alike", "5 models"])
def test_claims_at_twenty_thousand_votes_are_not_twice_as_wide_as_an_interval(name):
    ((table, votes, clusters, _),) = looked_at(name, 20_000, 1, 2)[-1:]
    low, high = claim_bounds(table, "m000", "m001", votes=votes, clusters=clusters)
    half = table.quantile[:2].max() * table.error[0, 1] * 400 / np.log(10)
    assert 1.4 < (high - low) / (2 * half) <= 1.8


def test_no_claim_below_three_hundred_votes_or_twenty_clusters():
    ((table, *_),) = looked_at("alike", 2_000, 1, 2)[-1:]
    for limits in ({"votes": 299, "clusters": 90}, {"votes": 300, "clusters": 19}):
        assert claim_bounds(table, "m000", "m001", **limits) == (-math.inf, math.inf)
    assert all(map(math.isfinite, claim_bounds(table, "m000", "m001", votes=300, clusters=20)))
