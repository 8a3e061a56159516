"""The runtime of battles and chats in one process, in memory only; the database has all durable state."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from datetime import timedelta
from functools import wraps
from random import SystemRandom
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar

from arena.adapters.background import repeat
from arena.adapters.breaker import BreakerRules, CircuitBreakers
from arena.adapters.limits import UNBOUNDED
from arena.adapters.store import site as stored
from arena.adapters.store.conversations import CHATS
from arena.adapters.store.votes import VoteCounts
from arena.calls.caller import Caller
from arena.domain.blinding.pacing import SHOW_TIME
from arena.domain.errors import ShuttingDown
from arena.domain.site import OperatedSite
from arena.usecases.battles.followed_pace import FollowedPace
from arena.usecases.battles.frame_clock import FrameClock
from arena.usecases.battles.pool import FollowedPairTable, FollowedPool
from arena_providers.base import SCRIPTED, SelectiveProvider
from arena_providers.deadlines import TimeLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from datetime import datetime
    from random import Random

    from arena.adapters.breaker import Call
    from arena.adapters.limits import Bounds, Limits
    from arena.adapters.log_files import LogFiles
    from arena.adapters.store.conversations import AnyKind
    from arena.adapters.store.engine import Database
    from arena.calls.targets import Keys
    from arena.domain.terms import Side
    from arena.usecases.battles.feed import Feed
    from arena_providers.base import Provider
    from arena_trust.tlog.keys import Signer

P = ParamSpec("P")
T = TypeVar("T")
SITE_PAUSE: Final = 2.0
"""Seconds between two reads of the operator's site."""


@dataclass(slots=True)
class FollowedSite:
    """The operator's site as this process has read it last."""

    current: OperatedSite = field(default_factory=OperatedSite)

    async def follow(self, database: Database) -> None:
        """Keep the site up to date until cancelled; it does not change while the database is away."""
        await repeat(lambda: self.look(database), pause=SITE_PAUSE, failure="the operator's site cannot be read")

    async def look(self, database: Database) -> None:
        """Read the site."""
        self.current = await database.read(stored.load)


@dataclass(slots=True)
class Run:
    """A running turn: the feed of its readers, its calls to the endpoints, and an event that stops it.

    `holder` is the kind of its conversation and the key of the voter, who alone may follow it.
    """

    feed: Feed
    calls: dict[Side, Call]
    holder: tuple[AnyKind, str]
    clock: FrameClock = field(default_factory=FrameClock)
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    shown_at: datetime | None = None
    """The time at which the first text was shown."""
    task: asyncio.Task[None] | None = None


@dataclass(slots=True)
class Runtime:
    """The running turns, which do not depend on a request, so that readers may leave and return, and what they need.

    `terms` is the version of the arena's own terms, which a voter accepts with the first prompt; 0 is none.
    """

    database: Database
    providers: Mapping[str, Provider]
    limits: Limits
    keys: Keys
    now: Callable[[], datetime]
    pace: FollowedPace = field(default_factory=FollowedPace)
    times: TimeLimits = field(default_factory=TimeLimits)
    rng: Random = field(default_factory=SystemRandom)
    reasoning: bool = False
    """Whether reasoning that endpoints send with their answers is stored, to be shown after the vote."""
    process: str = ""
    """The address at which other processes of the same arena reach this one; empty if there are none."""
    presence: str = ""
    """The name of this process among those that may share the database; empty if it has the database for itself."""
    terms: int = 0
    bounds: Bounds = UNBOUNDED
    """Daily limits of a neighbourhood of addresses, the reading speed and the bot check, by which votes count."""
    breakers: CircuitBreakers = field(default_factory=lambda: CircuitBreakers(BreakerRules(), time.monotonic))
    chat_breakers: CircuitBreakers = field(
        default_factory=lambda: CircuitBreakers(BreakerRules(), time.monotonic, "chats")
    )
    """Breakers of chats, apart from those of battles: a chat names its models, so it must not show failed battles."""
    pairs: FollowedPairTable = field(default_factory=FollowedPairTable)
    """The pair table for draws; without a fresh one, pairs are drawn by weight alone."""
    site: FollowedSite = field(default_factory=FollowedSite)
    """Settings and pages of the operator."""
    pool: FollowedPool = field(default_factory=FollowedPool)
    """The endpoints that may be drawn for battles."""
    vote_counts: VoteCounts = field(default_factory=VoteCounts)
    """The counted votes on all endpoints, for the operator's list."""
    promises: Signer | None = None
    """The key that signs promises that a vote will be in the transparency log, if there is one."""
    log: LogFiles | None = None
    """The files of the transparency log, if this process has them."""
    new_id: Callable[[], str] = lambda: secrets.token_urlsafe(16)
    runs: dict[str, Run] = field(default_factory=dict[str, Run])
    closing: bool = False
    _tasks: set[asyncio.Task[object]] = field(default_factory=set["asyncio.Task[object]"])

    @property
    def name(self) -> str | None:
        """The name of this process in the turns that it runs."""
        return self.presence or self.process or None

    @property
    def asked_terms(self) -> int:
        """The version of the terms that voters have to accept now: the operator's, if it is newer than `terms`."""
        return self.terms and max(self.terms, self.site.current.terms)

    @property
    def script(self) -> SelectiveProvider | None:
        """The script of the practice models, which knows what it can answer; None if there is none."""
        provider = self.providers.get(SCRIPTED)
        return provider if isinstance(provider, SelectiveProvider) else None

    @property
    def caller(self) -> Caller:
        """A caller of endpoints outside battles and chats."""
        return Caller(self.database, self.providers, self.keys, self.now, self.times)

    def breakers_of(self, kind: AnyKind) -> CircuitBreakers:
        """The circuit breakers of conversations of this kind."""
        return self.chat_breakers if kind is CHATS else self.breakers

    def check_open(self) -> None:
        """Raise ShuttingDown if the server is shutting down."""
        if self.closing:
            raise ShuttingDown(retry_after=5)

    def deadline(self, start: datetime) -> datetime:
        """The time from which on the sweeper fails a turn that was started at `start`."""
        return start + timedelta(seconds=self.times.total + SHOW_TIME)

    def feed(self, conversation_id: str) -> Feed | None:
        """The feed of a conversation's running turn."""
        run = self.runs.get(conversation_id)
        return run.feed if run else None

    def spawn(self, work: Coroutine[None, None, T]) -> asyncio.Task[T]:
        """Run `work` in a task that does not end with the request."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self, grace: float) -> None:
        """Take no more work, wait `grace` seconds for running turns, then cancel them, which still ends their feeds."""
        self.closing = True
        clock = asyncio.get_running_loop().time
        end = clock() + grace
        # In a loop, since an act that opens a battle may still add a task.
        while self._tasks and (seconds := end - clock()) > 0:
            await asyncio.wait(self._tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def shielded(
    act: Callable[Concatenate[Runtime, P], Coroutine[None, None, T]],
) -> Callable[Concatenate[Runtime, P], Coroutine[None, None, T]]:
    """Run an act in a task of the runtime, so that it is completed even if its caller is cancelled."""

    @wraps(act)
    async def run(runtime: Runtime, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.shield(runtime.spawn(act(runtime, *args, **kwargs)))

    return run
