"""Writes that include further work once: the first one that succeeds does, however many begin at the same time."""

import asyncio

import pytest

from arena.adapters.store.engine.joined_writes import JoinedWrites


async def test_of_writes_at_the_same_time_one_includes_the_further_work(database):
    joins = []
    joined = JoinedWrites(database, joins.append)
    results = await asyncio.gather(*(joined.write(lambda _, number=number: number) for number in range(8)))
    assert (results, len(joins)) == ([*range(8)], 1)


async def test_after_a_failed_write_the_next_one_includes_it(database):
    joins = []
    joined = JoinedWrites(database, joins.append)

    def fail(_session):
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        await joined.write(fail)
    assert joins == []
    await joined.write(lambda _: None)
    assert len(joins) == 1


async def test_a_write_that_has_changed_nothing_is_not_the_first_one(database):
    joins = []
    joined = JoinedWrites(database, joins.append)
    assert await joined.write(lambda _: False) is False
    assert (joins, joined.joined) == ([], False)
    assert await joined.write(lambda _: True) is True
    assert len(joins) == 1
