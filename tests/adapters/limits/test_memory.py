"""Limits in memory under a share of the allowance, and the memory that they take."""

from __future__ import annotations

import pytest

from arena.adapters.limits import Allowance, MemoryLimits, Rate, neighbourhood
from arena.domain.errors import RateLimited
from arena.domain.terms import Voter
from tests.adapters.limits.test_limits import Clock


def memory(clock: Clock) -> MemoryLimits:
    return MemoryLimits(Allowance(seconds=60, prompts_per_address=10_000), clock)


async def test_under_a_lower_limit_the_wait_is_until_enough_acts_are_old():
    clock = Clock()
    limits, rate = memory(clock), Rate("probes", 3, 60)
    for moment in (0, 10, 20):
        clock.now = moment
        await limits.count(rate, "one")
    with pytest.raises(RateLimited) as refused:
        limits.check(rate.shared(3).counters("one"))
    assert refused.value.retry_after == 60


async def test_keys_without_recent_acts_are_forgotten():
    clock = Clock()
    limits, rate = memory(clock), Rate("probes", 1, 60)
    for number in range(1_000):
        clock.now = number
        await limits.count(rate, f"owner {number}")
    assert len(limits._entries[60]) <= 60


async def test_memory_does_not_grow_with_voters_who_have_gone():
    clock = Clock()
    limits = memory(clock)
    for number in range(1_000):
        (await limits.admit(Voter(f"voter {number}", "198.51.100.1"))).release()
    clock.now = 121
    (await limits.admit(Voter("voter 1", "198.51.100.1"))).release()
    assert set(limits._entries[60]) == {"asked:voter 1", f"asked:{neighbourhood('198.51.100.1')}"}
    assert limits._entries[None] == {}


async def test_a_key_whose_newest_act_was_undone_is_forgotten_too():
    clock = Clock()
    limits, rate = memory(clock), Rate("probes", 5, 60)
    for moment, who in ((0, "one"), (1, "two"), (2, "three")):
        clock.now = moment
        await limits.count(rate, who)
    clock.now = 50
    (await limits.count(rate, "two")).release()
    clock.now = 61.5
    limits.check(rate.counters("two"))
    clock.now = 100
    await limits.count(rate, "four")
    assert set(limits._entries[60]) == {"probes:four"}
