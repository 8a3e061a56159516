"""The seam for verifiers of bot checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import date

    from arena.domain.terms import BotVerdict

Challenge = dict[str, object]
"""A challenge as the browser or program gets it, ready for JSON."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The judgement of an answer; `challenge` identifies what was answered, so that it is judged once only."""

    challenge: str
    verdict: BotVerdict


class BotCheck(Protocol):
    """A verifier; challenges are bound to one voter and one day (UTC)."""

    async def challenge(self, voter_key: str, day: date) -> Challenge:
        """Make a challenge for this voter and day."""
        ...

    async def verify(self, payload: str, voter_key: str, day: date) -> CheckResult:
        """Judge the answer to a challenge.

        Raises:
            BotCheckInvalid: It is no answer to a challenge of this voter and day.
            Exception: The verifier itself failed; the voter's verdict is then unknown.
        """
        ...
