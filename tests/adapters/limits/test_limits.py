import asyncio
import signal
from itertools import cycle

import pytest
from redis.asyncio import Redis

from arena.adapters.limits import Allowance, MemoryLimits, Rate, share_per_address
from arena.adapters.limits.redis import FAILURE_PAUSE, LIFE, PATIENCE, RedisLimits, connected, opened
from arena.domain.errors import Busy, RateLimited
from arena.domain.terms import Voter
from tests.servers import Valkey


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


class Together:
    """Several processes that share one Redis; requests are distributed round-robin."""

    def __init__(self, members: list) -> None:
        self.members = members
        self.turns = cycle(members)

    async def admit(self, who: Voter, **how):
        return await next(self.turns).admit(who, **how)

    async def count(self, rate: Rate, who: str):
        return await next(self.turns).count(rate, who)

    async def settle(self) -> None:
        for member in self.members:
            if isinstance(member, RedisLimits):
                await member.settle()


@pytest.fixture
def patience(monkeypatch):
    """A timeout long enough for a busy machine; tests of outages cause them explicitly."""
    monkeypatch.setattr("arena.adapters.limits.redis.PATIENCE", 30.0)


@pytest.fixture
async def client(valkey, patience):
    async with connected(valkey) as client:
        await client.flushdb()
        yield client


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.process)])
def limits(request, clock):
    """Makes limits of either implementation: one process in memory, or three with Redis."""
    if request.param == "memory":
        return lambda **allowed: Together([MemoryLimits(Allowance(**allowed), clock)])
    client = request.getfixturevalue("client")
    return lambda **allowed: Together([redis_limits(client, clock, **allowed) for _ in range(3)])


def redis_limits(client: Redis, clock: Clock, processes: int = 4, **allowed) -> RedisLimits:
    return RedisLimits(client, Allowance(**allowed), processes, clock=clock, shared=clock)


def voter(number: int = 1, address: str = "198.51.100.1") -> Voter:
    return Voter(f"voter {number}", address)


async def admit(limits, who: Voter, times: int = 1) -> None:
    for _ in range(times):
        (await limits.admit(who)).release()
    await limits.settle()


async def test_a_window_full_of_prompts_says_when_it_frees(limits, clock):
    window = limits(seconds=60, prompts_per_voter=3)
    await admit(window, voter())
    clock.now = 10
    await admit(window, voter(), 2)
    with pytest.raises(RateLimited) as caught:
        await admit(window, voter())
    assert caught.value.retry_after == 50
    clock.now = 60
    await admit(window, voter())
    with pytest.raises(RateLimited):
        await admit(window, voter())


async def test_one_voter_does_not_use_up_another_ones_window(limits):
    window = limits(prompts_per_voter=1)
    await admit(window, voter(1))
    await admit(window, voter(2))


async def test_a_clock_that_is_set_back_locks_nobody_out_and_forgets_no_entry(client, clock):
    """An hour back, seen by another process: entries end at most one window later, places of a dead process too."""
    shared = Clock()
    shared.now = 10_000
    first, second = (
        RedisLimits(client, Allowance(seconds=60, prompts_per_voter=2, running=2), 1, clock=clock, shared=shared)
        for _ in range(2)
    )
    await admit(first, voter(), 2)
    for number in (2, 3):
        await first.admit(voter(number, f"192.0.2.{number}"))
    shared.now -= 3_600
    with pytest.raises(Busy):
        await second.admit(voter(4, "203.0.113.4"))
    shared.now += LIFE + 1
    await admit(second, voter(4, "203.0.113.4"))
    with pytest.raises(RateLimited) as caught:
        await second.admit(voter())
    assert caught.value.retry_after == 60
    shared.now += 60
    await admit(second, voter())


@pytest.mark.parametrize(
    ("address", "neighbour", "stranger"),
    [
        ("198.51.100.1", "198.51.100.250", "198.51.101.1"),
        ("2001:db8:1:2::1", "2001:db8:1:ffff::9", "2001:db8:2:2::1"),
        ("::ffff:198.51.100.1", "198.51.100.7", "::ffff:198.51.101.1"),
        ("a socket without address", "a socket without address", "198.51.100.1"),
    ],
)
async def test_many_cookies_from_one_neighbourhood_share_its_window(limits, address, neighbour, stranger):
    window = limits(prompts_per_address=5)
    for number in range(5):
        await admit(window, voter(number, address))
    with pytest.raises(RateLimited):
        await admit(window, voter(6, neighbour))
    await admit(window, voter(6, stranger))


