"""Fewest votes that swap neighbours: against brute force, by hand, and with the library's own fit."""

from __future__ import annotations

import numpy as np
import pytest

from arena_rating import PRIOR, BadParameters, Comparisons, bradley_terry, pair_counts
from arena_rating.counts import PairCounts
from arena_rating.research import fragility
from arena_rating.research._kernels.newton import inverse
from tests.rating import brute, naive
from tests.rating.logs import log_of


def small_log(rng):
    size, votes = int(rng.integers(3, 5)), []
    strength = rng.normal(size=size)
    for _ in range(int(rng.integers(6, 26))):
        i = int(rng.integers(size))
        j = (i + int(rng.integers(1, size))) % size
        better = "a" if rng.random() < naive.chance(strength[i] - strength[j]) else "b"
        votes.append(("uvwx"[i], "uvwx"[j], str(rng.choice([better, "tie", "both_bad"], p=[0.8, 0.12, 0.08]))))
    return votes


def drawn(votes, competitors, seed):
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 0.7, competitors)
    left = rng.integers(0, competitors, votes)
    right = (left + rng.integers(1, competitors, votes)) % competitors
    won = rng.random(votes) < 1 / (1 + np.exp(strength[right] - strength[left]))
    outcome = np.where(rng.random(votes) < 0.2, rng.integers(2, 4, votes), np.where(won, 0, 1))
    return Comparisons(left, right, outcome, None, None, None, tuple(f"m{n:03}" for n in range(competitors)))


def without(counts, removed):
    tables = {"a": counts.wins.copy(), "tie": counts.ties.copy(), "both_bad": counts.both_bad.copy()}
    for cut in removed:
        i, j = counts.names.index(cut.a), counts.names.index(cut.b)
        tables[cut.outcome][i, j] -= cut.votes
        if cut.outcome != "a":
            tables[cut.outcome][j, i] -= cut.votes
    return PairCounts(counts.names, tables["a"], tables["tie"], tables["both_bad"])


def holds(counts, flip):
    """Whether the plain fit of the remaining votes has the two the other way round, in one component."""
    left = without(counts, flip.removed)
    assert min(left.wins.min(), left.ties.min(), left.both_bad.min()) >= 0
    fit, i, j = bradley_terry(left), counts.names.index(flip.above), counts.names.index(flip.below)
    return fit.component[i] == fit.component[j] and fit.rating[j] > fit.rating[i]


@pytest.mark.parametrize("logs", [40, pytest.param(200, marks=pytest.mark.heavy)])
def test_the_fewest_votes_of_small_logs_are_near_those_of_brute_force(logs):
    rng, close, pairs, most = np.random.default_rng(5), 0, 0, 4
    for _ in range(logs):
        log = log_of(votes := small_log(rng))
        for flip in fragility(pair_counts(log)):
            if flip.component or flip.votes == 0:
                continue
            least = brute.fewest(votes, list(log.names), flip.above, flip.below, prior=PRIOR, most=most)
            assert flip.votes is None or flip.votes >= least
            if least <= most:
                pairs += 1
                close += flip.votes is not None and flip.votes <= least + 1
    assert pairs > 1.5 * logs
    assert close >= 0.95 * pairs


def test_every_removal_works_by_the_plain_fit_and_is_counted():
    log = drawn(3000, 12, seed=2)
    counts = pair_counts(log)
    flips = fragility(counts)
    assert len(flips) == 11
    for flip in flips:
        assert holds(counts, flip)
        assert flip.votes == sum(cut.votes for cut in flip.removed)
        assert flip.share == pytest.approx(flip.votes / 3000)
        assert flip.is_tie == (flip.votes < 25)


def test_neighbours_follow_the_ranking():
    log = drawn(3000, 12, seed=2)
    fit = bradley_terry(pair_counts(log))
    order = [fit.names[i] for i in np.argsort(-fit.rating)]
    flips = fragility(pair_counts(log))
    assert [flip.above for flip in flips] == order[:-1]
    assert [flip.below for flip in flips] == order[1:]
    gaps = -np.diff(np.sort(fit.rating)[::-1])
    assert [flip.gap for flip in flips] == pytest.approx(gaps.tolist(), abs=2e-6)


def test_two_alone_swap_when_the_wins_are_fewer():
    flip = fragility(pair_counts(log_of([("x", "y", "a")] * 7 + [("x", "y", "b")] * 3 + [("x", "y", "tie")])))[0]
    assert (flip.above, flip.below, flip.votes) == ("x", "y", 5)
    assert [(cut.a, cut.b, cut.outcome, cut.votes) for cut in flip.removed] == [("x", "y", "a", 5)]


def test_thirty_votes_apart_is_no_tie_and_twenty_four_is():
    for wins, tie in ((30, False), (23, True)):
        flip = fragility(pair_counts(log_of([("x", "y", "a")] * (wins + 5) + [("x", "y", "b")] * 5)))[0]
        assert flip.votes == wins + 1
        assert flip.is_tie is tie


def test_equals_need_no_removal():
    flip = fragility(pair_counts(log_of([("x", "y", "a"), ("x", "y", "b")])))[0]
    assert (flip.votes, flip.share, flip.removed, flip.is_tie, flip.gap) == (0, 0.0, (), True, 0.0)


def test_the_undefeated_cannot_be_swapped_by_parting_them_from_the_rest():
    flip = fragility(pair_counts(log_of([("x", "y", "a")] * 3)))[0]
    assert (flip.votes, flip.share, flip.removed, flip.is_tie) == (None, None, (), False)


def test_each_component_has_its_own_neighbours():
    votes = [("u", "v", "a"), ("v", "w", "a"), ("w", "u", "a"), ("u", "w", "a"), ("x", "y", "a"), ("y", "x", "tie")]
    assert [(flip.above, flip.below, flip.component) for flip in fragility(pair_counts(log_of(votes)))][-1] == (
        "x",
        "y",
        1,
    )


def test_an_empty_log_has_no_neighbours():
    assert fragility(pair_counts(log_of([]))) == ()


def test_parts_of_votes_and_no_prior_are_refused():
    half = Comparisons.from_votes(["x"], ["y"], ["a"], weight=[0.5])
    with pytest.raises(BadParameters, match="integer counts"):
        fragility(pair_counts(half))
    with pytest.raises(BadParameters, match="prior"):
        fragility(pair_counts(half, weighted=False), prior=0)


def test_a_long_log_gives_the_same_twice_and_removes_most_influential_first():
    counts = pair_counts(drawn(200_000, 40, seed=3))
    first = fragility(counts)
    assert first == fragility(counts)
    far = max(first, key=lambda flip: flip.votes or 0)
    assert far.votes > 25
    assert holds(counts, far)
    # One vote less of the last kind does not do.
    assert not holds(counts, shortened(far))


def shortened(flip):
    *most, last = flip.removed
    fewer = type(last)(last.a, last.b, last.outcome, last.votes - 1)
    return type(flip)(
        flip.above, flip.below, flip.component, flip.gap, flip.votes - 1, flip.share, (*most, fewer), flip.is_tie
    )


def test_the_compiled_inverse_is_one():
    rng = np.random.default_rng(1)
    half = rng.normal(size=(30, 30))
    curve = half @ half.T + np.eye(30)
    assert inverse(curve) @ curve == pytest.approx(np.eye(30), abs=1e-9)
