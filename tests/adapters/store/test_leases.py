from datetime import timedelta

import pytest

from arena.adapters.store import leases
from arena.adapters.store.leases import Superseded
from arena.adapters.store.tables.operations import LeaseRow
from tests.conftest import START


async def take(database, holder: str, seconds: float = 60) -> int | None:
    return await database.write(leases.take, "x", holder, START, seconds)


def expire(session) -> None:
    row = session.get(LeaseRow, "x")
    row.until = min(row.until, START) - timedelta(days=9_000)


async def test_the_first_one_has_it_until_it_is_silent(database):
    assert await take(database, "one") == 1
    assert await take(database, "two") is None
    assert await take(database, "one") == 1
    await database.write(expire)
    assert await take(database, "two") == 2
    assert await take(database, "one") is None


async def test_who_gives_it_back_lets_the_next_one_take_it_at_once(database):
    await take(database, "one")
    await database.write(leases.release, "x", "two", START)
    assert await take(database, "two") is None
    await database.write(leases.release, "x", "one", START)
    assert await take(database, "two") == 2


async def test_who_was_silent_too_long_is_refused_if_another_one_came_and_only_then(database):
    await take(database, "one")
    await database.write(expire)
    await database.write(leases.check, "x", 1)
    await take(database, "two")
    with pytest.raises(Superseded):
        await database.write(leases.check, "x", 1)
    await database.write(leases.check, "x", 2)


async def test_a_lease_that_nobody_ever_took_lets_nobody_through(database):
    with pytest.raises(Superseded):
        await database.write(leases.check, "x", 0)


async def test_a_lease_from_before_the_clock_was_set_back_keeps_nobody_out(database):
    await take(database, "one")

    def postpone(session) -> None:
        session.get(LeaseRow, "x").until += timedelta(hours=1)

    await database.write(postpone)
    assert await take(database, "two") == 2
    assert await take(database, "one") is None
