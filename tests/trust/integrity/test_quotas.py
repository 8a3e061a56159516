"""Numbers of votes of simulated people."""

from __future__ import annotations

import numpy as np
import pytest

from arena_trust.integrity.simulation.attack_kinds import Quota
from arena_trust.integrity.simulation.quotas import draw_quotas
from tests.trust.integrity.logs import honest, under_attack


@pytest.mark.parametrize("quota", list(Quota))
def test_numbers_have_the_mean_and_nobody_has_none(quota):
    drawn = draw_quotas(quota, 20_000, 30, np.random.default_rng(1))
    assert drawn.min() >= 1
    assert drawn.mean() == pytest.approx(30, rel=0.06)
    assert (len(np.unique(drawn)) == 1) == (quota is Quota.EXACT)


@pytest.mark.parametrize("quota", list(Quota))
def test_attackers_have_the_numbers_of_battles_of_their_quota(quota):
    _, both, theirs = under_attack(100, quota=quota)
    counts = np.bincount(both.voter[theirs])
    counts = counts[counts > 0]
    assert len(counts) == 100
    assert (len(np.unique(counts)) == 1) == (quota is Quota.EXACT)


def test_honest_people_can_have_equal_or_very_different_numbers_of_votes():
    same, heavy = (np.bincount(honest(4_000, quota=quota).voter) for quota in (Quota.EXACT, Quota.HEAVY))
    assert set(same.tolist()) == {10}
    assert heavy.max() > 10 * np.median(heavy)
