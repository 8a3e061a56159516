"""Limits counted in Redis, for several processes; while Redis is down each process enforces its share.

A process also counts its own use in memory. So it never exceeds the whole allowance even if Redis has lost its data,
knows its use when Redis fails, and renews its slots in Redis afterwards. In Redis the entries of a limit are a sorted
set of tokens by their end; a slot ends unless its process renews it. The clock is that of the Redis server.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import RedisError

from arena.adapters.limits.memory import MemoryLimits
from arena.adapters.limits.rules import Allowance, Lease, Rate, prompt_counters

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence

    from arena.adapters.limits.rules import Counter
    from arena.domain.terms import Voter

log = logging.getLogger(__name__)
T = TypeVar("T")

LIFE: Final = 20.0
"""Seconds after which a slot that is not renewed expires."""
BEAT: Final = 5.0
"""Seconds between two renewals of all slots."""
PATIENCE: Final = 0.25
"""Timeout of one Redis command in seconds."""
FAILURE_PAUSE: Final = 2.0
"""Seconds without commands after a failure of Redis."""
CONNECTIONS: Final = 16
_FAILURES: Final = (RedisError, OSError, TimeoutError)
_NOW: Final = """
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] + time[2] / 1000000
end
local function hold(key, seconds, token)
  redis.call('ZADD', key, now + seconds, token)
  redis.call('PEXPIRE', key, math.ceil(seconds * 1000))
end
"""
_TAKE: Final = (
    _NOW
    + """
-- KEYS: one for each limit. ARGV: clock, token, then for each limit the most entries and the seconds of an entry.
-- Returns the number of the first limit that is reached, or 0, and the seconds until an entry is free.
-- An entry that ends later than a new one would was counted before the clock was set back.
for index, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  local seconds = tonumber(ARGV[2 * index + 2])
  for _, entry in ipairs(redis.call('ZRANGEBYSCORE', key, now + seconds + 1, '+inf')) do hold(key, seconds, entry) end
  local entries, most = redis.call('ZCARD', key), tonumber(ARGV[2 * index + 1])
  if entries >= most then
    local ends = redis.call('ZRANGE', key, entries - most, entries - most, 'WITHSCORES')[2]
    return {index, tostring(ends - now)}
  end
end
for index, key in ipairs(KEYS) do hold(key, tonumber(ARGV[2 * index + 2]), ARGV[2]) end
return {0, '0'}
"""
)
_RENEW: Final = (
    _NOW
    + """
-- KEYS: those of slots. ARGV: clock, seconds of a slot, the token of each key.
for index, key in ipairs(KEYS) do hold(key, tonumber(ARGV[2]), ARGV[2 + index]) end
"""
)


@dataclass(slots=True)
class RedisLimits:
    """Limits of several processes; `processes` share the allowance while Redis is down.

    `clock` returns monotonic seconds of this process, `shared` those of all processes, by default the Redis server's.
    """

    client: Redis
    allowance: Allowance
    processes: int
    clock: Callable[[], float] = time.monotonic
    shared: Callable[[], float] | None = None
    _own: MemoryLimits = field(init=False)
    _slots: dict[str, list[str]] = field(default_factory=dict[str, "list[str]"])
    """Keys of this process's slots, by token."""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])
    _rests_until: float = float("-inf")

    def __post_init__(self) -> None:
        self._own = MemoryLimits(self.allowance, self.clock)

    @property
    def running(self) -> int:
        return self._own.running

    async def admit(self, voter: Voter, *, begins: bool = False) -> Lease:
        share = self.allowance.shared(self.processes)
        counters = prompt_counters(voter, self.allowance, begins=begins)
        return await self._acquire(counters, prompt_counters(voter, share, begins=begins))

    async def count(self, rate: Rate, caller: str) -> Lease:
        return await self._acquire(rate.counters(caller), rate.shared(self.processes).counters(caller))

    @property
    def crowded(self) -> bool:
        return 2 * self.running * self.processes >= self.allowance.running

    async def renew(self) -> None:
        """Renew all slots of this process."""
        if self._slots:
            pairs = [(key, token) for token, keys in self._slots.items() for key in keys]
            await self._answer(self._run(_RENEW, [key for key, _ in pairs], [LIFE, *(token for _, token in pairs)]))

    async def settle(self) -> None:
        """Wait for pending removals."""
        await asyncio.gather(*self._tasks)

    async def _acquire(self, counters: Sequence[Counter], share: Sequence[Counter]) -> Lease:
        """Count an entry of each limit here and in Redis; without Redis `share` has this process's limits."""
        self._own.check(counters)
        token = secrets.token_hex(8)
        limits = [value for counter in counters for value in (counter.limit, counter.seconds or LIFE)]
        answer = await self._answer(self._run(_TAKE, list(map(_key, counters)), [token, *limits]))
        if answer is None:
            self._own.check(share)
        elif answer[0]:
            raise counters[answer[0] - 1].refusal(float(answer[1]))
        if slots := [_key(counter) for counter in counters if counter.seconds is None]:
            self._slots[token] = slots
        local, keys = self._own.take(counters), [_key(counter) for counter in counters if not counter.outlasts_lease]
        return Lease(partial(self._release, local, keys, token))

    def _release(self, local: Lease, keys: Sequence[str], token: str) -> None:
        """Remove an entry here at once, and from Redis in the background."""
        local.release()
        self._slots.pop(token, None)
        task = asyncio.get_running_loop().create_task(self._remove(keys, token))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _remove(self, keys: Sequence[str], token: str) -> None:
        async with self.client.pipeline(transaction=False) as pipeline:
            for key in keys:
                pipeline.zrem(key, token)
            await self._answer(pipeline.execute())

    async def _run(self, script: str, keys: list[str], arguments: Sequence[str | float]) -> tuple[int, bytes]:
        now = "" if self.shared is None else self.shared()
        run = self.client.register_script(script)
        return cast("tuple[int, bytes]", await run(keys=keys, args=[now, *arguments]))

    async def _answer(self, question: Coroutine[None, None, T]) -> T | None:
        """The answer of Redis, or None if it fails, after which it gets no commands for `FAILURE_PAUSE` seconds."""
        if self.clock() < self._rests_until:
            question.close()
            return None
        try:
            return await question
        except _FAILURES as error:
            if self.clock() >= self._rests_until:
                log.warning("Redis does not answer; limits are counted per process: %s", error)
            self._rests_until = self.clock() + FAILURE_PAUSE
            return None


@asynccontextmanager
async def opened(url: str, allowance: Allowance, processes: int) -> AsyncGenerator[RedisLimits]:
    """Limits in the Redis at `url`, which may be unreachable; the block has to call `renew` every `BEAT` seconds."""
    async with connected(url) as client:
        limits = RedisLimits(client, allowance, processes)
        try:
            yield limits
        finally:
            await limits.settle()


def connected(url: str) -> Redis:
    """A client with short timeouts."""
    pool = BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] - its options have no types
        url,
        max_connections=CONNECTIONS,
        timeout=PATIENCE,
        socket_timeout=PATIENCE,
        socket_connect_timeout=PATIENCE,
        retry=Retry(NoBackoff(), 1, supported_errors=(ConnectionLost,)),
    )
    return Redis.from_pool(pool)


def _key(counter: Counter) -> str:
    """The key of a limit; the hash tag in braces puts all keys on one node of a cluster."""
    return f"{{arena}}:{counter.key}"
