"""Redis dies, hangs or forgets: votes go on, and no limit is exceeded."""

from __future__ import annotations

import asyncio
import itertools
import signal
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator

import httpx2
import pytest

from arena.adapters.limits.redis import FAILURE_PAUSE
from tests.faults.load import UNSAVED, Load, add_battles, check, cookie
from tests.processes import PATIENCE, Process
from tests.servers import Valkey

ALLOWED, PROCESSES = 8, 4
MANY = "100000"
GROWTH = 60 / ALLOWED
"""Seconds after which a voter may ask once more."""
LIMITS = {
    "ARENA_PROMPTS_PER_MINUTE": str(ALLOWED),
    "ARENA_PROCESSES": str(PROCESSES),
    # All voters of a test sit behind one address, whose limits are not the question here.
    **{
        f"ARENA_{name}": MANY for name in ("PROMPTS_PER_MINUTE_PER_ADDRESS", "RUNNING_PER_VOTER", "RUNNING_PER_ADDRESS")
    },
    "ARENA_RUNNING": MANY,
}
SIZES = [pytest.param(1, id="small"), pytest.param(5, id="full", marks=pytest.mark.heavy)]


@pytest.fixture
def redis() -> Iterator[Valkey]:
    """A server of its own, to be killed."""
    server = Valkey()
    yield server
    server.remove()


async def admitted(door: Process, who: str) -> int:
    """How many battles one voter can begin who asks and asks."""
    answers = Counter()
    async with httpx2.AsyncClient(timeout=PATIENCE) as client:
        for _ in range(ALLOWED + 3):
            answer = await client.post(
                f"{door.url}/api/v1/battles", json={"prompt": "Hello", "terms": 1}, headers={"Cookie": cookie(who)}
            )
            answers[answer.status_code] += 1
    assert set(answers) <= {201, 429}
    return answers[201]


def flush(redis: Valkey) -> None:
    """It forgets everything."""
    with socket.create_connection(("127.0.0.1", redis.port), timeout=PATIENCE) as line:
        line.sendall(b"FLUSHALL\r\n")
        assert line.recv(16) == b"+OK\r\n"


@pytest.mark.parametrize("rounds", SIZES)
async def test_votes_go_on_and_limits_get_stricter_without_redis(rounds, url, redis, process, record_property):
    ready = await add_battles(url, 2_000 * rounds)
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=url, ARENA_REDIS_URL=redis.url, ARENA_DEMO="on", **LIMITS)
    door.start()
    load, voters = Load([door.url], ready, rate=30), (f"somebody-{n}" for n in itertools.count())
    seen: dict[str, set[int]] = {}

    async def note(when: str, ask: Callable[[], Awaitable[int]]) -> None:
        """What a voter is admitted; once more where that took so long that the allowance has grown meanwhile."""
        async with asyncio.timeout(PATIENCE):
            while True:
                start = time.monotonic()
                count = await ask()
                if time.monotonic() - start < GROWTH:
                    break
        seen.setdefault(when, set()).add(count)
        await load.go_on()

    async def anybody() -> int:
        return await admitted(door, next(voters))

    async def shared() -> str:
        """A voter who has used the whole allowance, once all processes count together."""
        async with asyncio.timeout(PATIENCE):
            while await admitted(door, who := next(voters)) < ALLOWED:
                await asyncio.sleep(FAILURE_PAUSE)
        return who

    async def known() -> int:
        """Somebody whose allowance is used up when Redis forgets it."""
        who = await shared()
        flush(redis)
        return await admitted(door, who)

    async with load.running():
        for _ in range(rounds):
            await shared()
            redis.send(signal.SIGSTOP)
            await note("hanging", anybody)
            redis.send(signal.SIGCONT)
            await shared()
            await note("forgotten", known)
            await asyncio.to_thread(redis.stop)
            await note("gone", anybody)
            await asyncio.to_thread(redis.start)
            await shared()
    await check(url, load)
    assert load.failures() <= {UNSAVED}  # as a busy machine may say it
    assert load.transport_errors == {}
    share = {ALLOWED // PROCESSES}
    assert seen == {"hanging": share, "forgotten": {0}, "gone": share}
    record_property("acknowledged", len(load.acknowledged))
    record_property("slowest vote in s", f"{load.slowest:.2f}")
