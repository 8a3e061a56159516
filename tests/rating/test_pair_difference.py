import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from arena_rating import (
    METHOD_BY_LOOK,
    BadParameters,
    ClusteredRows,
    Comparisons,
    EloParameters,
    LeaderboardParameters,
    bradley_terry,
    clustered,
    compute,
    pair_counts,
)
from arena_rating.clusters import MAX_FURTHER, MIXTURE, claim_half_width, claim_information
from arena_rating.pair_difference import PairErrors, claim_bounds, further_votes, pair_difference
from tests.rating.logs import log_of, require
from tests.rating.worlds import WORLDS


def fitted(log: Comparisons):
    counts = pair_counts(log)
    return PairErrors.of(clustered(bradley_terry(counts), ClusteredRows.of(log), counts), log)


def votes_of(won: int, lost: int) -> Comparisons:
    return log_of([("x", "y", "a")] * won + [("y", "x", "a")] * lost)


def test_a_clear_lead_needs_no_more_votes():
    pair = pair_difference(fitted(votes_of(300, 100)), "x", "y")
    assert pair.chance == pytest.approx(0.75, abs=0.002)
    assert 0.5 < require(pair.low) < pair.chance < require(pair.high) < 1
    assert pair.better > 0.999
    assert pair.more == 0


