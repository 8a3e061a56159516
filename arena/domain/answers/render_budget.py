"""Work that the slow libraries may yet do for an answer; its closed blocks spend it in the order of the text.

So the first formulae and the first code have it whether an answer is rendered whole or while it grows.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.domain.answers.bounds import MAX_COLOURED, MAX_FORMULAE, MIN_COLOURED


@dataclass(slots=True)
class RenderBudget:
    """Formulae that may yet be converted, and characters of code that may yet have colours."""

    formulae: int = MAX_FORMULAE
    coloured: int = MAX_COLOURED

    def take_formula(self) -> bool:
        """Spend a formula; whether there was one left."""
        if not self.formulae:
            return False
        self.formulae -= 1
        return True

    def take_code(self, code: str) -> bool:
        """Spend the characters of a piece of code; whether so many were left, else it spends none."""
        cost = max(len(code), MIN_COLOURED)
        if cost > self.coloured:
            return False
        self.coloured -= cost
        return True
