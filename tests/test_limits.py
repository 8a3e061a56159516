import pytest

from arena.errors import Busy, RateLimited
from arena.limits import Allowance, MemoryLimits
from arena.terms import Voter


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def limits(clock: Clock, **allowed) -> MemoryLimits:
    return MemoryLimits(Allowance(**allowed), clock)


def voter(number: int = 1, address: str = "198.51.100.1") -> Voter:
    return Voter(f"voter {number}", address)


async def admit(limits: MemoryLimits, who: Voter, times: int = 1) -> None:
    for _ in range(times):
        (await limits.admit(who)).release()


async def test_a_window_full_of_prompts_says_when_it_frees(clock):
    window = limits(clock, seconds=60, prompts_per_voter=3)
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


async def test_one_voter_does_not_use_up_another_ones_window(clock):
    window = limits(clock, prompts_per_voter=1)
    await admit(window, voter(1))
    await admit(window, voter(2))


async def test_many_cookies_from_one_address_share_its_window(clock):
    window = limits(clock, prompts_per_address=5)
    for number in range(5):
        await admit(window, voter(number))
    with pytest.raises(RateLimited):
        await admit(window, voter(6))
    await admit(window, voter(6, "198.51.100.2"))


async def test_a_voter_has_so_many_answers_running_and_no_more(clock):
    places = limits(clock, running_per_voter=2)
    leases = [await places.admit(voter()) for _ in range(2)]
    with pytest.raises(RateLimited):
        await places.admit(voter())
    leases[0].release()
    leases[0].release()
    await places.admit(voter())
    with pytest.raises(RateLimited):
        await places.admit(voter())


async def test_when_all_places_are_taken_nobody_gets_one(clock):
    places = limits(clock, running=2)
    lease = await places.admit(voter(1))
    await places.admit(voter(2))
    with pytest.raises(Busy) as caught:
        await places.admit(voter(3))
    assert caught.value.retry_after
    lease.release()
    await places.admit(voter(3))


async def test_a_refused_prompt_takes_no_place(clock):
    places = limits(clock, prompts_per_voter=1)
    await admit(places, voter())
    for _ in range(3):
        with pytest.raises(RateLimited):
            await admit(places, voter())
    assert places._all == 0
    assert places._running == {}


async def test_memory_does_not_grow_with_voters_who_have_gone(clock):
    window = limits(clock, seconds=60, prompts_per_address=10_000)
    for number in range(1_000):
        await admit(window, voter(number))
    clock.now = 121
    await admit(window, voter(1))
    assert set(window._recent) == {"voter 1", "198.51.100.1"}