@pytest.mark.parametrize("votes", [100, 200, 700])
def test_as_many_more_votes_as_it_says_do_tell(votes):
    pair = pair_difference(fitted(votes_of(55 * votes // 100, 45 * votes // 100)), "x", "y")
    total = votes + require(pair.more)
    after = pair_difference(fitted(votes_of(round(0.55 * total), round(0.45 * total))), "x", "y")
    assert not pair.is_claimed
    assert after.claim_low == pytest.approx(0.5, abs=0.002)


@pytest.mark.parametrize("votes", [(160, 140), (300, 300), (430, 440)])
def test_as_many_more_votes_as_it_says_exclude_that_it_is_worse_by_a_margin(votes):
    total = sum(votes) + require(further_votes(fitted(votes_of(*votes)), "x", "y", 20))
    won = round(total * votes[0] / sum(votes))
    low, _ = claim_bounds(fitted(votes_of(won, total - won)), "x", "y")
    assert low == pytest.approx(-20, abs=0.5)


def test_a_margin_that_is_excluded_needs_no_votes_and_one_below_the_difference_no_number_of_them():
    clear = fitted(votes_of(300, 100))
    assert further_votes(clear, "x", "y", 20) == 0
    assert further_votes(clear, "y", "x", 20) is None
    one_voter = replace(votes_of(300, 100), voter=np.zeros(400, np.int32))
    assert further_votes(fitted(one_voter), "x", "y", 20) is None


def test_more_votes_are_needed_until_three_hundred_even_for_a_clear_lead():
    pair = pair_difference(fitted(votes_of(90, 10)), "x", "y")
    assert (pair.claim_low, pair.claim_high, pair.more) == (None, None, 200)
    assert require(pair.low) > 0.5


def test_no_number_of_votes_of_few_voters_is_promised():
    log = replace(votes_of(240, 160), voter=np.arange(400, dtype=np.int32) % 19)
    pair = pair_difference(fitted(log), "x", "y")
    assert (pair.claim_low, pair.claim_high, pair.more) == (None, None, None)


@pytest.mark.parametrize("models", [2, 5, 8, 60])
@pytest.mark.parametrize("votes", [40, 400])
def test_models_of_which_the_better_has_won_each_vote_are_compared_whatever_the_distance(models, votes):
    pairs = [(f"m{n:02}", f"m{n + 1:02}", "a") for n in range(models - 1)] * (votes // (models - 1) + 1)
    log = log_of(pairs)
    held = fitted(replace(log, voter=np.arange(len(log), dtype=np.int32)))
    for errors in (held, held.published()):
        pair = pair_difference(errors, "m00", f"m{models - 1:02}")
        assert 0.99 < pair.chance <= 1
        assert pair.more is None or 0 <= pair.more <= MAX_FURTHER


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
    assert (pair.low, pair.high, pair.better, pair.claim_low, pair.claim_high, pair.more) == (None,) * 6


def test_models_are_connected_by_battles_and_no_other_is():
    errors = fitted(log_of([("x", "y", "a"), ("y", "z", "a"), ("p", "q", "a")]))
    assert [errors.connects("x", other) for other in "yzpn"] == [True, True, False, False]


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


def looked_at(name: str, votes: int, seed: int, looks: int) -> list[PairErrors]:
    """Errors at each look at a growing log of equal models."""
    log = EQUAL[name].log(votes, seed)
    ends = np.geomspace(100, len(log), looks).astype(int).tolist()
    return [fitted(log.where(np.arange(len(log)) < end)) for end in ends]


def kept(name: str, votes: int, logs: int, looks: int = LOOKS) -> tuple[float, float]:
    """Share of the paths of a pair on which the claim, and the interval, never excludes the true difference of 0."""
    claims, intervals = [], []
    for seed in range(logs):
        path = looked_at(name, votes, seed, looks)
        for pair in (("m000", "m001"), ("m002", "m003")):
            differences = [pair_difference(table, *pair) for table in path]
            claims.append(not any(one.is_claimed for one in differences))
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


@pytest.mark.heavy
@pytest.mark.parametrize("name", SIX)
def test_over_a_long_path_claims_hold_in_every_world(name):
    assert kept(name, 20_000, 30, 40)[0] >= 0.95


@pytest.mark.parametrize("name", ["alike", "5 models"])
def test_claims_at_twenty_thousand_votes_are_not_twice_as_wide_as_an_interval(name):
    table = looked_at(name, 20_000, 1, 2)[-1]
    low, high = claim_bounds(table, "m000", "m001")
    half = table.quantile[:2].max() * table.error[0, 1] * 400 / np.log(10)
    assert 1.4 < (high - low) / (2 * half) <= 1.8


def test_no_claim_below_three_hundred_votes_or_twenty_clusters():
    table = looked_at("alike", 2_000, 1, 2)[-1]
    enough = replace(table, votes=300, clusters=np.full(20, 20))
    for fewer in (replace(enough, votes=299), replace(enough, clusters=np.full(20, 19))):
        assert claim_bounds(fewer, "m000", "m001") == (-math.inf, math.inf)
        assert not fewer.claimed().any()
    assert all(map(math.isfinite, claim_bounds(enough, "m000", "m001")))


def mixture(gap: float, information: float) -> float:
    """Likelihood ratio of a normal mixture of differences around 0 to none, by plain integration over differences."""
    spread = MIXTURE**-0.5
    deltas = np.linspace(-12, 12, 20_001) * spread
    density = np.exp(-0.5 * (deltas / spread) ** 2) / (spread * math.sqrt(2 * math.pi))
    ratio = np.exp(information * (gap * deltas - deltas**2 / 2))
    return float((density * ratio).sum() * (deltas[1] - deltas[0]))


@pytest.mark.parametrize("information", [3.0, 30.0, 300.0])
def test_a_claim_begins_where_the_mixture_is_twenty_times_as_likely(information):
    half = claim_half_width(information**-0.5, NormalDist().inv_cdf(0.975), 0.95)
    assert mixture(half, information) == pytest.approx(20, rel=1e-4)
    assert claim_information(half, NormalDist().inv_cdf(0.975), 0.95) == pytest.approx(information)


def test_claimed_pairs_are_those_whose_bounds_exclude_none():
    table = fitted(WORLDS["600 points"].log(3_000, 1))
    claimed = [
        [first != second and pair_difference(table, first, second).is_claimed for second in table.names]
        for first in table.names
    ]
    assert table.claimed().tolist() == claimed
    assert 20 < np.sum(claimed) < 300


def test_ranks_of_a_board_are_from_claims_alone():
    log = WORLDS["600 points"].log(3_000, 1)
    table, parameters = fitted(log), LeaderboardParameters(elo=EloParameters(orders=2))
    rows = {row.name: row for row in compute(log, parameters, seed=1).rows}
    by_look = {row.name: row for row in compute(log, replace(parameters, method=METHOD_BY_LOOK), seed=1).rows}
    above = table.claimed() & (table.rating[:, None] > table.rating)
    for place, name in enumerate(table.names):
        assert by_look[name].rank_low >= rows[name].rank_low >= 1
        assert rows[name].rank_low - 1 <= above[:, place].sum()
        assert 20 - rows[name].rank_high <= above[place].sum()
    few = compute(log.where(np.arange(len(log)) < 299), parameters, seed=1).rows
    assert {(row.rank_low, row.rank_high) for row in few} == {(1, len(few))}
