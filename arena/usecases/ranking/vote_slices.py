"""Language, topics, style and probability of the counted votes, for the tables beside the board.

The fitting process reads them without the database, and so without the memory for its library.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from arena_rating import STYLE_FEATURES, Division

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from arena.adapters.mapped_rows import StoredColumn, StoredRows

WIDTH: Final = 2 * len(STYLE_FEATURES)
"""Style features of one vote: those of the first answer, then those of the second."""
UNKNOWN_STYLE: Final = [-1] * WIDTH
ROW: Final = np.dtype(
    [
        ("number", np.int64),
        ("language", np.int32),
        ("category", np.int32),
        ("style", np.int32, (WIDTH,)),
        ("probability", np.float32),
        ("person", np.int32),
    ]
)
"""A vote in the file of slices; language and category are codes."""


class Slices(Protocol):
    """Language and topics of n votes, empty if unknown, and their style, int32 [n, 8], -1 if unknown, or its file.

    `topics` is one division into categories, or one for each label of a set, in which a vote has the label or none.
    `probability` is that of drawing the pair, float32 [n], nan if unknown. `person`, int32 [n], is equal for all votes
    of one voter, on all days; None if they come from a public file, which lacks it.
    """

    @property
    def language(self) -> Division: ...

    @property
    def topics(self) -> tuple[Division, ...]: ...

    @property
    def style(self) -> NDArray[np.int32] | StoredColumn: ...

    @property
    def probability(self) -> NDArray[np.float32]: ...

    @property
    def person(self) -> NDArray[np.int32] | None: ...


@dataclass(frozen=True, slots=True, eq=False)
class VoteSlices:
    """Slices in memory."""

    language: Division
    topics: tuple[Division, ...]
    style: NDArray[np.int32] | StoredColumn
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
            np.array([style or UNKNOWN_STYLE for style in styles], np.int32).reshape(-1, WIDTH),
            np.array(list(probabilities), np.float32),
        )

    def labelled(self, labels: VoteLabels) -> VoteSlices:
        """The same slices with the labels of each vote as topics."""
        return replace(self, topics=labels.topics())


def both(slices: Slices) -> Iterator[Division]:
    """Each topic and language combined, separated by a tab; empty if either is unknown."""
    language = slices.language
    return (_crossed(topic, language) for topic in slices.topics)


def _crossed(topic: Division, language: Division) -> Division:
    names = [
        f"{category}\t{word}" if category and word else ""
        for category in topic.categories
        for word in language.categories
    ]
    categories = sorted(set(names))
    index = np.array([categories.index(name) for name in names], np.int32)
    return Division(tuple(categories), index[topic.index * np.int32(len(language.categories)) + language.index])


def unlabelled(topics: Sequence[Division]) -> float:
    """The share of votes without a topic; 0 without votes."""
    has_topic = [np.array([bool(word) for word in topic.categories])[topic.index] for topic in topics]
    return float(1 - np.any(has_topic, axis=0).mean()) if len(topics[0].index) else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class VoteLabels:
    """Labels of n votes: an index into `combinations` for each, int32 [n]; the combination None has no labels."""

    combinations: Sequence[Sequence[str] | None]
    index: NDArray[np.int32]

    @classmethod
    def of(cls, labels: Iterable[Sequence[str] | None]) -> VoteLabels:
        """From the labels of each vote."""
        numbers: dict[tuple[str, ...] | None, int] = {}
        index = [numbers.setdefault(None if row is None else tuple(row), len(numbers)) for row in labels]
        return cls(list(numbers), np.array(index, np.int32))

    def topics(self) -> tuple[Division, ...]:
        """A division for each label that occurs, sorted, or a single one without topics."""
        used: list[int] = np.unique(self.index).tolist()
        words = sorted({word for number in used for word in self.combinations[number] or ()})
        return tuple(map(self._topic, words)) or (Division(("",), np.zeros(len(self.index), np.int32)),)

    def _topic(self, word: str) -> Division:
        has_word = [word in (combination or ()) for combination in self.combinations]
        return Division(("", word), np.array(has_word, np.int32)[self.index])


@dataclass(frozen=True, slots=True, eq=False)
class StoredSlices:
    """Slices in a file, for another process: the rows that are `chosen`, or all, and the words by code.

    Each is read when it is asked for, so that no table holds the columns of another one. With `labels` these are the
    topics in place of the categories.
    """

    rows: StoredRows
    chosen: NDArray[np.bool_] | None
    languages: tuple[str, ...]
    categories: tuple[str, ...]
    labels: VoteLabels | None = None

    @property
    def language(self) -> Division:
        """The languages."""
        return _division(self.languages, self._column("language")[:])

    @property
    def topics(self) -> tuple[Division, ...]:
        """The topics."""
        if self.labels is not None:
            return self.labels.topics()
        return (_division(self.categories, self._column("category")[:]),)

    @property
    def style(self) -> StoredColumn:
        """The style, with most of the bytes, which stays in the file."""
        return self._column("style")

    @property
    def probability(self) -> NDArray[np.float32]:
        """The probabilities of the pairs."""
        return self._column("probability")[:]

    @property
    def person(self) -> NDArray[np.int32]:
        """The voters."""
        return self._column("person")[:]

    def _column(self, name: str) -> StoredColumn:
        return self.rows.column(name, self.chosen)


def _division(words: Sequence[str], codes: NDArray[np.int32]) -> Division:
    """A division by the words that occur, sorted, as `Division.of` makes it."""
    used: list[int] = np.unique(codes).tolist()
    names = sorted(words[code] for code in used)
    index = np.zeros(max(1, len(words)), np.int32)
    for number, name in enumerate(names):
        index[words.index(name)] = number
    return Division(tuple(names), index[codes])
