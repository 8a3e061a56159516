"""The scenarios of attacks are what they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_trust.integrity.simulation.attack_kinds import Attack, Place
from arena_trust.integrity.simulation.attackers import Campaign
from arena_trust.integrity.simulation.population import Population
from benchmarks.gate.scenarios import Crew, Scenario, drawn, scenario
from benchmarks.gate.spots import Spot, Where

DAY, HOUR = 86_400, 3_600


def crew(where, honest=0.0, attackers=30, **campaign):
    return Crew(Campaign(Attack.TARGETED, Place.NETWORK, attackers, **campaign), Spot(where, honest))


def of(*crews):
    return drawn(Scenario(Population(votes=4_000), crews), np.random.default_rng(1))


@pytest.mark.parametrize("where", list(Where))
def test_attackers_are_at_their_spot(where):
    found = of(crew(where))
    bots = found.both.rows(found.theirs)
    networks = np.unique(bots.network)
    at = {
        Where.NETWORK: len(networks) == 1,
        Where.SOME_NETWORKS: len(networks) == 5,
        Where.MORE_NETWORKS: 5 < len(networks) <= 10,
        Where.ALONE: len(networks) == 30,
        Where.EXISTING: len(networks) <= 10 and bool(np.isin(networks, found.honest.network).all()),
        Where.LANGUAGE: set(bots.language.tolist()) == {9},
        Where.CHECK: set(bots.check.tolist()) == {9},
        Where.CHECK_AND_LANGUAGE: (set(bots.check.tolist()), set(bots.language.tolist())) == ({1}, {2}),
        Where.YOUNG: 0 < bots.age.max() < 7,
        Where.NEW: bots.age.max() == 0,
        Where.HOURS: bool(np.isin(bots.second // HOUR % 24, [2, 3, 4]).all()),
        Where.BURSTS: len(np.unique(bots.second // HOUR)) <= 9,
        Where.DAYS: len(np.unique(bots.second // DAY)) <= 6,
        Where.FAST: bots.reading.max() <= 3,
    }
    assert at[where]
    assert len(np.unique(bots.voter)) == 30
    assert not np.isin(bots.voter, found.honest.voter).any()
    assert (~found.theirs).sum() == len(found.honest)


def test_honest_people_are_there_too_and_two_crews_are_two():
    found = of(crew(Where.CHECK, 0.05, target=3), crew(Where.SOME_NETWORKS, attackers=20, sink=True))
    assert 0.01 < (found.honest.check == 9).mean() < 0.12
    assert len(np.unique(found.both.voter[found.theirs])) == 50
    assert (np.diff(found.both.second) >= 0).all()


def test_without_crews_the_log_is_honest():
    found = of()
    assert not found.theirs.any()
    assert np.array_equal(found.both.outcome, found.honest.outcome)


def test_scenarios_differ_and_the_same_seed_gives_the_same():
    one, two, three = (scenario(np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert one == two != three
    assert {len(scenario(np.random.default_rng(seed)).crews) for seed in range(20)} == {1, 2}
    assert replace(one, crews=()) != one
