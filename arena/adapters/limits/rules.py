"""The rules of limits, common to memory and Redis: allowances, and the order of the checks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from ipaddress import ip_address, ip_network
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from arena.domain.errors import RETRY_SECONDS, Busy, RateLimited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arena.domain.errors import ArenaError
    from arena.domain.terms import Voter

MAX_BEGINNING_SHARE: Final = 0.9
"""Share of the capacity for prompts that begin a battle; the rest is for further prompts of running ones."""
_ADDRESS: Final = Fraction(2, 3)
"""Largest share of the capacity for one neighbourhood, so that others can begin battles too."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Limits on prompts in a window of `seconds`, and on prompts whose answers are running."""

    seconds: float = 60
    prompts_per_voter: int = 20
    prompts_per_address: int = 400
    running_per_voter: int = 3
    running_per_address: int = 200
    running: int = 300

    def places(self, *, begins: bool) -> int:
        """Capacity for a prompt that begins a battle, or for one that continues it."""
        return ceil(self.running * MAX_BEGINNING_SHARE) if begins else self.running

    def shared(self, processes: int) -> Allowance:
        """The share of one of `processes` processes; each limit is at least 1."""
        numbers = {name: getattr(self, name) for name in self.__slots__ if name != "seconds"}
        return replace(self, **{name: max(1, number // processes) for name, number in numbers.items()})


class Counter(NamedTuple):
    """One limit: at most `limit` entries of `key`.

    An entry counts until its lease is released or `seconds` are over, None meaning no end; with `outlasts_lease` the
    release does not end it.
    """

    key: str
    limit: int
    seconds: float | None = None
    outlasts_lease: bool = False
    error: type[Busy | RateLimited] = RateLimited

    def refusal(self, wait: float) -> ArenaError:
        """The error if the limit is reached; `wait` is the seconds until an entry is free."""
        return self.error(retry_after=RETRY_SECONDS if self.seconds is None else max(1, round(wait)))


RUNNING: Final = "running:all"
"""Key of the limit on all slots."""


def prompt_counters(voter: Voter, limit: Allowance, *, begins: bool) -> Sequence[Counter]:
    """The limits of a prompt, in the order in which they are checked."""
    place, seconds = neighbourhood(voter.address), limit.seconds
    return (
        Counter(RUNNING, limit.places(begins=begins), error=Busy),
        Counter(f"asked:{voter.key}", limit.prompts_per_voter, seconds, outlasts_lease=True),
        Counter(f"running:{voter.key}", limit.running_per_voter),
        Counter(f"asked:{place}", limit.prompts_per_address, seconds, outlasts_lease=True),
        Counter(f"running:{place}", limit.running_per_address),
    )


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate limit: at most `limit` acts of one kind in `seconds`."""

    act: str
    limit: int
    seconds: float

    def shared(self, processes: int) -> Rate:
        """The share of one of `processes` processes, at least one act."""
        return replace(self, limit=max(1, self.limit // processes))

    def counters(self, caller: str) -> Sequence[Counter]:
        """The limit for one caller."""
        return (Counter(f"{self.act}:{caller}", self.limit, self.seconds),)


class Lease:
    """An acquired slot or a counted act, which `release` gives back."""

    def __init__(self, undo: Callable[[], None]) -> None:
        self._undo: Callable[[], None] | None = undo

    def release(self) -> None:
        """Give it back; further calls do nothing."""
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()


class Limits(Protocol):
    """Admission of prompts, and rate limits on other acts."""

    async def admit(self, voter: Voter, *, begins: bool = False) -> Lease:
        """Acquire a slot; `begins` marks a new battle.

        Raises:
            RateLimited: This voter or neighbourhood must wait; has the seconds.
            Busy: The capacity is exhausted, or its part for new battles.
        """
        ...

    async def count(self, rate: Rate, caller: str) -> Lease:
        """Count an act of `caller`; releasing the lease uncounts it.

        Raises:
            RateLimited: The limit is reached; has the seconds to wait.
        """
        ...

    @property
    def running(self) -> int:
        """Number of this process's slots in use."""
        ...

    @property
    def crowded(self) -> bool:
        """Whether at least half of this process's share of all slots is in use."""
        ...


def share_per_address(running: int) -> int:
    """The most running prompts of one neighbourhood for a capacity of `running`; at least one."""
    return max(1, int(running * _ADDRESS))


_PREFIX: Final = {4: 24, 6: 48}
"""Bits of a neighbourhood by IP version. A site may have a whole /48 (RFC 6177), and tunnels give one to anybody: with
prefixes of 64 bits that would be 65,536 neighbourhoods."""


@lru_cache(10_000)
def neighbourhood(address: str) -> str:
    """The /24 or /48 network of an address, all of which one person may have; a text that is no address, unchanged."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return str(ip_network((ip, _PREFIX[ip.version]), strict=False))
