"""The service dies by `kill -9` while it tells an owner of changes: each change arrives, some twice, in order."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field
from itertools import pairwise

import httpx2
import pytest

from arena.adapters.store.tables.endpoints import ChangeRow
from arena.cli.context import opened
from arena.domain.terms import EndpointState
from arena.settings import Settings
from tests.conftest import START
from tests.processes import PATIENCE
from tests.row_factories import endpoint_row
from tests.usecases.people.receiver import Receiver

KILLS, CHANGES = 20, 240


@dataclass
class Slow(Receiver):
    """A receiver that a kill interrupts before or after it has answered."""

    pause: float = field(default=0.01)

    async def _meet(self, reader, writer):
        await asyncio.sleep(self.pause)
        await super()._meet(reader, writer)


def stock(data, owner: int) -> None:
    """Put an endpoint with many changes into the database of a service that does not run."""

    def add(session) -> None:
        row = endpoint_row("m", owner_id=owner, state=EndpointState.PAUSED)
        session.add(row)
        session.flush()
        for number in range(CHANGES):
            reason, after = str(number), EndpointState.PAUSED
            session.add(ChangeRow(endpoint_id=row.id, after=after, actor="operator", reason=reason, created_at=START))

    with opened(Settings(data=data)) as database:
        asyncio.run(database.write(add))


def reasons(receiver: Receiver) -> list[int]:
    return [int(json.loads(body)["data"]["reason"]) for _, body in receiver.taken]


@pytest.mark.sqlite
async def test_every_change_arrives_over_twenty_kills(process, tmp_path, record_property):
    rng = random.Random(1)
    async with Slow().listening() as receiver:
        door = process("serve", "--no-worker", ARENA_EGRESS_ALLOW=f"127.0.0.1:{receiver.port}")
        await asyncio.to_thread(door.start)
        async with httpx2.AsyncClient(base_url=f"{door.url}/api/v1", timeout=PATIENCE) as client:
            owner = (await client.post("/owners", json={"name": "Acme", "contact": "a@acme.example"})).json()
            bearer = {"Authorization": f"Bearer {owner['key']}"}
            await client.put("/owners/me/webhook", json={"url": receiver.url}, headers=bearer)
        door.kill()
        await asyncio.to_thread(stock, tmp_path / "data", owner["id"])
        for kill in range(KILLS):
            await asyncio.to_thread(door.start)
            async with asyncio.timeout(PATIENCE):
                while len(set(reasons(receiver))) < CHANGES * (kill + 1) // (KILLS + 1):
                    await asyncio.sleep(0.002)
            await asyncio.sleep(rng.random() / 50)
            door.kill()
        await asyncio.to_thread(door.start)
        async with asyncio.timeout(PATIENCE):
            while len(set(reasons(receiver))) < CHANGES:
                await asyncio.sleep(0.01)
        arrived = reasons(receiver)
    assert set(arrived) == set(range(CHANGES))
    assert all(after <= before + 1 for before, after in pairwise(arrived))
    record_property("twice", len(arrived) - CHANGES)
