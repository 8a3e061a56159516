"""Evidence that an endpoint whose answers are held back no longer closes reasoning that it never opens."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

VOTERS: Final = 3
"""Voters whose answers in a row must say so: one alone can ask for any text, and changes nothing for the others."""


@dataclass(slots=True)
class OpenedReasoning:
    """The voters to whom each endpoint last answered without a lone closing tag, in this process."""

    _voters: defaultdict[int, set[str]] = field(default_factory=lambda: defaultdict[int, set[str]](set))

    def is_proven(self, endpoint: int, voter: str, *, unopened: bool | None) -> bool:
        """Note an answer, which closed reasoning that it had not opened, or None; whether there is evidence enough."""
        if unopened is None:
            return False
        voters = self._voters[endpoint]
        if unopened:
            voters.clear()
        else:
            voters.add(voter)
        if len(voters) < VOTERS:
            return False
        del self._voters[endpoint]
        return True
