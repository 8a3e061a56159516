"""What battles need while they run in one process, handed down by a door; it holds no truth the database lacks."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from random import SystemRandom
from typing import TYPE_CHECKING

from arena.calls import Caller
from arena.errors import ShuttingDown
from arena.health import Health, Rules
from arena.providers.deadlines import TimeLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from datetime import datetime
    from random import Random
    from typing import Any, TypeVar

    from arena.battles.feeds import Feed
    from arena.health import Call
    from arena.limits import Limits
    from arena.providers.base import Provider
    from arena.store.engine import Database
    from arena.targets import Keys
    from arena.terms import Side

    T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pace:
    """The common clock of both sides: seconds between frames, and characters per side and frame."""

    interval: float = 0.1
    characters: int = 24


@dataclass(slots=True)
class Run:
    """One turn being answered: what its readers follow, its places at both endpoints, and the wish to stop it."""

    feed: Feed
    calls: dict[Side, Call]
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


@dataclass(slots=True)
class Stage:
    """Where battles run. Runs belong to the stage and not to a request, so a reader may leave and come back.

    `terms` is the version of the terms that a voter accepts with the first prompt; 0 asks for none.
    """

    database: Database
    providers: Mapping[str, Provider]
    limits: Limits
    keys: Keys
    now: Callable[[], datetime]
    pace: Pace = field(default_factory=Pace)
    times: TimeLimits = field(default_factory=TimeLimits)
    rng: Random = field(default_factory=SystemRandom)
    reasoning: bool = False
    """Whether what endpoints think beside their answers is kept, to be shown after the vote."""
    process: str = ""
    """Where the other processes that serve the same arena reach this one; empty if there are none."""
    terms: int = 0
    health: Health = field(default_factory=lambda: Health(Rules(), time.monotonic))
    new_id: Callable[[], str] = lambda: secrets.token_urlsafe(16)
    runs: dict[str, Run] = field(default_factory=dict[str, Run])
    closing: bool = False
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set["asyncio.Task[Any]"])

    @property
    def caller(self) -> Caller:
        """What calls outside battles take."""
        return Caller(self.database, self.providers, self.keys, self.now, self.times)

    def check_open(self) -> None:
        """Refuse new work once the server is going down."""
        if self.closing:
            raise ShuttingDown(retry_after=5)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run `work` to its end, whatever becomes of the request that asked for it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self, grace: float) -> None:
        """Take no more work, give the running turns `grace` seconds, then end them; each still tells its readers."""
        self.closing = True
        clock = asyncio.get_running_loop().time
        end = clock() + grace
        # A battle that was being opened becomes a run only now, so the set is looked at again.
        while self._tasks and (left := end - clock()) > 0:
            await asyncio.wait(self._tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
