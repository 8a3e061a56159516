"""The interface of bot checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import date

    from arena.domain.terms import BotVerdict

Challenge = dict[str, object]
"""A challenge as a JSON object."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The verdict on an answer; `challenge` identifies its challenge, which can be answered only once."""

    challenge: str
    verdict: BotVerdict


class BotCheck(Protocol):
    """A bot check; challenges are bound to one voter and one day (UTC)."""

    async def challenge(self, voter_key: str, day: date) -> Challenge:
        """Make a challenge for this voter and day."""
        ...

    async def verify(self, payload: str, voter_key: str, day: date) -> CheckResult:
        """Check the answer to a challenge.

        Raises:
            BotCheckInvalid: It does not answer a challenge for this voter and day.
            Exception: The check itself failed; the voter's verdict is then unknown.
        """
        ...
