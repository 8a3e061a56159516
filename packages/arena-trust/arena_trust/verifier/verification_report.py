"""Report of a verification: faults in their order, and what could not be checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

Progress = Callable[[str, int, int], None]
"""Progress callback: task, done, total."""
KEPT: Final = 20
"""Faults that are named; further ones are counted."""


@dataclass(slots=True)
class VerificationReport:
    """Sentences: `wrong` ones deny that the arena is what it says, `open` ones say what is not known."""

    wrong: list[str] = field(default_factory=list[str])
    open: list[str] = field(default_factory=list[str])
    right: list[str] = field(default_factory=list[str])
    more: int = 0
    most: int = KEPT

    def fault(self, sentence: str) -> None:
        """Add something wrong."""
        if len(self.wrong) < self.most:
            self.wrong.append(sentence)
        else:
            self.more += 1

    @property
    def holds(self) -> bool:
        """True if nothing is wrong."""
        return not self.wrong

    def __str__(self) -> str:
        further_lines = [f"WRONG: and {self.more} more"] if self.more else []
        return "\n".join(
            [
                *(f"right: {entry}" for entry in self.right),
                *(f"open: {fault}" for fault in self.open),
                *(f"WRONG: {fault}" for fault in self.wrong),
                *further_lines,
            ]
        )
