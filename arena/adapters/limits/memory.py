"""Limits counted in memory, for one process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.adapters.limits.interface import SOON, Allowance, Lease, Rate, counted
from arena.adapters.limits.window import Window
from arena.domain.errors import Busy, RateLimited

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.domain.terms import Voter


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
class _Act:
    window: Window
    who: str
    stands: bool = True

    def release(self) -> None:
        if self.stands:
            self.stands = False
            self.window.undo(self.who)


@dataclass(slots=True)
class MemoryLimits:
    """Counts in this process; `clock` gives monotonic seconds."""

    allowance: Allowance
    clock: Callable[[], float]
    running: int = 0
    _asked: Window = field(init=False)
    _acts: dict[str, Window] = field(default_factory=dict[str, Window])
    _running: dict[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        self._asked = Window(self.allowance.seconds, self.clock)

    async def admit(self, voter: Voter, *, begins: bool = False) -> Lease:
        self.check(voter, self.allowance, begins=begins)
        return self.take(voter)

    async def count(self, rate: Rate, who: str) -> Lease:
        self.check_act(rate, who)
        return self.take_act(rate, who)

    def check(self, voter: Voter, limit: Allowance, *, begins: bool) -> None:
        """Check that this voter has not reached `limit`; nothing is counted.

        Raises:
            RateLimited, Busy: As in `admit`.
        """
        if self.running >= limit.places(begins=begins):
            raise Busy(retry_after=SOON)
        voters, neighbours = counted(voter)
        self._check(voters, limit.prompts_per_voter, limit.running_per_voter)
        self._check(neighbours, limit.prompts_per_address, limit.running_per_address)

    def take(self, voter: Voter) -> Lease:
        """Count a prompt and a slot."""
        for who in counted(voter):
            self._asked.take(who)
            self._running[who] = self._running.get(who, 0) + 1
        self.running += 1
        return _Place(self, voter)

    def leave(self, voter: Voter) -> None:
        """Return a slot; called by its lease."""
        self.running -= 1
        for who in counted(voter):
            left = self._running[who] - 1
            if left:
                self._running[who] = left
            else:
                del self._running[who]

    def check_act(self, rate: Rate, who: str) -> None:
        """Check that an act is within its limit; nothing is counted.

        Raises:
            RateLimited: As in `count`.
        """
        self._window(rate).check(who, rate.most)

    def take_act(self, rate: Rate, who: str) -> Lease:
        """Count an act."""
        window = self._window(rate)
        window.take(who)
        return _Act(window, who)

    def _window(self, rate: Rate) -> Window:
        return self._acts.setdefault(rate.act, Window(rate.seconds, self.clock))

    def _check(self, who: str, prompts: int, running: int) -> None:
        self._asked.check(who, prompts)
        if self._running.get(who, 0) >= running:
            raise RateLimited(retry_after=SOON)
