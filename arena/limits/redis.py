"""The twin that counts in Redis, for many processes; without it each goes on with a stricter share of its own.

A process also counts its own in memory. So it never gives more than the whole allowance when Redis has forgotten
everything, knows at once what it holds when Redis goes away, and tells Redis again what it holds when it comes back.
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

from arena.errors import Busy, RateLimited
from arena.limits.base import SOON, Allowance, Lease, Rate, counted
from arena.limits.memory import MemoryLimits
from arena.limits.scripts import ADMIT, COUNT, RENEW

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine

    from arena.terms import Voter

log = logging.getLogger(__name__)

LIFE: Final = 20.0
"""Seconds after which the place of a process that died is free."""
BEAT: Final = 5.0
"""Seconds between two renewals of all places that are held."""
PATIENCE: Final = 0.25
"""Seconds for one answer of Redis."""
REST: Final = 2.0
"""Seconds during which Redis is not asked after it failed."""
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
    """Counts in Redis; `processes` share the allowance while it is away.

    `clock` gives this process's monotonic seconds, `shared` those of all processes, which is the server's unless given.
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
        """Give a place back; called by its lease."""
        if (voter := self._held.pop(token, None)) is not None:
            self.forget(_running(voter), token)

    def forget(self, keys: list[str], token: str) -> None:
        """Let Redis know, a moment later, that `token` no longer counts."""
        task = asyncio.get_running_loop().create_task(self._forget(keys, token))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def renew(self) -> None:
        """Tell Redis what is held here."""
        if held := dict(self._held):
            keys = [key for voter in held.values() for key in _running(voter)]
            await self._asked(self._script(RENEW, keys, [LIFE, *held]))

    async def beat(self) -> None:
        """Renew until cancelled."""
        while True:
            await asyncio.sleep(BEAT)
            await self.renew()

    async def settle(self) -> None:
        """Wait for what was given back to be told."""
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
        """The answer of Redis, or None where it has none; then it is left alone for a while."""
        if self.clock() < self._rests_until:
            question.close()
            return None
        try:
            return await question
        except _GONE as error:
            if self.clock() >= self._rests_until:
                log.warning("Redis does not answer, limits are counted per process: %s", error)
            self._rests_until = self.clock() + REST
            return None


@asynccontextmanager
async def opened(url: str, allowance: Allowance, processes: int) -> AsyncGenerator[RedisLimits]:
    """Limits in the Redis at `url`, which need not answer yet."""
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
    """A client that is never waited for long."""
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
    """Refuse where Redis does.

    Raises:
        RateLimited, Busy: As `admit`.
    """
    if answer[0] == b"busy":
        raise Busy(retry_after=SOON)
    if answer[0] == b"limited":
        raise RateLimited(retry_after=answer[1] or SOON)


def _running(voter: Voter) -> list[str]:
    """The braces keep all keys on one node of a cluster."""
    return [f"{{arena}}:running:{who}" for who in (*counted(voter), "all")]
