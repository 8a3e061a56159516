"""Columns of votes, the input of every rating method: competitors, outcome, weight, voter and category."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from arena_rating.errors import BadComparisons
from arena_rating.frames.reading import VoteFrame, is_frame, outcome_of, votes_of_frame

OUTCOMES: Final = ("a", "b", "tie", "both_bad")
"""Outcome words by code: left wins 0, right wins 1, tie 2, both bad 3."""
LEFT_WINS: Final = 0
RIGHT_WINS: Final = 1
TIE: Final = 2
BOTH_BAD: Final = 3

OUTCOME_CODES: Final[Mapping[str, int]] = {word: code for code, word in enumerate(OUTCOMES)}


class HasToNumpy(Protocol):
    """A column of a pandas or polars data frame; neither is imported."""

    def to_numpy(self) -> NDArray[np.generic]: ...


S = TypeVar("S", bound=np.generic)

Column = Iterable[Hashable] | HasToNumpy
"""A list, an array, or a column of a data frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """An ordered log of n comparisons; the arrays are read-only views, copied only to convert a type.

    Attributes:
        left: int32 [n], index of the left competitor in `names`.
        right: int32 [n], the same for the right one.
        outcome: uint8 [n], codes of `OUTCOMES`.
        weight: float64 [n], or None if all are 1. A weight is a frequency: 2 equals the row twice, 0 no row. Elo alone,
            which depends on the order, reads it as a factor of its K.
        voter: int32 [n] or None; equal numbers are one person.
        category: int32 [n] or None, index in `categories`.
        names: The competitors; some may have no battle.
        categories: The names of the categories.
        counted: Outcome counts of a `GrowingLog`, weighted (True) and unweighted (False); empty for other logs.
    """

    left: NDArray[np.int32]
    right: NDArray[np.int32]
    outcome: NDArray[np.uint8]
    weight: NDArray[np.float64] | None
    voter: NDArray[np.int32] | None
    category: NDArray[np.int32] | None
    names: tuple[str, ...]
    categories: tuple[str, ...] = ()
    counted: Mapping[bool, NDArray[np.float64]] = field(
        default_factory=dict[bool, NDArray[np.float64]], init=False, repr=False
    )

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names):
            raise BadComparisons("two competitors have the same name")
        self._set("left", _integers(self.left, "left", len(self.names), np.int32))
        self._set("right", _integers(self.right, "right", len(self.names), np.int32))
        self._set("outcome", _integers(self.outcome, "outcome", len(OUTCOMES), np.uint8))
        if self.weight is not None:
            self._set("weight", _weights(self.weight))
        if self.voter is not None:
            self._set("voter", _integers(self.voter, "voter", 1 << 31, np.int32))
        if self.category is not None:
            self._set("category", _integers(self.category, "category", len(self.categories), np.int32))
        _check_lengths(self)
        _refuse_first(self.left == self.right, "left and right", self.left, "the same competitor")

    def _set(self, field: str, column: NDArray[np.generic]) -> None:
        object.__setattr__(self, field, read_only(column))

    @property
    def frequency(self) -> NDArray[np.float64]:
        """The weights, float64 [n], or an empty array if all are 1: one type for compiled loops."""
        return read_only(np.ones(0)) if self.weight is None else self.weight

    def __len__(self) -> int:
        return len(self.left)

    @classmethod
    def from_votes(
        cls,
        left: Column,
        right: Column,
        outcome: Column,
        *,
        weight: Column | None = None,
        voter: Column | None = None,
        category: Column | None = None,
        names: Iterable[str] | None = None,
    ) -> Self:
        """Number the names and outcome words ("a", "b", "tie", "both_bad", or other usual ones) of columns.

        Words of other programs, such as "model_a", "left", "tie (bothbad)" or "draw", are read too. Without `names` the
        competitors are those of the two columns, sorted, so the order of rows does not change their numbers. Voters may
        be any hashable values. Categories are sorted by their text.

        Raises:
            BadComparisons: An invalid outcome, name or weight, different lengths, or a competitor that meets itself.
        """
        lefts, rights = cells_of(left), cells_of(right)
        competitors = tuple(sorted(_texts(lefts, "left") | _texts(rights, "right"))) if names is None else tuple(names)
        numbers = {name: number for number, name in enumerate(competitors)}
        topics = None if category is None else [str(cell) for cell in cells_of(category)]
        labels = tuple(sorted(set(topics or ())))
        return cls(
            left=_look_up(lefts, numbers, "left", np.int32),
            right=_look_up(rights, numbers, "right", np.int32),
            outcome=_look_up(_outcome_words(cells_of(outcome)), OUTCOME_CODES, "outcome", np.uint8),
            weight=None if weight is None else _weights(_array(weight)),
            voter=None if voter is None else _number(cells_of(voter)),
            category=None if topics is None else _look_up(topics, _number_labels(labels), "category", np.int32),
            names=competitors,
            categories=labels,
        )

    @classmethod
    def from_frame(
        cls,
        frame: VoteFrame,
        *,
        left: str | None = None,
        right: str | None = None,
        winner: str | None = None,
        voter: str | None = None,
        weight: str | None = None,
    ) -> Self:
        """The log of a data frame, whose columns have usual names (`USUAL_COLUMNS`) or those that are given.

        The frame may be of pandas, polars, Arrow or datasets, or a mapping of columns. The winner is a word, as in
        `from_votes`, or the name of one of both models; `winner_model_a`, `winner_model_b` and `winner_tie` with one 1
        and two 0 are read in its place. A row without a voter is a person of its own.

        Raises:
            BadComparisons: A column is missing, or as `from_votes`.
        """
        names = {"left": left, "right": right, "winner": winner, "voter": voter, "weight": weight}
        columns = votes_of_frame(frame, names)
        lefts, rights, outcomes = (columns[name] or [] for name in ("left", "right", "outcome"))
        return cls.from_votes(lefts, rights, outcomes, voter=columns["voter"], weight=columns["weight"])

    @classmethod
    def of(cls, votes: Comparisons | VoteFrame) -> Comparisons:
        """The log itself, or that of a data frame.

        Raises:
            BadComparisons: As `from_frame`; or it is neither.
        """
        if isinstance(votes, Comparisons):
            return votes
        if is_frame(votes):
            return cls.from_frame(votes)
        raise BadComparisons(f"votes are Comparisons or a data frame, not {type(votes).__name__}")

    def where(self, keep: NDArray[np.bool_]) -> Self:
        """The rows where `keep` (bool [n]) is true, with the same names; this log itself, if it is true everywhere."""
        if keep.dtype == np.bool_ and keep.all():
            return self
        return replace(
            self,
            left=self.left[keep],
            right=self.right[keep],
            outcome=self.outcome[keep],
            weight=None if self.weight is None else self.weight[keep],
            voter=None if self.voter is None else self.voter[keep],
            category=None if self.category is None else self.category[keep],
        )


