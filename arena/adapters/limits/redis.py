"""Limits counted in Redis, for several processes; while Redis is down each process enforces its share.

A process also counts its own use in memory. So it never exceeds the whole allowance even if Redis has lost its data,
knows its own use when Redis goes down, and renews it in Redis when that comes back.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import astuple, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import RedisError

from arena.adapters.limits.interface import SOON, Allowance, Lease, Rate, counted
from arena.adapters.limits.lua import ADMIT, COUNT, RENEW
from arena.adapters.limits.memory import MemoryLimits
from arena.domain.errors import Busy, RateLimited

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine

    from arena.domain.terms import Voter

log = logging.getLogger(__name__)

LIFE: Final = 20.0
"""Seconds after which a slot that is not renewed expires."""
BEAT: Final = 5.0
"""Seconds between two renewals of all held slots."""
PATIENCE: Final = 0.25
"""Timeout of one Redis command in seconds."""
REST: Final = 2.0
"""Seconds without commands after Redis failed."""
CONNECTIONS: Final = 16
_GONE: Final = (RedisError, OSError, TimeoutError)


@dataclass(slots=True)
class _Place:
    limits: RedisLimits
    token: str
    own: Lease

    def release(self) -> None:
        self.own.release()
        self.limits.leave(self.token)


@dataclass(slots=True)
class _Act:
    limits: RedisLimits
    key: str
    token: str
    own: Lease

    def release(self) -> None:
        self.own.release()
        self.limits.forget([self.key], self.token)


@dataclass(slots=True)
class RedisLimits:
    """Counts in Redis; `processes` share the allowance while it is down.

    `clock` gives this process's monotonic seconds, `shared` those of all processes, by default the Redis server's.
    """

    client: Redis
    allowance: Allowance
    processes: int
    clock: Callable[[], float] = time.monotonic
    shared: Callable[[], float] | None = None
    _own: MemoryLimits = field(init=False)
    _held: dict[str, Voter] = field(default_factory=dict[str, "Voter"])
    _tasks: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])
    _rests_until: float = float("-inf")

    def __post_init__(self) -> None:
        self._own = MemoryLimits(self.allowance, self.clock)

    @property
    def running(self) -> int:
        return self._own.running

    async def admit(self, voter: Voter, *, begins: bool = False) -> Lease:
        self._own.check(voter, self.allowance, begins=begins)
        token = secrets.token_hex(8)
        answer = await self._asked(self._admit(voter, token, begins=begins))
        if answer is None:
            self._own.check(voter, self.allowance.shared(self.processes), begins=begins)
        else:
            _obey(answer)
        self._held[token] = voter
        return _Place(self, token, self._own.take(voter))

    async def count(self, rate: Rate, who: str) -> Lease:
        self._own.check_act(rate, who)
        key, token = f"{{arena}}:{rate.act}:{who}", secrets.token_hex(8)
        answer = await self._asked(self._script(COUNT, [key], [token, rate.seconds, rate.most]))
        if answer is None:
            self._own.check_act(rate.shared(self.processes), who)
        else:
            _obey(answer)
        return _Act(self, key, token, self._own.take_act(rate, who))

    def leave(self, token: str) -> None:
        """Return a slot; called by its lease."""
        if (voter := self._held.pop(token, None)) is not None:
            self.forget(_running(voter), token)

    def forget(self, keys: list[str], token: str) -> None:
        """Remove `token` from Redis in the background."""
        task = asyncio.get_running_loop().create_task(self._forget(keys, token))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def renew(self) -> None:
        """Renew all slots held by this process."""
        if held := dict(self._held):
            keys = [key for voter in held.values() for key in _running(voter)]
            await self._asked(self._script(RENEW, keys, [LIFE, *held]))

    async def beat(self) -> None:
        """Renew until cancelled."""
        while True:
            await asyncio.sleep(BEAT)
            await self.renew()

    async def settle(self) -> None:
        """Wait for pending removals."""
        await asyncio.gather(*self._tasks)

    def _admit(self, voter: Voter, token: str, *, begins: bool) -> Coroutine[Any, Any, list[Any]]:
        allowance = replace(self.allowance, running=self.allowance.places(begins=begins))
        window, *most = astuple(allowance)
        keys = [*(f"{{arena}}:asked:{who}" for who in counted(voter)), *_running(voter)]
        return self._script(ADMIT, keys, [token, window, LIFE, *most])

    async def _script(self, text: str, keys: list[str], arguments: list[Any]) -> list[Any]:
        now = "" if self.shared is None else self.shared()
        run = self.client.register_script(text)
        return cast("list[Any]", await run(keys=keys, args=[now, *arguments]))

    async def _forget(self, keys: list[str], token: str) -> None:
        async with self.client.pipeline(transaction=False) as pipeline:
            for key in keys:
                pipeline.zrem(key, token)
            await self._asked(pipeline.execute())

    async def _asked(self, question: Coroutine[Any, Any, list[Any]]) -> list[Any] | None:
        """The answer of Redis, or None if it fails; it then gets no commands for `REST` seconds."""
        if self.clock() < self._rests_until:
            question.close()
            return None
        try:
            return await question
        except _GONE as error:
            if self.clock() >= self._rests_until:
                log.warning("Redis does not answer; limits are counted per process: %s", error)
            self._rests_until = self.clock() + REST
            return None


@asynccontextmanager
async def opened(url: str, allowance: Allowance, processes: int) -> AsyncGenerator[RedisLimits]:
    """Limits in the Redis at `url`, which need not be reachable yet."""
    async with connected(url) as client:
        limits = RedisLimits(client, allowance, processes)
        beating = asyncio.create_task(limits.beat())
        try:
            yield limits
        finally:
            beating.cancel()
            with suppress(asyncio.CancelledError):
                await beating
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


def _obey(answer: list[Any]) -> None:
    """Raise the error that a script returned.

    Raises:
        RateLimited, Busy: As in `admit`.
    """
    if answer[0] == b"busy":
        raise Busy(retry_after=SOON)
    if answer[0] == b"limited":
        raise RateLimited(retry_after=answer[1] or SOON)


def _running(voter: Voter) -> list[str]:
    """Keys of running slots; the hash tag in braces keeps them on one node of a cluster."""
    return [f"{{arena}}:running:{who}" for who in (*counted(voter), "all")]
