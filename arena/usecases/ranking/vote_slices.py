"""Language, topics, style and probability of the counted votes, for the tables beside the board."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from arena.adapters.store import votes
from arena_rating import STYLE_FEATURES, Division
from arena_rating.growing_log import GrowingColumn, GrowingNumbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

S = TypeVar("S", bound=np.generic)
WIDTH: Final = 2 * len(STYLE_FEATURES)
"""Style features of one vote: those of the first answer, then those of the second."""
PIECE: Final = 10_000
"""Votes read from the database at a time, with about a kilobyte of objects each."""
_UNKNOWN: Final = [-1] * WIDTH


@dataclass(frozen=True, slots=True, eq=False)
class VoteSlices:
    """Language and topics of n votes, empty if unknown, and their style, int32 [n, 8], -1 if unknown.

    `topics` is one division into categories, or one for each label of a set, in which a vote has the label or none.
    `probability` is that of drawing the pair, float32 [n], nan if unknown. `person`, int32 [n], is equal for all votes
    of one voter, on all days; None if they come from a public file, which lacks it.
    """

    language: Division
    topics: tuple[Division, ...]
    style: NDArray[np.int32]
    probability: NDArray[np.float32]
    person: NDArray[np.int32] | None = None

    @classmethod
    def of(
        cls,
        languages: Iterable[str | None],
        categories: Iterable[str | None],
        styles: Iterable[Sequence[int] | None],
        probabilities: Iterable[float | None],
    ) -> VoteSlices:
        """Slices from columns of words and numbers."""
        return cls(
            Division.of([word or "" for word in languages]),
            (Division.of([word or "" for word in categories]),),
            np.array([style or _UNKNOWN for style in styles], np.int32).reshape(-1, WIDTH),
            np.array(list(probabilities), np.float32),
        )

    @property
    def unlabelled(self) -> float | None:
        """The share of votes without a topic; None without votes."""
        has_topic = [np.array([bool(word) for word in topic.categories])[topic.index] for topic in self.topics]
        return float(1 - np.any(has_topic, axis=0).mean()) if len(self.language.index) else None

    def both(self) -> Iterator[Division]:
        """Each topic and language combined, separated by a tab; empty if either is unknown."""
        return map(self._with_language, self.topics)

    def _with_language(self, topic: Division) -> Division:
        names = [
            f"{category}\t{language}" if category and language else ""
            for category in topic.categories
            for language in self.language.categories
        ]
        categories = sorted(set(names))
        index = np.array([categories.index(name) for name in names], np.int32)
        return Division(
            tuple(categories), index[topic.index * np.int32(len(self.language.categories)) + self.language.index]
        )

    def labelled(self, labels: Iterable[Sequence[str] | None]) -> VoteSlices:
        """The same slices with the labels of each vote as topics."""
        results = list(labels)
        words = sorted({word for result in results for word in result or ()})
        return replace(self, topics=tuple(_topic(word, results) for word in words) or (_nothing(len(results)),))


def _topic(word: str, labels: Sequence[Sequence[str] | None]) -> Division:
    return Division(("", word), np.array([word in (label or ()) for label in labels], np.int32))


def _nothing(votes: int) -> Division:
    return Division(("",), np.zeros(votes, np.int32))


def _column(kind: type[S], *width: int) -> Callable[[], GrowingColumn[S]]:
    return lambda: GrowingColumn(np.empty((0, *width), kind))


@dataclass(slots=True)
class SliceLog:
    """The slices of the countable votes up to number `last`, read incrementally; not thread-safe."""

    last: int = 0
    numbers: GrowingColumn[np.int64] = field(default_factory=_column(np.int64))
    languages: dict[str, int] = field(default_factory=dict[str, int])
    categories: dict[str, int] = field(default_factory=dict[str, int])
    codes: GrowingColumn[np.int32] = field(default_factory=_column(np.int32, 2))
    style: GrowingColumn[np.int32] = field(default_factory=_column(np.int32, WIDTH))
    probability: GrowingColumn[np.float32] = field(default_factory=_column(np.float32))
    person: GrowingColumn[np.int32] = field(default_factory=_column(np.int32))
    people: GrowingNumbers = field(default_factory=GrowingNumbers)

    def advance(self, session: Session, last: int) -> None:
        """Read new votes up to number `last`, `PIECE` at a time, which bounds the memory for their rows."""
        rows = votes.slice_labels(session, after=self.last, last=last)
        while piece := list(islice(rows, PIECE)):
            self._append(piece)
            self.last = piece[-1][0]
        self.last = last

    def _append(self, rows: Sequence[tuple[int, str | None, str | None, str | None, float | None, str]]) -> None:
        numbers, languages, categories, styles, chances, voters = zip(*rows, strict=True)
        codes = [
            (self._code(self.languages, a), self._code(self.categories, b))
            for a, b in zip(languages, categories, strict=True)
        ]
        # Each is a JSON list or null; parsing them together halves the time.
        counts = json.loads(f"[{','.join(style or 'null' for style in styles)}]")
        self.codes.append(np.array(codes, np.int32))
        self.style.append(np.array([style or _UNKNOWN for style in counts], np.int32))
        self.probability.append(np.array(chances, np.float32))
        self.person.append(self.people.of(np.array(list(map(hash, voters)), np.int64)))
        self.numbers.append(np.array(numbers, np.int64))

    def of(self, numbers: NDArray[np.int64]) -> VoteSlices:
        """The slices of the votes with these numbers: views, if these are all votes, as they mostly are."""
        rows, codes = self._rows(numbers), self.codes.values
        return VoteSlices(
            _division(self.languages, codes[rows, 0]),
            (_division(self.categories, codes[rows, 1]),),
            self.style.values[rows],
            self.probability.values[rows],
            self.person.values[rows],
        )

    def _rows(self, numbers: NDArray[np.int64]) -> slice | NDArray[np.intp]:
        return (
            slice(None)
            if np.array_equal(numbers, self.numbers.values)
            else np.searchsorted(self.numbers.values, numbers)
        )

    @staticmethod
    def _code(codes: dict[str, int], word: str | None) -> int:
        return codes.setdefault(word or "", len(codes))


def _division(numbers: dict[str, int], codes: NDArray[np.int32]) -> Division:
    """A division by the words that occur, sorted, as `Division.of` makes it."""
    words = list(numbers)
    used: list[int] = np.unique(codes).tolist()
    names = sorted(words[code] for code in used)
    index = np.zeros(max(1, len(words)), np.int32)
    for number, name in enumerate(names):
        index[numbers[name]] = number
    return Division(tuple(names), index[codes])
