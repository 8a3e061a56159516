"""Report of a verification: faults, open points, and confirmed facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

Progress = Callable[[str, int, int], None]
"""Progress callback: task, count, total."""
MAX_NAMED_FAULTS: Final = 20
"""Number of faults that are named; further ones are counted."""


@dataclass(slots=True)
class VerificationReport:
    """Sentences on faults, on what was not checked, and on what was confirmed.

    `unread` names the file that could not be read and ended the verification: it accuses nobody. `may_pass` says that
    it may be read another time.
    """

    faults: list[str] = field(default_factory=list[str])
    unchecked: list[str] = field(default_factory=list[str])
    confirmed: list[str] = field(default_factory=list[str])
    unread: str = ""
    may_pass: bool = True
    more: int = 0
    most: int = MAX_NAMED_FAULTS

    def fault(self, sentence: str) -> None:
        """Add a fault."""
        if len(self.faults) < self.most:
            self.faults.append(sentence)
        else:
            self.more += 1

    @property
    def holds(self) -> bool:
        """Whether all was checked as far as the files go, and there is no fault."""
        return not self.faults and not self.unread

    def __str__(self) -> str:
        advice = " Please try again." if self.may_pass else ""
        unread = [f"COULD NOT BE CHECKED: {self.unread}{advice}"] if self.unread else []
        further_lines = [f"FAULT: and {self.more} more"] if self.more else []
        return "\n".join(
            [
                *(f"confirmed: {sentence}" for sentence in self.confirmed),
                *(f"unchecked: {sentence}" for sentence in self.unchecked),
                *(f"FAULT: {sentence}" for sentence in self.faults),
                *further_lines,
                *unread,
            ]
        )