async def test_a_voter_has_so_many_answers_running_and_no_more(limits):
    places = limits(running_per_voter=2)
    leases = [await places.admit(voter()) for _ in range(2)]
    with pytest.raises(RateLimited):
        await places.admit(voter())
    leases[0].release()
    leases[0].release()
    await places.settle()
    await places.admit(voter())
    with pytest.raises(RateLimited):
        await places.admit(voter())


async def test_a_neighbourhood_has_so_many_answers_running_and_no_more(limits):
    places = limits(running_per_address=4)
    for number in range(4):
        await places.admit(voter(number))
    with pytest.raises(RateLimited) as caught:
        await places.admit(voter(9))
    assert caught.value.retry_after


async def test_a_school_of_200_begins_at_once_and_asks_again_and_battles_still_begin_elsewhere(limits):
    places = limits()
    leases = [await places.admit(voter(number, "192.0.2.1"), begins=True) for number in range(200)]
    with pytest.raises(RateLimited):
        await places.admit(voter(200, "192.0.2.2"), begins=True)
    assert await places.admit(voter(0, "198.51.100.1"), begins=True)
    for lease in leases:
        lease.release()
    await places.settle()
    for number in range(200):
        await places.admit(voter(number, "192.0.2.1"))


@pytest.mark.parametrize(("running", "share"), [(1, 1), (2, 1), (30, 20), (300, 200)])
def test_one_neighbourhood_leaves_places_to_the_others(running, share):
    assert share_per_address(running) == share
    assert share < Allowance(running=running).places(begins=True) or running == 1


async def test_when_all_places_are_taken_nobody_gets_one(limits):
    places = limits(running=2)
    lease = await places.admit(voter(1))
    await places.admit(voter(2))
    with pytest.raises(Busy) as caught:
        await places.admit(voter(3))
    assert caught.value.retry_after
    lease.release()
    await places.settle()
    await places.admit(voter(3))


async def test_a_refused_prompt_takes_no_place_and_counts_in_no_window(limits, clock):
    places = limits(seconds=10, prompts_per_voter=1, running=2, prompts_per_address=3)
    await admit(places, voter())
    for _ in range(5):
        with pytest.raises(RateLimited):
            await admit(places, voter())
    await places.admit(voter(2))
    await places.admit(voter(3))
    clock.now = 10
    with pytest.raises(Busy):
        await places.admit(voter())


async def test_of_many_at_once_exactly_as_many_are_let_in_as_there_are_places(limits):
    places = limits(running=20)
    admissions = [places.admit(Voter(f"voter {n}", f"203.0.{n}.1")) for n in range(60)]
    results = await asyncio.gather(*admissions, return_exceptions=True)
    assert sum(isinstance(result, Busy) for result in results) == 40


async def test_from_nine_tenths_of_all_places_on_no_battle_begins_and_those_begun_go_on(limits):
    places = limits(running=10)
    leases = [await places.admit(voter(number), begins=True) for number in range(9)]
    with pytest.raises(Busy) as caught:
        await places.admit(voter(10), begins=True)
    assert caught.value.retry_after
    await places.admit(voter(1))
    with pytest.raises(Busy):
        await places.admit(voter(2))
    for lease in leases[:2]:
        lease.release()
    await places.settle()
    await places.admit(voter(10), begins=True)


async def test_a_rare_act_is_counted_for_each_and_what_is_given_back_is_not(limits, clock):
    acting, rate = limits(), Rate("sign_ups", 2, 3_600)
    await acting.count(rate, "here")
    act = await acting.count(rate, "here")
    await acting.count(rate, "there")
    await acting.count(Rate("probes", 2, 3_600), "here")
    clock.now = 600
    with pytest.raises(RateLimited) as caught:
        await acting.count(rate, "here")
    assert caught.value.retry_after == 3_000
    act.release()
    act.release()
    await acting.settle()
    await acting.count(rate, "here")
    with pytest.raises(RateLimited):
        await acting.count(rate, "here")


async def test_redis_keeps_nothing_for_ever(client, clock):
    limits = redis_limits(client, clock)
    await limits.admit(voter())
    keys = [key async for key in client.scan_iter()]
    assert len(keys) == 5
    assert all([0 < await client.pttl(key) <= 60_000 for key in keys])


