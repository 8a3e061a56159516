"""Votes from files of any format, with reproducible ids and voter keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple

from arena.domain.errors import Invalid
from arena.domain.terms import Format, NotCounted, Outcome

Progress = Callable[[int], None]
"""A function that gets the progress of a long operation, in bytes or votes."""

_USUAL_NAMES: Final = (
    ("left", "model_a", "a", "model_1", "left_model", "模型a"),
    ("right", "model_b", "b", "model_2", "right_model", "模型b"),
    ("winner", "outcome", "preference", "vote", "胜者", "勝者"),
    ("voter", "judge", "worker", "annotator", "user", "user_id"),
)
"""Usual names of the columns of left model, right model, winner and voter, the most frequent first."""


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """Names of the columns of a CSV file: of both models, of the winner, and of the voter if there is one."""

    left: str
    right: str
    winner: str
    voter: str | None = None

    @classmethod
    def of(cls, left: str | None, right: str | None, winner: str | None, voter: str | None) -> ColumnNames | None:
        """The columns from the options; None without any.

        Raises:
            Invalid: Some, but not all of the first three are given.
        """
        if left and right and winner:
            return cls(left, right, winner, voter)
        if left or right or winner or voter:
            raise Invalid("--left, --right and --winner belong together.")
        return None


def usual_columns(header: Iterable[str]) -> ColumnNames | None:
    """The columns with usual names, ignoring case and spaces; None without both models and the winner."""
    columns = {name.strip().casefold().replace(" ", "_"): name for name in reversed([*header])}
    left, right, winner, voter = (
        next((columns[name] for name in names if name in columns), None) for names in _USUAL_NAMES
    )
    return ColumnNames(left, right, winner, voter) if left and right and winner else None


class ImportedVote(NamedTuple):
    """A vote from a file. `id` is unique in the log; `voter` is a key that no live voter can have.

    `excluded` is the reason of its exclusion in the file; `created_at` is None if the file has no time; `number` is its
    number in the log of the arena that exported it, `probability` the one of drawing its pair there.
    """

    line: int
    id: str
    a: str
    b: str
    outcome: Outcome
    voter: str
    language: str | None = None
    category: str | None = None
    style: list[int] | None = None
    turns: int | None = None
    seconds: float | None = None
    created_at: datetime | None = None
    not_counted: NotCounted | None = None
    excluded: str | None = None
    number: int | None = None
    probability: float | None = None

    @property
    def counted(self) -> bool:
        """Whether it enters the ratings."""
        return self.not_counted is None and self.excluded is None

    @property
    def names_voter(self) -> bool:
        """Whether the file names the voter."""
        return self.voter != _unnamed(self.id)


class Ids:
    """Reproducible ids for rows without one.

    An id is the SHA-256 of a row's content and the number of equal rows before it. So equal rows of a file have
    different ids, and an import of a file that has grown adds its new rows only.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._counts: dict[bytes, int] = {}

    def next(self, content: str) -> str:
        """The id of the next row with this content, of at most 64 characters."""
        digest = sha256(content.encode("utf-8", "surrogatepass"))
        key = digest.digest()[:16]
        count = self._counts.get(key, 0)
        self._counts[key] = count + 1
        digest.update(f"#{count}".encode())
        return f"{self._prefix}:{digest.hexdigest()[:40]}"


class Voters:
    """Keys of the voters of one format; they differ from live voters' keys, which are keyed hashes."""

    def __init__(self, format: Format) -> None:
        self._format = format
        self._keys: dict[str, str] = {}

    def key(self, voter: str | None, vote_id: str) -> str:
        """The key of this voter; a vote without a voter gets one of its own."""
        if voter is None:
            return _unnamed(vote_id)
        if voter not in self._keys:
            self._keys[voter] = sha256(f"import:{self._format}:{voter}".encode()).hexdigest()
        return self._keys[voter]


def _unnamed(vote_id: str) -> str:
    """The key of the voter of a vote whose file names none."""
    return sha256(f"import-row:{vote_id}".encode()).hexdigest()
