"""Errors by cluster against the formulas written out, against other programs, and on logs that say too little."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from arena_rating import (
    METHOD,
    METHOD_BY_CATEGORY,
    BadParameters,
    ClusteredRows,
    Comparisons,
    EloParameters,
    LeaderboardParameters,
    bradley_terry,
    clustered,
    clusters,
    compute,
    elo_over_orders,
    pair_counts,
    rank_bounds,
)
from arena_rating.clusters import clustered_both_ways
from tests.paths import FIXTURES
from tests.rating.logs import full_data, log_of, require, simulated
from tests.rating.worlds import World

OUTCOMES = np.array([1.0, 0.0, 0.5, 0.5])


def fitted(log: Comparisons, *, prior: float = 0.1):
    counts = pair_counts(log)
    fit = bradley_terry(counts, prior=prior)
    return fit, clustered(fit, ClusteredRows.of(log), counts, min_separate=clusters.MIN_SEPARATE)


def with_voters(votes: int, voters: int, seed: int = 3, competitors: int = 6) -> Comparisons:
    log = simulated(votes, competitors, seed)
    return replace(log, voter=np.random.default_rng(seed).integers(0, voters, votes).astype(np.int32))


@pytest.fixture
def uncorrected(monkeypatch):
    monkeypatch.setattr(clusters, "LARGEST", np.inf)
    monkeypatch.setattr(clusters, "MIN_SEPARATE", 0)


def jackknifed(log: Comparisons, fit) -> np.ndarray:
    """V with a step of a fit without each cluster, from dense matrices."""
    design = np.eye(len(log.names))[log.left] - np.eye(len(log.names))[log.right]
    chance = 1 / (1 + np.exp(-design @ fit.strength))
    own = 1 / (1 + np.exp(-fit.strength))
    rest, spread = OUTCOMES[log.outcome] - chance, chance * (1 - chance)
    curve = design.T @ (design * spread[:, None]) + np.diag(0.1 * own * (1 - own))
    total = 0.05 * np.linalg.inv(curve) @ np.diag((1 - own) ** 2 + own**2) @ np.linalg.inv(curve)
    people = np.unique(require(log.voter))
    for person in people:
        rows = log.voter == person
        without = curve - design[rows].T @ (design[rows] * spread[rows, None])
        step = np.linalg.solve(without, design[rows].T @ rest[rows])
        total += np.outer(step, step) * (len(people) - 1) / len(people)
    share = pair_counts(log).battles.sum(axis=1)
    centre = np.eye(len(share)) - share / share.sum()
    return fit.unit**2 * centre @ total @ centre.T


def test_large_clusters_count_as_the_fit_without_them_says(monkeypatch):
    monkeypatch.setattr(clusters, "LARGEST", 0.0)
    log = with_voters(300, 25)
    fit, held = fitted(log)
    assert held.fit.covariance == pytest.approx(jackknifed(log, fit), rel=1e-9)


def test_small_clusters_are_left_as_they_are(monkeypatch):
    log = with_voters(30_000, 3_000)
    _, held = fitted(log)
    monkeypatch.setattr(clusters, "LARGEST", 0.0)
    assert held.fit.error == pytest.approx(fitted(log)[1].fit.error, rel=1e-3)


def test_two_exports_with_other_pseudonyms_give_the_same_bits():
    log = with_voters(500, 60)
    others = np.random.default_rng(5).permutation(100).astype(np.int32)[log.voter]
    boards = [compute(replace(log, voter=voter), seed=1) for voter in (log.voter, others)]
    assert boards[0] == boards[1]


def test_one_who_votes_four_times_says_as_much_as_one():
    log = simulated(2_000, 6, seed=4)
    rows, voter = np.repeat(np.arange(2_000), 4), np.repeat(np.arange(2_000), 4).astype(np.int32)
    times = Comparisons(log.left[rows], log.right[rows], log.outcome[rows], None, voter, None, log.names)
    _, held = fitted(times)
    assert held.design_effect == pytest.approx(np.full(6, 4.0), rel=0.03)


def test_votes_without_voters_keep_the_interval_of_independent_ones():
    log = simulated(500, 6, seed=4)
    fit, held = fitted(log)
    assert held.fit is fit
    assert (held.design_effect == 1).all()


def test_one_voter_with_all_votes_gives_no_interval_and_says_so():
    log = simulated(500, 6, seed=4)
    board = compute(replace(log, voter=np.zeros(500, np.int32)), seed=1)
    for row in board.rows:
        assert (row.bt_low, row.bt_high, row.elo_low, row.win_rate_error, row.design_effect) == (None,) * 5
        assert (row.rank_low, row.rank_high, row.clusters) == (1, 6, 1)
        assert {"few_voters", "wide"} <= set(row.preliminary)


def test_few_clusters_never_narrow_the_interval_and_are_told():
    board = compute(with_voters(4_000, 5), seed=1)
    for row in board.rows:
        assert "few_voters" in row.preliminary
        independent = require(row.bt_independent_high) - require(row.bt_independent_low)
        assert require(row.bt_high) - require(row.bt_low) >= independent


@pytest.mark.parametrize(("voters", "may_narrow"), [(9, False), (10, True)])
def test_ten_clusters_are_the_fewest_whose_interval_may_be_the_narrower_one(voters, may_narrow):
    effects = [fitted(with_voters(300, voters, seed))[1].design_effect.min() for seed in range(4)]
    assert (min(effects) < 0.99) == may_narrow


def test_from_ten_clusters_on_intervals_may_be_narrower_than_independent_ones_by_earlier_methods_from_twenty():
    widths = dict[str, list[float]]()
    for seed in range(8):
        log = with_voters(300, 15, seed)
        for method in (METHOD, METHOD_BY_CATEGORY):
            rows = compute(log, LeaderboardParameters(EloParameters(orders=2), method=method), seed=1).rows
            for row in rows:
                independent = require(row.bt_independent_high) - require(row.bt_independent_low)
                widths.setdefault(method, []).append((require(row.bt_high) - require(row.bt_low)) / independent)
    assert min(widths[METHOD]) < 0.9
    assert min(widths[METHOD_BY_CATEGORY]) >= 1
    assert np.mean(widths[METHOD]) < 0.96 * np.mean(widths[METHOD_BY_CATEGORY])


def covered(world: World, votes: int, logs: int) -> float:
    """Share of ratings within their intervals; the truth is the Bradley-Terry projection of the mean voter."""
    rate, size, theta, found = world.rates(0.5), world.models, world.strength.copy(), list[float]()
    for _ in range(500):
        gap = rate * (size - 1) + 0.5 - (1 / (1 + np.exp(theta - theta[:, None]))).sum(axis=1)
        theta = theta + 3 * gap / size
    for seed in range(logs):
        log = world.log(votes, seed)
        held = fitted(log)[1].fit
        battles = np.bincount(log.left, minlength=size) + np.bincount(log.right, minlength=size)
        at = 1000 + (theta - battles @ theta / battles.sum()) * held.unit
        found.append(float(np.mean((held.low <= at) & (at <= held.high))))
    return float(np.mean(found))


@pytest.mark.heavy
@pytest.mark.parametrize("votes", [200, 300])
@pytest.mark.parametrize("taste", [0.0, 1.0])
@pytest.mark.parametrize("models", [5, 10])
def test_intervals_cover_the_truth_with_ten_and_fifteen_voters(models, taste, votes):
    assert 0.94 <= covered(World(models=models, taste=taste), votes, 300) <= 0.97


def test_errors_of_elo_are_those_of_resampled_voters():
    log, rng = with_voters(600, 40, competitors=5), np.random.default_rng(8)
    parameters = LeaderboardParameters(EloParameters(k=16, orders=400))
    voter, rows = require(log.voter), {row.name: row for row in compute(log, parameters, seed=1).rows}
    samples = []
    for seed in range(250):
        drawn = np.concatenate([np.flatnonzero(voter == person) for person in rng.integers(0, 40, 40)])
        again = Comparisons(log.left[drawn], log.right[drawn], log.outcome[drawn], None, None, None, log.names)
        samples.append(elo_over_orders(again, EloParameters(k=16, orders=40), seed=seed).rating)
    for name, spread in zip(log.names, np.std(samples, axis=0, ddof=1), strict=True):
        half = (require(rows[name].elo_high) - require(rows[name].elo_low)) / 2
        assert half / 2 == pytest.approx(spread, rel=0.2)


def test_each_component_has_clusters_of_its_own():
    one, other = log_of([("x", "y", "a"), ("y", "x", "a")] * 30), log_of([("p", "q", "a"), ("q", "p", "a")] * 5)
    names = (*one.names, *other.names)
    log = Comparisons(
        np.concatenate([one.left, other.left + 2]),
        np.concatenate([one.right, other.right + 2]),
        np.concatenate([one.outcome, other.outcome]),
        None,
        np.concatenate([np.arange(60), np.zeros(10)]).astype(np.int32),
        None,
        names,
    )
    _, held = fitted(log)
    assert np.isfinite(held.fit.error).tolist() == [True, True, False, False]


def test_no_vote_gives_an_empty_board():
    assert compute(log_of([]), seed=1).clusters == 0


def frozen() -> list[dict]:
    return json.loads((FIXTURES / "statsmodels_clusters.json").read_text())["logs"]


def log_in(case: dict) -> Comparisons:
    left, right, outcome = (np.array(case[name]) for name in ("left", "right", "outcome"))
    return Comparisons(left, right, outcome, None, np.array(case["voter"], np.int32), None, tuple("abcdef"))


def from_reference(log: Comparisons) -> tuple[np.ndarray, np.ndarray]:
    """Strengths and their covariance against competitor 0, in natural units, without any correction."""
    fit, held = fitted(log, prior=0.0)
    total = len(np.unique(require(log.voter)))
    contrast = np.eye(6)[1:] - np.eye(6)[0]
    covariance = contrast @ held.fit.covariance @ contrast.T / fit.unit**2 * total / (total - 1)
    return contrast @ fit.strength, covariance


@pytest.mark.usefixtures("uncorrected")
@pytest.mark.parametrize("case", frozen(), ids=range(5))
def test_another_program_gives_the_same_errors(case):
    strength, covariance = from_reference(log_in(case))
    assert strength == pytest.approx(np.array(case["strength"]), rel=1e-6, abs=1e-9)
    assert covariance == pytest.approx(np.array(case["covariance"]), rel=1e-6)


@pytest.mark.heavy
@pytest.mark.usefixtures("uncorrected")
def test_statsmodels_gives_the_same_errors_today():
    models = pytest.importorskip("statsmodels.api", reason="statsmodels is not installed")
    for seed in range(5):
        log = with_voters(400, 30, seed)
        design = np.eye(6)[log.left] - np.eye(6)[log.right]
        model = models.GLM(OUTCOMES[log.outcome], design[:, 1:], family=models.families.Binomial())
        groups = {"groups": log.voter, "use_correction": False}
        fit = model.fit(tol=1e-14, maxiter=200, cov_type="cluster", cov_kwds=groups)
        assert from_reference(log)[1] == pytest.approx(fit.cov_params(), rel=1e-6)


@pytest.mark.usefixtures("uncorrected")
def test_the_design_effects_of_llmfao_are_those_measured_before():
    path = full_data() / "llmfao_votes.csv"
    if not path.exists():
        pytest.skip("the whole LLMFAO data are not here; ARENA_TEST_DATA may name their folder")
    with path.open(encoding="utf-8", newline="") as file:
        votes = list(csv.DictReader(file))
    words = {"left": "a", "right": "b", "tie": "tie"}
    left, right = ([vote[side] for vote in votes] for side in ("left", "right"))
    keys = {
        "worker": [vote["worker"] for vote in votes],
        "item": [(vote["prompt"], *sorted((vote["left"], vote["right"]))) for vote in votes],
        "prompt": [vote["prompt"] for vote in votes],
        "worker and prompt": [(vote["worker"], vote["prompt"]) for vote in votes],
    }
    logs = {
        name: Comparisons.from_votes(left, right, [words[vote["winner"]] for vote in votes], voter=key)
        for name, key in keys.items()
    }
    counts = pair_counts(logs["worker"])
    fit, rows = bradley_terry(counts), {name: ClusteredRows.of(log) for name, log in logs.items()}
    centre = np.eye(len(fit.names)) - 1 / len(fit.names)

    def covariance(name):
        total = len(rows[name])
        return clustered(fit, rows[name], counts).fit.covariance * total / (total - 1)

    def ratio(after):
        return np.sqrt(np.median(np.diag(centre @ after @ centre.T) / np.diag(centre @ fit.covariance @ centre.T)))

    both = covariance("worker") + covariance("prompt") - covariance("worker and prompt")
    assert ratio(covariance("worker")) == pytest.approx(1.11, abs=0.02)
    assert ratio(covariance("item")) == pytest.approx(1.24, abs=0.02)
    assert ratio(both) == pytest.approx(1.52, abs=0.02)


def test_both_ways_are_the_sum_of_each_less_what_they_share():
    log = with_voters(3_000, 60)
    item = np.random.default_rng(9).integers(0, 80, 3_000).astype(np.int32)
    counts = pair_counts(log)
    fit, first, second = bradley_terry(counts), ClusteredRows.of(log), ClusteredRows.of(log, item)
    shared = ClusteredRows.of(log, log.voter * np.int32(80) + item)
    one, two, less = (clustered(fit, rows, counts).fit.covariance for rows in (first, second, shared))
    both = clustered_both_ways(fit, first, second, counts).fit.covariance
    assert both == pytest.approx(one + two - less, rel=1e-6, abs=1e-9)


def test_both_ways_have_no_negative_direction():
    log = with_voters(200, 12)
    counts, item = pair_counts(log), (np.arange(200) % 7).astype(np.int32)
    held = clustered_both_ways(bradley_terry(counts), ClusteredRows.of(log), ClusteredRows.of(log, item), counts)
    assert np.linalg.eigvalsh(held.fit.covariance).min() > -1e-6


def test_people_who_come_on_many_days_widen_the_intervals_by_a_measured_ratio():
    rng = np.random.default_rng(2)
    log, person = simulated(6_000, 6, seed=4), rng.integers(0, 100, 6_000).astype(np.int32)
    taste = rng.normal(0, 1.5, (100, 6))
    outcome = (rng.random(6_000) > 1 / (1 + np.exp(taste[person, log.right] - taste[person, log.left]))).astype(
        np.uint8
    )
    day = person * np.int32(30) + rng.integers(0, 30, 6_000).astype(np.int32)
    daily = replace(log, outcome=outcome, voter=day)
    factor = clusters.measure_widening(daily, person)
    assert factor > 1.5
    plain, wide = (
        compute(daily, LeaderboardParameters(EloParameters(orders=4), widening=by), seed=1) for by in (1.0, factor)
    )
    for before, after in zip(plain.rows, wide.rows, strict=True):
        widths = [require(row.bt_high) - require(row.bt_low) for row in (after, before)]
        assert widths[0] == pytest.approx(factor * widths[1])
        assert after.win_rate_error == pytest.approx(factor * require(before.win_rate_error), abs=2e-6)
        assert after.design_effect == pytest.approx(factor**2 * require(before.design_effect), rel=1e-5)
        assert (after.bt, after.bt_independent_low) == (before.bt, before.bt_independent_low)


def test_people_who_come_once_widen_nothing():
    log = with_voters(2_000, 300)
    assert clusters.measure_widening(log, require(log.voter)) == 1.0


@pytest.mark.parametrize("factor", [0.9, float("nan"), float("inf")])
def test_a_widening_that_narrows_is_refused(factor):
    with pytest.raises(BadParameters, match="widening"):
        LeaderboardParameters(widening=factor)


def test_rank_bounds_of_a_fit_are_those_of_its_intervals_by_cluster():
    """Every vote is there nine times by one voter: intervals are three times as wide, bounds farther apart."""
    rng = np.random.default_rng(1)
    left, step = rng.integers(0, 6, 500), rng.integers(1, 6, 500)
    right = (left + step) % 6
    outcome = rng.random(500) > 1 / (1 + np.exp((left - right) / 3))
    row = np.tile(np.arange(500, dtype=np.int32), 9)
    left, right, codes = left.astype(np.int32)[row], right.astype(np.int32)[row], outcome.astype(np.uint8)[row]
    log = Comparisons(left, right, codes, None, row, None, tuple("abcdef"))
    plain, robust = fitted(log)
    bounds = rank_bounds(robust.fit.low, robust.fit.high, robust.fit.component)
    assert [robust.fit.rank_low.tolist(), robust.fit.rank_high.tolist()] == [bound.tolist() for bound in bounds]
    assert plain.rank_high.tolist() != robust.fit.rank_high.tolist()


def test_ways_that_cancel_leave_the_error_of_independent_votes_to_few_clusters():
    """Each of four people and each of 24 items is for x in three of four votes, so that both ways are all but 0."""
    person, item = np.divmod(np.arange(96, dtype=np.int32), np.int32(24))
    log = log_of([("x", "y", "a" if (who + what) % 4 else "b") for who, what in zip(person, item, strict=True)])
    counts = pair_counts(log)
    fit = bradley_terry(counts)
    rows = ClusteredRows.of(log, person), ClusteredRows.of(log, item)
    held = clustered_both_ways(fit, *rows, counts)
    assert held.fit.error == pytest.approx(fit.error)
    assert np.isfinite(held.fit.covariance).all()