def read_only(column: NDArray[S]) -> NDArray[S]:
    """A read-only view, so that numba compiles loops for one type: writable and read-only arrays are two."""
    column = column.view()
    column.flags.writeable = False
    return column


def _array(column: Column) -> NDArray[np.generic]:
    if hasattr(column, "to_numpy"):
        return np.asarray(cast("HasToNumpy", column).to_numpy())
    if isinstance(column, np.ndarray):
        return cast("NDArray[np.generic]", column)
    return np.asarray(list(cast("Iterable[Hashable]", column)))


def cells_of(column: Column) -> list[Hashable]:
    """The cells of a column as plain values."""
    if isinstance(column, list | tuple):
        return list(column)
    return _array(column).tolist()


def _texts(cells: list[Hashable], field: str) -> set[str]:
    distinct = set(cells)
    result = {cell for cell in distinct if isinstance(cell, str) and cell}
    if len(result) < len(distinct):
        row = next(row for row, cell in enumerate(cells) if not isinstance(cell, str) or not cell)
        raise BadComparisons(f"row {row}: {field} is {cells[row]!r}, not a name")
    return result


def _outcome_words(cells: list[Hashable]) -> list[Hashable]:
    """The words of this library for those of others, each distinct one looked up once."""
    words = {cell: cast("Hashable", outcome_of(cell)) for cell in set(cells)}
    return list(map(words.__getitem__, cells))


def _number_labels(labels: tuple[str, ...]) -> dict[str, int]:
    return {label: number for number, label in enumerate(labels)}


def _look_up(cells: Sequence[Hashable], numbers: Mapping[str, int], field: str, dtype: type[S]) -> NDArray[S]:
    try:
        return np.fromiter(map(numbers.__getitem__, cast("Sequence[str]", cells)), dtype, count=len(cells))
    except (KeyError, TypeError):
        row = next(row for row, cell in enumerate(cells) if not isinstance(cell, str) or cell not in numbers)
        raise BadComparisons(f"row {row}: {field} is {cells[row]!r}, which is not known") from None


def _number(cells: list[Hashable]) -> NDArray[np.int32]:
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(cell, len(numbers)) for cell in cells), np.int32, count=len(cells))


def _integers(column: NDArray[np.integer], field: str, limit: int, dtype: type[S]) -> NDArray[S]:
    """The column as contiguous `dtype`, if every value is an integer in [0, limit)."""
    array = np.asarray(column)
    if not np.issubdtype(array.dtype, np.integer) and len(array):
        raise BadComparisons(f"{field} is a column of {array.dtype}, not of integers")
    _refuse_first((array < 0) | (array >= limit), field, array, f"not in 0 to {limit - 1}")
    return np.ascontiguousarray(array, dtype)


def _weights(column: NDArray[np.generic]) -> NDArray[np.float64]:
    try:
        weights = np.ascontiguousarray(column, np.float64)
    except (TypeError, ValueError) as error:
        raise BadComparisons(f"weight is not a column of numbers: {error}") from None
    _refuse_first(~np.isfinite(weights) | (weights < 0), "weight", weights, "not a finite number of at least 0")
    return weights


def _refuse_first(is_bad: NDArray[np.bool_], field: str, column: NDArray[np.generic], reason: str) -> None:
    if is_bad.any():
        row = int(is_bad.argmax())
        raise BadComparisons(f"row {row}: {field} is {column[row]}, {reason}")


def _check_lengths(log: Comparisons) -> None:
    columns = (log.left, log.right, log.outcome, log.weight, log.voter, log.category)
    shapes = {column.shape for column in columns if column is not None}
    if shapes != {(len(log.left),)}:
        raise BadComparisons(f"the columns have different shapes: {sorted(shapes)}")
