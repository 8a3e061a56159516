"""What divides the counted votes, and how their answers were dressed: language, category and style of each."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.rating import STYLE_FEATURES, Division
from arena.store import votes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

WIDTH: Final = 2 * len(STYLE_FEATURES)
"""Numbers of one vote's style: those of the first answer, then those of the second."""
_UNKNOWN: Final = [-1] * WIDTH


@dataclass(frozen=True, slots=True, eq=False)
class Facets:
    """Language and category of n votes, empty words where unknown, and their style, int32 [n, 8], -1 where unknown."""

    language: Division
    category: Division
    style: NDArray[np.int32]

    @classmethod
    def of(
        cls, languages: Iterable[str | None], categories: Iterable[str | None], styles: Iterable[Sequence[int] | None]
    ) -> Facets:
        """The same from columns of words and counts."""
        return cls(
            Division.of([word or "" for word in languages]),
            Division.of([word or "" for word in categories]),
            np.array([style or _UNKNOWN for style in styles], np.int32).reshape(-1, WIDTH),
        )

    def both(self) -> Division:
        """Category and language together, a tab between them; empty where either is unknown."""
        names = [
            f"{category}\t{language}" if category and language else ""
            for category in self.category.categories
            for language in self.language.categories
        ]
        known = sorted(set(names))
        place = np.array([known.index(name) for name in names], np.int32)
        return Division(
            tuple(known), place[self.category.index * np.int32(len(self.language.categories)) + self.language.index]
        )


@dataclass(slots=True)
class FacetLog:
    """The facets of the countable votes up to number `last`, read once and advanced; its owner is one loop."""

    last: int = 0
    numbers: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    languages: dict[str, int] = field(default_factory=dict[str, int])
    categories: dict[str, int] = field(default_factory=dict[str, int])
    codes: NDArray[np.int32] = field(default_factory=lambda: np.empty((0, 2), np.int32))
    style: NDArray[np.int32] = field(default_factory=lambda: np.empty((0, WIDTH), np.int32))

    def advance(self, session: Session, last: int) -> None:
        """Read what the log has gained up to vote `last`."""
        rows = list(votes.facets(session, after=self.last, last=last))
        codes = [
            (
                self.languages.setdefault(language or "", len(self.languages)),
                self.categories.setdefault(category or "", len(self.categories)),
            )
            for _, language, category, _ in rows
        ]
        style = [json.loads(style) if style and style != "null" else _UNKNOWN for *_, style in rows]
        self.codes = np.concatenate([self.codes, np.array(codes, np.int32).reshape(-1, 2)])
        self.style = np.concatenate([self.style, np.array(style, np.int32).reshape(-1, WIDTH)])
        self.numbers = np.concatenate([self.numbers, np.array([number for number, *_ in rows], np.int64)])
        self.last = last

    def of(self, numbers: NDArray[np.int64]) -> Facets:
        """The facets of the votes with these numbers."""
        rows = np.searchsorted(self.numbers, numbers)
        return Facets(
            _division(self.languages, self.codes[rows, 0]),
            _division(self.categories, self.codes[rows, 1]),
            self.style[rows],
        )


def _division(numbers: dict[str, int], codes: NDArray[np.int32]) -> Division:
    """As `Division.of` would make it: only the words that occur, sorted."""
    words = list(numbers)
    found: list[int] = np.unique(codes).tolist()
    names = sorted(words[code] for code in found)
    place = np.zeros(max(1, len(words)), np.int32)
    for number, name in enumerate(names):
        place[numbers[name]] = number
    return Division(tuple(names), place[codes])
