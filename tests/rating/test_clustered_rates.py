"""Intervals of rates: their naive twin, and how often they hold the truth in worlds with known rates."""

from __future__ import annotations

import numpy as np
import pytest

from arena_rating import ClusteredRows, Comparisons, bradley_terry, compute, pair_counts
from arena_rating.board.parameters import LeaderboardParameters
from arena_rating.clustered_rates import RateErrors, rate_errors
from arena_rating.clusters import clustered
from arena_rating.elo import EloParameters
from tests.rating.logs import log_of, require
from tests.rating.worlds import WORLDS

WORTH = {"points_per_battle": (0.5, 0.5), "win_rate": (0.5, 0.0), "carena_rate": (1.0, 0.0)}
HEAVY = ("Pareto voters, taste .7", "12 voters, three heavy, taste .7")


def errors_of(log: Comparisons) -> RateErrors:
    seats = np.concatenate([log.left, log.right])
    pairs = np.unique(np.stack([seats, np.tile(require(log.voter), 2)]), axis=1)
    return rate_errors(ClusteredRows.of(log), pair_counts(log), np.bincount(pairs[0], minlength=len(log.names)))


def points_of(log: Comparisons, model: int, tie: float, both_bad: float) -> np.ndarray:
    """Points of a model in each vote, nan where it had none."""
    worth = np.array([[1, 0, tie, both_bad], [0, 1, tie, both_bad]])
    points = np.full(len(log), np.nan)
    for side, seats in enumerate((log.left, log.right)):
        points[seats == model] = worth[side][log.outcome[seats == model]]
    return points


def jackknifed(points: np.ndarray, voter: np.ndarray) -> float:
    """The error of a mean by leaving out one voter after the other, with a virtual win and a virtual loss as noise."""
    played = ~np.isnan(points)
    mean, people = points[played].mean(), np.unique(voter[played])
    moves = [points[played & (voter != person)].mean() - mean for person in people]
    noise = ((1 - mean) ** 2 + mean**2) / played.sum() ** 2
    return np.sqrt((len(people) - 1) / len(people) * np.sum(np.square(moves)) + noise)


def test_freedom_of_voters_who_say_equally_much_is_thrice_their_number_less_two():
    votes = [("x", "y", outcome) for outcome in ("a", "b")] * 10
    log = log_of(votes, voter=list(range(20)))
    rates = errors_of(log)
    fit = bradley_terry(pair_counts(log), prior=0)
    robust = clustered(fit, ClusteredRows.of(log), pair_counts(log))
    assert rates.freedom == pytest.approx(np.full((3, 2), 58))
    assert robust.freedom == pytest.approx(np.full(2, 58))


@pytest.mark.parametrize("place", range(3))
def test_an_error_is_that_of_leaving_out_one_voter_after_the_other(place):
    log = WORLDS["Pareto voters, taste .7"].log(1_500, 3)
    found, worth = errors_of(log), list(WORTH.values())[place]
    for model in range(len(log.names)):
        points = points_of(log, model, *worth)
        assert found.error[place, model] == pytest.approx(jackknifed(points, require(log.voter)), rel=1e-9)
        seats = require(log.voter)[~np.isnan(points)]
        assert found.heaviest[model] == pytest.approx(np.bincount(seats).max() / len(seats))


def coverage(name: str, votes: int, logs: int) -> float:
    """Share of the win rates whose interval holds the truth."""
    world = WORLDS[name]
    truth, inside = world.rates(0.5), []
    for seed in range(logs):
        low, high = errors_of(world.log(votes, seed)).intervals(0.95)
        inside.append((low[1] <= truth) & (truth <= high[1]))
    return float(np.mean(inside))


@pytest.mark.parametrize("name", HEAVY)
def test_heavy_voters_do_not_make_rates_look_certain(name):
    assert 0.92 <= coverage(name, 2_000, 60) <= 0.98


@pytest.mark.heavy
@pytest.mark.parametrize("votes", [300, 2_000])
@pytest.mark.parametrize("name", WORLDS)
def test_intervals_of_rates_hold_the_truth_in_every_world(name, votes):
    assert coverage(name, votes, 150) >= 0.925


def board(name: str, votes: int):
    return compute(WORLDS[name].log(votes, 1), LeaderboardParameters(EloParameters(orders=4)), seed=1)


def test_an_elo_that_has_not_settled_has_no_interval_and_a_settled_one_has():
    assert all(row.elo_low is None and row.elo_high is None for row in board("alike", 300).rows)
    assert all(require(row.elo_low) < row.elo < require(row.elo_high) for row in board("5 models", 4_000).rows)


def test_a_row_with_a_voter_of_more_than_a_tenth_of_its_votes_is_preliminary():
    assert all("heavy_voter" in row.preliminary for row in board("12 voters, three heavy, taste .7", 4_000).rows)
    assert not any("heavy_voter" in row.preliminary for row in board("5 models", 4_000).rows)


def test_a_rate_of_one_has_an_interval():
    voter = np.arange(30, dtype=np.int32)
    log = Comparisons(
        np.zeros(30, np.int32), np.ones(30, np.int32), np.zeros(30, np.uint8), None, voter, None, ("a", "b")
    )
    best = compute(log, seed=1).rows[0]
    assert (best.win_rate, best.win_rate_high) == (1.0, 1.0)
    assert 0.3 < require(best.win_rate_low) < 1