async def test_the_places_of_a_dead_process_are_free_after_a_while_and_those_of_a_living_one_are_not(client, clock):
    dead, living = (redis_limits(client, clock, running=2) for _ in range(2))
    await dead.admit(voter(1))
    await living.admit(voter(2))
    clock.now = LIFE - 1
    await living.renew()
    with pytest.raises(Busy):
        await living.admit(voter(3))
    clock.now = LIFE + 1
    await living.admit(voter(3))
    with pytest.raises(Busy):
        await living.admit(voter(4))


@pytest.fixture
def own_valkey():
    """A private server that the test may kill, pause and empty."""
    server = Valkey()
    yield server
    server.remove()


@pytest.fixture
async def own_client(own_valkey, patience):
    async with connected(own_valkey.url) as client:
        yield client


@pytest.fixture
async def hasty_client(own_valkey):
    """A client with the timeouts of production."""
    async with connected(own_valkey.url) as client:
        yield client


async def prompts_let_in(limits: RedisLimits, who: Voter) -> int:
    """Number of prompts of one voter that are admitted before the first is rejected."""
    for number in range(100):
        try:
            await admit(limits, who)
        except RateLimited:
            return number
    raise AssertionError("there is no limit")


async def test_without_redis_each_process_goes_on_with_its_share_and_with_it_again_with_all(
    own_valkey, own_client, clock
):
    limits = redis_limits(own_client, clock, processes=4, prompts_per_voter=12)
    assert await prompts_let_in(limits, voter(1)) == 12
    own_valkey.stop()
    assert await prompts_let_in(limits, voter(2)) == 3
    own_valkey.start()
    clock.now = FAILURE_PAUSE
    assert await prompts_let_in(limits, voter(3)) == 12


async def test_without_redis_rare_acts_too_have_a_share_in_each_process(own_valkey, own_client, clock):
    limits, rate = redis_limits(own_client, clock, processes=4), Rate("sign_ups", 8, 3_600)
    own_valkey.stop()
    for _ in range(2):
        await limits.count(rate, "here")
    with pytest.raises(RateLimited):
        await limits.count(rate, "here")


async def test_a_redis_that_hangs_costs_a_moment_once(own_valkey, hasty_client, clock):
    limits = redis_limits(hasty_client, clock, prompts_per_address=10_000)
    await admit(limits, voter())
    own_valkey.send(signal.SIGSTOP)
    async with asyncio.timeout(120 * PATIENCE):
        for number in range(240):
            await admit(limits, voter(number))
    own_valkey.send(signal.SIGCONT)
    clock.now = FAILURE_PAUSE
    await admit(limits, voter(30))
    assert await hasty_client.exists("{arena}:asked:voter 30")


async def test_what_runs_is_not_forgotten_when_redis_goes_away(own_valkey, own_client, clock):
    limits = redis_limits(own_client, clock, processes=4, running=8)
    leases = [await limits.admit(voter(number)) for number in range(2)]
    own_valkey.stop()
    with pytest.raises(Busy):
        await limits.admit(voter(3))
    leases[0].release()
    await limits.settle()
    await limits.admit(voter(3))


async def test_an_emptied_redis_is_told_again_what_runs(own_valkey, own_client, clock):
    one, other = (redis_limits(own_client, clock, running=2) for _ in range(2))
    for number in range(2):
        await one.admit(voter(number))
    await own_client.flushall()
    with pytest.raises(Busy):
        await one.admit(voter(3))
    await one.renew()
    with pytest.raises(Busy):
        await other.admit(voter(3))


async def test_places_taken_without_redis_are_told_when_it_is_back(own_valkey, own_client, clock):
    one, other = (redis_limits(own_client, clock, processes=2, running=2) for _ in range(2))
    own_valkey.stop()
    await one.admit(voter(1))
    own_valkey.start()
    clock.now = FAILURE_PAUSE
    await one.renew()
    await other.admit(voter(2))
    with pytest.raises(Busy):
        await other.admit(voter(3))


async def test_opened_limits_work_on_the_servers_clock_and_end_in_order(own_valkey):
    async with opened(own_valkey.url, Allowance(prompts_per_voter=2), processes=1) as limits:
        leases = [await limits.admit(voter()) for _ in range(2)]
        with pytest.raises(RateLimited) as caught:
            await limits.admit(voter())
        assert caught.value.retry_after in {59, 60}
        for lease in leases:
            lease.release()
    async with Redis.from_url(own_valkey.url) as client:
        assert not await client.exists("{arena}:running:all")


async def test_limits_open_where_no_redis_is_and_end_in_order():
    async with opened("redis://127.0.0.1:1/0", Allowance(prompts_per_voter=4), processes=2) as limits:
        (await limits.admit(voter())).release()
