"""Who forges forwarding headers stays at the one address of the socket."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import httpx2
import pytest

from tests.processes import PATIENCE

ALLOWED = 5
SIZES = [pytest.param(100, id="small"), pytest.param(10_000, id="full", marks=pytest.mark.heavy)]


def forged(rng: random.Random) -> dict[str, str]:
    """A header that claims another address each time."""
    address = f"{rng.randrange(1, 224)}.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(256)}"
    name = rng.choice(["X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP", "True-Client-IP"])
    return {name: f"for={address}" if name == "Forwarded" else address}


@pytest.mark.parametrize("requests", SIZES)
async def test_many_forged_headers_from_one_socket_have_the_limit_of_one_address(requests, sqlite_url, process):
    settings = {"ARENA_PROMPTS_PER_MINUTE_PER_ADDRESS": str(ALLOWED), "ARENA_DEMO": "on"}
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=sqlite_url, **settings)
    await asyncio.to_thread(door.start)
    rng, answers, minutes = random.Random(9), Counter(), asyncio.get_running_loop().time
    begun = minutes()
    async with httpx2.AsyncClient(base_url=door.url, timeout=PATIENCE) as client:
        for _ in range(requests):
            client.cookies.clear()
            answer = await client.post("/api/v1/battles", json={"prompt": "Hello", "terms": 1}, headers=forged(rng))
            answers[answer.status_code] += 1
    windows = 1 + int((minutes() - begun) // 60)
    assert set(answers) == {201, 429}
    assert ALLOWED <= answers[201] <= ALLOWED * (windows + 1)
