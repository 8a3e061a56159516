"""What limits promise, and who counts as one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from arena.terms import Voter

SOON: Final = 5
"""Seconds after which a running answer may have ended."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Prompts in a window of `seconds`, and prompts being answered at once."""

    seconds: float = 60
    prompts_per_voter: int = 20
    prompts_per_address: int = 200
    running_per_voter: int = 3
    running_per_address: int = 60
    running: int = 300

    def shared(self, processes: int) -> Allowance:
        """The part of one of so many processes, at least one of each."""
        numbers = {name: getattr(self, name) for name in self.__slots__ if name != "seconds"}
        return replace(self, **{name: max(1, number // processes) for name, number in numbers.items()})


class Lease(Protocol):
    """A place taken; `release` gives it back and may be called twice."""

    def release(self) -> None: ...


class Limits(Protocol):
    """Decides whether a voter may start another pair of answers."""

    async def admit(self, voter: Voter) -> Lease:
        """Take a place.

        Raises:
            RateLimited: This voter or neighbourhood must wait; carries the seconds.
            Busy: All places are taken.
        """
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
