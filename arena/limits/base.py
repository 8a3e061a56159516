"""What limits promise, and who counts as one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from ipaddress import ip_address, ip_network
from math import ceil
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from arena.terms import Voter

SOON: Final = 5
"""Seconds after which a running answer may have ended."""
FULL: Final = 0.9
"""From this part of all places on no battle begins; the rest is for those that have begun and ask on."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Prompts in a window of `seconds`, and prompts being answered at once."""

    seconds: float = 60
    prompts_per_voter: int = 20
    prompts_per_address: int = 200
    running_per_voter: int = 3
    running_per_address: int = 60
    running: int = 300

    def places(self, *, begins: bool) -> int:
        """From how many taken places on a prompt is refused, whether it begins a battle or goes on with one."""
        return ceil(self.running * FULL) if begins else self.running

    def shared(self, processes: int) -> Allowance:
        """The part of one of so many processes, at least one of each."""
        numbers = {name: getattr(self, name) for name in self.__slots__ if name != "seconds"}
        return replace(self, **{name: max(1, number // processes) for name, number in numbers.items()})


@dataclass(frozen=True, slots=True)
class Rate:
    """So many acts of one kind in so many seconds."""

    act: str
    most: int
    seconds: float

    def shared(self, processes: int) -> Rate:
        """The part of one of so many processes, at least one act."""
        return replace(self, most=max(1, self.most // processes))


class Lease(Protocol):
    """What was taken, a place or an act; `release` gives it back and may be called twice."""

    def release(self) -> None: ...


class Limits(Protocol):
    """Decides whether a voter may start another pair of answers, and how often something rarer may be done."""

    async def admit(self, voter: Voter, *, begins: bool = False) -> Lease:
        """Take a place; `begins` tells a new battle from one that goes on.

        Raises:
            RateLimited: This voter or neighbourhood must wait; carries the seconds.
            Busy: All places are taken, or so many that no battle begins.
        """
        ...

    async def count(self, rate: Rate, who: str) -> Lease:
        """Count an act of somebody's; releasing it counts it no more.

        Raises:
            RateLimited: One too many; carries the seconds.
        """
        ...

    @property
    def running(self) -> int:
        """Places that this process holds."""
        ...


@lru_cache(10_000)
def neighbourhood(address: str) -> str:
    """Who shares the lax limit of an address: its /24, or its /64, since one person may have all of either."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 6:  # noqa: PLR2004 - the name of the protocol
        found = found.ipv4_mapped or found
    return str(ip_network((found, 24 if found.version == 4 else 64), strict=False))  # noqa: PLR2004


def counted(voter: Voter) -> tuple[str, str]:
    """Under which two names a voter's prompts are counted."""
    return voter.key, neighbourhood(voter.address)
