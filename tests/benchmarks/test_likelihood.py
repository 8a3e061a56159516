"""The test that knows a simulated attack tells attacked logs from honest ones."""

from __future__ import annotations

import numpy as np
import pytest

from arena_trust.integrity.published_form import by_week, published_form
from arena_trust.integrity.simulation.attack_kinds import Attack, Place
from arena_trust.integrity.simulation.attackers import Campaign
from arena_trust.integrity.simulation.population import Population, draw_honest_votes
from arena_trust.integrity.simulation.trial import attacked_log
from benchmarks.gate.likelihood import log_ratio

WORLD = Population()


def published(log):
    return published_form(by_week(log)).log


@pytest.fixture(scope="module")
def honest():
    return draw_honest_votes(WORLD, np.random.default_rng(5))


@pytest.mark.parametrize("place", list(Place))
def test_a_log_is_more_likely_under_the_attack_if_it_was_attacked(honest, place):
    campaign = Campaign(Attack.TARGETED, place, 50)
    attacked, _ = attacked_log(WORLD, honest, (campaign,), [5, 1])
    assert log_ratio(WORLD, published(attacked), campaign) > log_ratio(WORLD, published(honest), campaign) + 10


@pytest.mark.parametrize("attack", list(Attack))
def test_every_way_of_voting_is_known_to_it(honest, attack):
    campaign = Campaign(attack, Place.CHECK, 50)
    attacked, _ = attacked_log(WORLD, honest, (campaign,), [5, 2])
    assert log_ratio(WORLD, published(honest), campaign) < 0 < log_ratio(WORLD, published(attacked), campaign)
