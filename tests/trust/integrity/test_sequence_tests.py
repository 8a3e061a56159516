"""Sequence tests: honest voters are named as often as the level says, clickers and one-sided voters far more often."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, product

import numpy as np
import pytest

from arena_trust.integrity.sequence_tests import fisher, longest_run, voter_tests
from tests.trust.integrity.logs import honest


def named(log, voters=None):
    """The shares of voters with at least five votes that each test names."""
    first = None if voters is None else {int(log.number[log.voter == voter][0]) for voter in voters}
    found = [each for each in voter_tests(log, np.random.default_rng(1)) if first is None or each.first in first]
    return [sum(getattr(each, test) <= 0.01 for each in found) / len(found) for test in ("improbable", "one_sided")]


def test_honest_voters_are_named_at_the_level():
    improbable, one_sided = named(honest(100_000, 1, drift=0.0))
    assert 0.005 <= improbable <= 0.015
    assert one_sided <= 0.015


def test_who_contradicts_the_ratings_or_always_votes_left_is_named():
    log = honest(20_000, 2, spread=800.0, votes_per_voter=30.0)
    busy = np.flatnonzero(np.bincount(log.voter) >= 30)[:40]
    contrary, lefty = np.isin(log.voter, busy[:20]), np.isin(log.voter, busy[20:])
    weaker = np.where(log.left < log.right, 1, 0)
    outcome = np.where(contrary, weaker, np.where(lefty, 0, log.outcome)).astype(np.uint8)
    log = replace(log, outcome=outcome)
    assert named(log, busy[:20])[0] == 1
    assert named(log, busy[20:])[1] == 1


def test_the_most_improbable_come_first_and_few_votes_are_not_tested():
    found = voter_tests(honest(2_000, 3), np.random.default_rng(1))
    lowest = [min(each.improbable, each.one_sided) for each in found]
    assert lowest == sorted(lowest)
    assert min(each.votes for each in found) == 5
    assert voter_tests(honest(100).rows(np.arange(0)), np.random.default_rng(1)) == []


@pytest.mark.parametrize(("total", "tests", "p"), [(0.0, 3, 1.0), (9.210340372, 1, 0.01), (23.209251159, 5, 0.01)])
def test_fishers_method_gives_the_tail_of_the_chi_square_distribution(total, tests, p):
    assert fisher(total, tests) == pytest.approx(p, rel=1e-6)


@pytest.mark.parametrize("trials", [1, 5, 9])
def test_the_chance_of_a_run_is_that_of_all_sequences(trials):
    """Both sides' chances are added: exact where two such runs do not fit, else an upper bound."""
    for run in range(1, trials + 1):
        told = longest_run(np.array(([0] * run + [1, 0] * trials)[:trials], np.uint8), 0.5)
        exact = np.mean(
            [max(len(list(same)) for _, same in groupby(each)) >= run for each in product("ab", repeat=trials)]
        )
        assert told >= exact - 1e-12
        assert told == pytest.approx(exact) or 2 * run <= trials


def test_who_only_ties_has_no_run():
    assert longest_run(np.array([2, 3, 2], np.uint8), 0.5) == 1
