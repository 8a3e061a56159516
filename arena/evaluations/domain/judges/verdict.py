"""A verdict of a judge, apart from the patterns that find it in a text, which take a tenth of a second to compile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.domain.terms import Outcome

_SWAPPED: Final = {Outcome.A: Outcome.B, Outcome.B: Outcome.A}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The better side of a pair; `strong` if it is said to be much better."""

    outcome: Outcome
    strong: bool = False

    @property
    def swapped(self) -> Verdict:
        """The same verdict on the same answers in the other order."""
        return Verdict(_SWAPPED.get(self.outcome, self.outcome), self.strong)
