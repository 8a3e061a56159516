"""The twin that counts in memory, for one process."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.errors import Busy, RateLimited
from arena.limits.base import SOON, Allowance, Lease, counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.terms import Voter


@dataclass(slots=True)
class _Place:
    limits: MemoryLimits
    voter: Voter
    held: bool = True

    def release(self) -> None:
        if self.held:
            self.held = False
            self.limits.leave(self.voter)


@dataclass(slots=True)
class MemoryLimits:
    """Counts in this process; `clock` gives monotonic seconds."""

    allowance: Allowance
    clock: Callable[[], float]
    _recent: dict[str, deque[float]] = field(default_factory=dict[str, "deque[float]"])
    _running: dict[str, int] = field(default_factory=dict[str, int])
    _all: int = 0
    _swept: float = 0.0

    async def admit(self, voter: Voter) -> Lease:
        self.check(voter, self.allowance)
        return self.take(voter)

    def check(self, voter: Voter, limit: Allowance) -> None:
        """Refuse who has reached `limit`; nothing is counted.

        Raises:
            RateLimited, Busy: As `admit`.
        """
        self._sweep()
        if self._all >= limit.running:
            raise Busy(retry_after=SOON)
        voters, neighbours = counted(voter)
        self._check(voters, limit.prompts_per_voter, limit.running_per_voter)
        self._check(neighbours, limit.prompts_per_address, limit.running_per_address)

    def take(self, voter: Voter) -> Lease:
        """Count a prompt and a place."""
        for who in counted(voter):
            self._recent.setdefault(who, deque()).append(self.clock())
            self._running[who] = self._running.get(who, 0) + 1
        self._all += 1
        return _Place(self, voter)

    def leave(self, voter: Voter) -> None:
        """Give a place back; called by its lease."""
        self._all -= 1
        for who in counted(voter):
            left = self._running[who] - 1
            if left:
                self._running[who] = left
            else:
                del self._running[who]

    def _check(self, who: str, prompts: int, running: int) -> None:
        recent = self._forget_old(who)
        if len(recent) >= prompts:
            raise RateLimited(retry_after=max(1, round(recent[0] + self.allowance.seconds - self.clock())))
        if self._running.get(who, 0) >= running:
            raise RateLimited(retry_after=SOON)

    def _forget_old(self, who: str) -> deque[float]:
        """Drop moments before the window, and whoever has none left, so that memory follows the load."""
        recent = self._recent.get(who, deque())
        while recent and recent[0] <= self.clock() - self.allowance.seconds:
            recent.popleft()
        if not recent:
            self._recent.pop(who, None)
        return recent

    def _sweep(self) -> None:
        """Once a window, forget everybody whose prompts lie before it."""
        if self.clock() - self._swept >= self.allowance.seconds:
            self._swept = self.clock()
            for who in list(self._recent):
                self._forget_old(who)
