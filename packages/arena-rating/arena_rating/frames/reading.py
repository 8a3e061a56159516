"""Columns of votes in a data frame by their usual names, and the usual words for outcomes."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, Protocol, TypeGuard, cast, runtime_checkable

from arena_rating.errors import BadComparisons

A: Final = "a"
B: Final = "b"
TIE: Final = "tie"
BOTH_BAD: Final = "both_bad"

_FILLERS: Final = re.compile(r"[\s_-]+")
_WORDS: Final = {
    **dict.fromkeys(("a", "left", "modela", "model1", "模型a"), A),
    **dict.fromkeys(("b", "right", "modelb", "model2", "模型b"), B),
    **dict.fromkeys(("tie", "draw", "neither", "平手", "平局", "和局"), TIE),
    **dict.fromkeys(("bothbad", "tie(bothbad)"), BOTH_BAD),
}
"""Words for outcomes without spaces, dashes and underscores: those of Chatbot Arena, arena-rank, evalica and others."""
USUAL_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "left": ("model_a", "left", "a", "model_1", "left_model", "competitor_a", "模型A"),
    "right": ("model_b", "right", "b", "model_2", "right_model", "competitor_b", "模型B"),
    "winner": ("winner", "outcome", "preference", "vote", "胜者", "勝者"),
    "voter": ("voter", "judge", "worker", "annotator", "user", "user_id", "evaluation_session_id"),
    "weight": ("weight",),
}
"""Usual names of columns by what they hold, the first that the frame has is taken."""
_SHARES: Final = {"winner_model_a": A, "winner_model_b": B, "winner_tie": TIE}
"""Three columns of 0 and 1 in place of one for the winner, as in Chatbot Arena's competition of 2024."""
_SHOWN: Final = 30


class VoteFrame(Protocol):
    """A data frame of pandas, polars, Arrow or datasets, or a mapping of columns: `frame["model_a"]` is a column."""

    def __getitem__(self, name: str, /) -> object: ...


@runtime_checkable
class _HasToNumpy(Protocol):
    def to_numpy(self) -> object: ...


def is_frame(votes: object) -> TypeGuard[VoteFrame]:
    """Whether an object has named columns."""
    return isinstance(votes, Mapping) or hasattr(votes, "column_names") or hasattr(votes, "columns")


def outcome_of(word: object) -> object:
    """The outcome of a usual word, in any case and with any fillers; anything else as it is."""
    return _WORDS.get(_FILLERS.sub("", word.casefold()), word) if isinstance(word, str) else word


def votes_of_frame(frame: VoteFrame, names: Mapping[str, str | None]) -> dict[str, list[Hashable] | None]:
    """The columns left, right, outcome, voter and weight of a frame, with outcomes as words of this library.

    `names` has the names of the columns that are not called as usual. A row without a voter is a person of its own.

    Raises:
        BadComparisons: A column is missing, or a winner is both the name of one model and the word for another outcome.
    """
    header = _header(frame)
    left, right = (_required(frame, header, role, names) for role in ("left", "right"))
    voter, weight = (_optional(frame, header, role, names) for role in ("voter", "weight"))
    return {
        "left": left,
        "right": right,
        "outcome": _outcomes(frame, header, names, left, right),
        "voter": voter and [("", row) if _is_missing(cell) else cell for row, cell in enumerate(voter)],
        "weight": weight,
    }


def _header(frame: VoteFrame) -> list[str]:
    """Names of the columns: Arrow and datasets have them in `column_names`, others in `columns`."""
    if isinstance(frame, Mapping):
        return list(map(str, cast("Mapping[object, object]", frame)))
    return list(map(str, getattr(frame, "column_names", None) or getattr(frame, "columns", ())))


def _name(header: list[str], role: str, names: Mapping[str, str | None]) -> str | None:
    if name := names.get(role):
        if name not in header:
            raise BadComparisons(f"there is no column {name!r}, but {_shown(header)}")
        return name
    return next((name for name in USUAL_COLUMNS[role] if name in header), None)


def _required(frame: VoteFrame, header: list[str], role: str, names: Mapping[str, str | None]) -> list[Hashable]:
    if column := _optional(frame, header, role, names):
        return column
    if _name(header, role, names):
        return []
    usual = ", ".join(USUAL_COLUMNS[role])
    raise BadComparisons(f"there is no column {usual}, but {_shown(header)}; name it by {role}=")


def _optional(frame: VoteFrame, header: list[str], role: str, names: Mapping[str, str | None]) -> list[Hashable] | None:
    name = _name(header, role, names)
    return None if name is None else _cells(frame[name])


def _cells(column: object) -> list[Hashable]:
    plain = column.to_numpy() if isinstance(column, _HasToNumpy) else column
    if hasattr(plain, "tolist"):
        return cast("list[Hashable]", plain.tolist())  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
    return list(cast("Iterable[Hashable]", plain))


def _shown(header: list[str]) -> str:
    return ", ".join(header[:_SHOWN]) or "none"


def _is_missing(cell: Hashable) -> bool:
    """Whether a cell is None or the number that is none."""
    return cell is None or cell != cell  # noqa: PLR0124 - true of NaN alone, whatever its type


def _outcomes(
    frame: VoteFrame,
    header: list[str],
    names: Mapping[str, str | None],
    left: Sequence[Hashable],
    right: Sequence[Hashable],
) -> list[Hashable]:
    if names.get("winner") is None and set(_SHARES) <= set(header) and not _name(header, "winner", names):
        shares = zip(*(_cells(frame[name]) for name in _SHARES), strict=True)
        return [_outcome_of_shares(row, cells) for row, cells in enumerate(shares)]
    winner = _required(frame, header, "winner", names)
    if not len(left) == len(right) == len(winner):
        raise BadComparisons("the columns have different lengths")
    rows = enumerate(zip(left, right, winner, strict=True))
    return [_outcome(row, *cells) for row, cells in rows]


def _outcome_of_shares(row: int, cells: Sequence[Hashable]) -> Hashable:
    if sorted(cells, key=str) != [0, 0, 1]:
        raise BadComparisons(f"row {row}: {', '.join(_SHARES)} are {', '.join(map(str, cells))}, not one 1 and two 0")
    return list(_SHARES.values())[list(cells).index(1)]


def _outcome(row: int, left: Hashable, right: Hashable, winner: Hashable) -> Hashable:
    """The outcome from a word or from the winner's name."""
    word = outcome_of(winner)
    by_name = A if winner == left else B if winner == right else None
    if by_name is None:
        return cast("Hashable", word)
    if word not in {winner, by_name}:
        raise BadComparisons(f"row {row}: winner {winner!r} is the name of one model and a word for another outcome")
    return by_name
