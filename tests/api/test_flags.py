import pytest

from arena.errors import Closed
from arena.store import flags
from arena.terms import Part
from tests.conftest import START


async def close(database, part, *, closed=True):
    await database.write(flags.put, part, closed=closed, reason="a test", now=START)


async def test_every_part_is_open_until_somebody_closes_it(database):
    for part in Part:
        await database.read(flags.check_open, part)
        await close(database, part)
        with pytest.raises(Closed):
            await database.read(flags.check_open, part)
        await close(database, part, closed=False)
        await database.read(flags.check_open, part)


async def test_closed_battles_begin_no_battle_and_leave_running_ones_alone(client, finish, database):
    battle = await finish()
    await close(database, Part.BATTLES)
    refused = await client.post("/api/v1/battles", json={"prompt": "Hello"})
    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (503, "closed", "60")
    vote = await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "a"})
    assert vote.status_code == 200
    await close(database, Part.BATTLES, closed=False)
    assert (await client.post("/api/v1/battles", json={"prompt": "Hello"})).status_code == 201


async def test_closed_voting_takes_no_vote_shows_no_name_and_repeats_earlier_reveals(client, finish, database):
    voted, open_one = await finish(), await finish()
    await client.post(f"/api/v1/battles/{voted}/vote", json={"outcome": "a"})
    await close(database, Part.VOTING)
    refused = await client.post(f"/api/v1/battles/{open_one}/vote", json={"outcome": "a"})
    assert (refused.status_code, refused.json()["code"]) == (503, "closed")
    assert "reveal" not in refused.json()
    again = await client.post(f"/api/v1/battles/{voted}/vote", json={"outcome": "a"})
    assert again.json()["code"] == "already_voted"
    await close(database, Part.VOTING, closed=False)
    assert (await client.post(f"/api/v1/battles/{open_one}/vote", json={"outcome": "a"})).status_code == 200
