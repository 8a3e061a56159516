"""Batching of concurrent calls, in which one caller's error does not affect the others."""

import asyncio

import pytest

from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.batching import GROUP, ROUNDS, Batcher
from arena.domain.errors import NotFound, StoreUnavailable


class Doubling:
    """Work that doubles numbers; 13 makes its whole batch fail, and 404 is not found."""

    def __init__(self) -> None:
        self.rounds: list[list[int]] = []
        self.under_way = 0
        self.most = 0

    async def __call__(self, items) -> list:
        self.rounds.append(list(items))
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0.01)
        self.under_way -= 1
        if 13 in items:
            raise LookupError
        if 503 in items:
            raise StoreUnavailable
        return [NotFound() if item == 404 else 2 * item for item in items]


@pytest.fixture
def work() -> Doubling:
    return Doubling()


async def ask(together, items) -> list:
    return await asyncio.gather(*(together(item) for item in items), return_exceptions=True)


async def test_who_asks_at_once_shares_a_round_and_gets_its_own_result(work):
    together = Batcher(work)
    assert await ask(together, range(600, 700)) == [2 * item for item in range(600, 700)]
    assert work.rounds == [list(range(600, 700))]


async def test_a_round_is_no_larger_than_a_group_and_few_are_under_way(work):
    together = Batcher(work)
    count = 5 * GROUP + 1
    assert await ask(together, range(1_000, 1_000 + count)) == [2 * item for item in range(1_000, 1_000 + count)]
    assert [len(items) for items in work.rounds] == [GROUP] * 5 + [1]
    assert work.most == ROUNDS


async def test_who_asks_later_need_not_wait_for_a_full_round(work):
    together = Batcher(work)
    first = asyncio.ensure_future(together(1))
    await asyncio.sleep(0.002)
    assert await together(2) == 4
    assert await first == 2
    assert work.rounds == [[1], [2]]


async def test_an_error_among_the_results_is_raised_to_whoever_asked(work):
    results = await ask(Batcher(work), [1, 404, 3])
    assert isinstance(results[1], NotFound)
    assert results[::2] == [2, 6]
    assert len(work.rounds) == 1


async def test_what_breaks_a_round_is_found_by_doing_each_alone(work):
    results = await ask(Batcher(work), [1, 13, 3])
    assert isinstance(results[1], LookupError)
    assert results[::2] == [2, 6]
    assert work.rounds == [[1, 13, 3], [1], [13], [3]]


async def test_where_nothing_can_be_stored_nobody_tries_again(work):
    results = await ask(Batcher(work), [1, 503, 3])
    assert [type(result) for result in results] == [StoreUnavailable] * 3
    assert len(work.rounds) == 1


async def test_one_who_leaves_stops_nobody(work):
    together = Batcher(work)
    calls = [asyncio.ensure_future(together(item)) for item in range(4)]
    await asyncio.sleep(0.005)
    calls[0].cancel()
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert results[1:] == [2, 4, 6]


async def test_no_round_is_begun_for_nobody_and_the_next_one_starts_anew(work):
    together = Batcher(work)
    for number in range(3):
        assert await together(number) == 2 * number
    assert work.rounds == [[0], [1], [2]]


def test_each_event_loop_has_rounds_of_its_own(sqlite_url):
    database = open_database(sqlite_url)
    work = Doubling()

    async def doubled(_database, items) -> list:
        return await work(items)

    for number in range(2):
        assert asyncio.run(database.batch(doubled, number)) == 2 * number
    database.close()
