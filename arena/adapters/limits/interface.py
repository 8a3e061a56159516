"""The interface of limits, and the neighbourhood of an address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from ipaddress import ip_address, ip_network
from math import ceil
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
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


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate limit: at most `most` acts of one kind in `seconds`."""

    act: str
    most: int
    seconds: float

    def shared(self, processes: int) -> Rate:
        """The share of one of `processes` processes, at least one act."""
        return replace(self, most=max(1, self.most // processes))


class Lease(Protocol):
    """An acquired slot or counted act; `release` returns it and is idempotent."""

    def release(self) -> None: ...


class Limits(Protocol):
    """Admission of prompts, and rate limits on other acts."""

    async def admit(self, voter: Voter, *, begins: bool = False) -> Lease:
        """Acquire a slot; `begins` marks a new battle.

        Raises:
            RateLimited: This voter or neighbourhood must wait; carries the seconds.
            Busy: The capacity is exhausted, or its part for new battles.
        """
        ...

    async def count(self, rate: Rate, who: str) -> Lease:
        """Count an act of `who`; releasing it uncounts it.

        Raises:
            RateLimited: The limit is reached; carries the seconds.
        """
        ...

    @property
    def running(self) -> int:
        """Number of slots that this process holds."""
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
        found = ip_address(address)
    except ValueError:
        return address
    found = getattr(found, "ipv4_mapped", None) or found
    return str(ip_network((found, _PREFIX[found.version]), strict=False))


def counted(voter: Voter) -> tuple[str, str]:
    """The two keys under which a voter's prompts are counted: voter key and neighbourhood."""
    return voter.key, neighbourhood(voter.address)
