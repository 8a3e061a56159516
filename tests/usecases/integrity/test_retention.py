from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from arena.adapters.limits import Bounds
from arena.adapters.store import neighbourhoods, voters
from arena.adapters.store.tables.integrity import OriginRow
from arena.domain.terms import BotVerdict, Client, NotCounted, Outcome, Voter
from arena.usecases.integrity.retention import drop_keys
from arena.usecases.votes import votes
from arena.usecases.votes.ballot import Ballot
from tests.usecases.battles.test_turns import play

BOUNDS = Bounds(secret=b"s" * 32)


async def cast(runtime, voter, *, bounds=BOUNDS, client=Client.PHONE, now=None):
    battle, _ = await play(runtime, voter)
    ballot = Ballot(voter, battle.id, Outcome.A, None, now or runtime.now(), bounds, client)
    return await votes.cast_vote(runtime.database, ballot)


async def origins(runtime) -> list[OriginRow]:
    return await runtime.database.read(lambda session: session.scalars(select(OriginRow)).all())


async def test_a_counted_vote_is_stored_with_its_origin_and_without_its_address(runtime):
    voter = Voter("voter", "192.0.2.7")
    now = runtime.now()
    await runtime.database.write(voters.record_check, "c", voter.key, BotVerdict.PASS, now, now.astimezone(UTC).date())
    await cast(runtime, voter)
    (row,) = await origins(runtime)
    assert (row.number, row.tier, row.client) == (1, BotVerdict.PASS, Client.PHONE)
    assert row.network == BOUNDS.origin(voter, now)
    assert "192.0" not in (row.network or "")


async def test_a_vote_that_does_not_count_has_no_origin(runtime):
    reveal = await cast(runtime, Voter("voter", "192.0.2.7"), bounds=Bounds(secret=b"s" * 32, reading_speed=0.001))
    assert reveal.reason == NotCounted.TOO_FAST
    assert await origins(runtime) == []


def test_the_label_of_a_neighbourhood_lasts_a_week():
    near, far = Voter("a", "192.0.2.7"), Voter("b", "198.51.100.7")
    sunday, monday = datetime(2026, 11, 22, 23, tzinfo=UTC), datetime(2026, 11, 23, tzinfo=UTC)
    assert BOUNDS.origin(near, sunday) == BOUNDS.origin(Voter("c", "192.0.2.200"), sunday - timedelta(days=6))
    assert BOUNDS.origin(near, sunday) != BOUNDS.origin(near, monday)
    assert BOUNDS.origin(near, sunday) != BOUNDS.origin(far, sunday)
    assert BOUNDS.origin(near, sunday) != Bounds(secret=b"t" * 32).origin(near, sunday)


@pytest.mark.both_databases
@pytest.mark.parametrize("days", [0, 22])
async def test_keys_are_dropped_before_a_vote_is_thirty_days_old_and_partition_as_before(runtime, days):
    monday = datetime(2026, 1, 5, 1, tzinfo=UTC)
    places = ["192.0.2.7", "198.51.100.7", "192.0.2.9"]
    for person, address in enumerate(places):
        await cast(runtime, Voter(f"voter {person}", address), now=monday)
    before = [row.network for row in await origins(runtime)]
    assert await drop_keys(runtime.database, monday + timedelta(days=days)) == 0
    assert [row.network for row in await origins(runtime)] == before
    assert await drop_keys(runtime.database, monday + timedelta(days=30)) == 2
    assert [row.network for row in await origins(runtime)] == ["1", "2", "1"]
    assert await drop_keys(runtime.database, monday + timedelta(days=60)) == 0
    assert await runtime.database.read(neighbourhoods.oldest_key) is None
