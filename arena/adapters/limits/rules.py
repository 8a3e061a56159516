"""The rules of limits, which memory and Redis count alike: who may do how much, in which order it is checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from ipaddress import ip_address, ip_network
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from arena.domain.errors import Busy, RateLimited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arena.domain.errors import ArenaError
    from arena.domain.terms import Voter

SOON: Final = 5
"""Retry-After in seconds when capacity is exhausted."""
FULL: Final = 0.9
"""Share of the capacity that new battles may use; the rest is kept for further prompts of running ones."""
_ADDRESS: Final = Fraction(2, 3)
"""Share of the capacity that one neighbourhood may use, so that battles still begin elsewhere."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Limits on prompts in a window of `seconds`, and on prompts being answered concurrently."""

    seconds: float = 60
    prompts_per_voter: int = 20
    prompts_per_address: int = 400
    running_per_voter: int = 3
    running_per_address: int = 200
    running: int = 300

    def places(self, *, begins: bool) -> int:
        """Capacity for a prompt that begins a battle, or for one that continues it."""
        return ceil(self.running * FULL) if begins else self.running

    def shared(self, processes: int) -> Allowance:
        """The share of one of `processes` processes, at least one of each."""
        numbers = {name: getattr(self, name) for name in self.__slots__ if name != "seconds"}
        return replace(self, **{name: max(1, number // processes) for name, number in numbers.items()})


class Counter(NamedTuple):
    """One limit: at most `limit` entries of `key`.

    An entry counts for `seconds`, or, if these are None, until its lease is released; with
    `outlasts_lease` it counts for `seconds` in any case.
    """

    key: str
    limit: int
    seconds: float | None = None
    outlasts_lease: bool = False
    error: type[Busy | RateLimited] = RateLimited

    def refusal(self, wait: float) -> ArenaError:
        """The error if there are `limit` entries, of which enough end in `wait` seconds."""
        return self.error(retry_after=SOON if self.seconds is None else max(1, round(wait)))


RUNNING: Final = "running:all"
"""Key of all slots."""


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
        """The limit of one actor."""
        return (Counter(f"{self.act}:{caller}", self.limit, self.seconds),)


class Lease:
    """An acquired slot or counted act; `release` returns it, once."""

    def __init__(self, undo: Callable[[], None]) -> None:
        self._undo: Callable[[], None] | None = undo

    def release(self) -> None:
        """Return it."""
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()


class Limits(Protocol):
    """Admission of prompts, and rate limits on other acts."""

    async def admit(self, voter: Voter, *, begins: bool = False) -> Lease:
        """Acquire a slot; `begins` marks a new battle.

        Raises:
            RateLimited: This voter or neighbourhood must wait; carries the seconds.
            Busy: The capacity is exhausted, or its part for new battles.
        """
        ...

    async def count(self, rate: Rate, caller: str) -> Lease:
        """Count an act of `who`; releasing it uncounts it.

        Raises:
            RateLimited: The limit is reached; carries the seconds.
        """
        ...

    @property
    def running(self) -> int:
        """Number of slots that this process holds."""
        ...

    @property
    def crowded(self) -> bool:
        """Whether at least half of the slots that this process may count on are held."""
        ...


def share_per_address(running: int) -> int:
    """The most running prompts of one neighbourhood for a capacity of so many; at least one."""
    return max(1, int(running * _ADDRESS))


_PREFIX: Final = {4: 24, 6: 48}
"""Bits of an address by the version of IP: a provider gives a site up to a whole /48 (RFC 6177), and tunnels give one
to anybody, who would be 65,536 neighbourhoods of /64."""


@lru_cache(10_000)
def neighbourhood(address: str) -> str:
    """The /24 or /48 network of an address, which limits count as one, since one person may have all of it."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return str(ip_network((ip, _PREFIX[ip.version]), strict=False))
