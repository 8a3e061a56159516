"""A clock that jumps by hours: order is that of the votes' numbers, and a lease is held by one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from sqlalchemy import select

from arena.adapters.store import leases
from arena.adapters.store.tables.conversations import VoteRow

pytestmark = pytest.mark.sqlite
JUMPS = (0, 7_200, -7_200, 86_400, -86_400, 1)


def stored(session) -> list[tuple[int, str, datetime]]:
    rows = session.scalars(select(VoteRow).order_by(VoteRow.number))
    return [(row.number, row.battle_id, row.created_at) for row in rows]


def count_of_counted(session) -> int:
    return len(session.scalars(select(VoteRow.number).where(VoteRow.not_counted.is_(None))).all())


async def vote(client: httpx2.AsyncClient, prompt: str) -> str:
    battle = (await client.post("/api/v1/battles", json={"prompt": prompt})).json()["id"]
    await client.get(f"/api/v1/battles/{battle}/stream")
    answer = await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "a"})
    assert answer.status_code == 200, answer.text
    return battle


async def test_votes_keep_their_order_when_the_clock_jumps_back_and_forth(app, runtime, database):
    started, jump = datetime.now(UTC), [0.0]
    runtime.now = lambda: started + timedelta(seconds=jump[0])
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    cast: list[str] = []
    async with httpx2.AsyncClient(transport=transport, base_url="http://arena.test") as client:
        for seconds in JUMPS:
            jump[0] += seconds
            cast.append(await vote(client, f"What is {len(cast)} hours after noon?"))
    rows = await database.read(stored)
    assert [battle for _, battle, _ in rows] == cast
    assert [number for number, _, _ in rows] == sorted(number for number, _, _ in rows)
    assert max(rows, key=lambda row: row[2])[1] == cast[3]
    assert await database.read(count_of_counted) == len(JUMPS)


@pytest.mark.parametrize("set_back", [timedelta(seconds=0), timedelta(hours=2)])
async def test_of_two_workers_one_has_the_lease_whatever_a_clock_says(database, set_back):
    now = datetime.now(UTC)
    assert await database.write(leases.take, "lead", "first", now, 30) == 1
    assert await database.write(leases.take, "lead", "first", now - set_back, 30) == 1
    assert await database.write(leases.take, "lead", "second", now - set_back, 30) is None
    taken = await database.write(leases.take, "lead", "second", now + timedelta(hours=2), 30)
    assert taken == 2
    with pytest.raises(leases.Superseded):
        await database.write(leases.check, "lead", 1)
