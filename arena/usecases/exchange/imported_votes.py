"""Votes from files, in whatever format, with ids and voters' keys that the same file gives again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from arena.domain.errors import Invalid
from arena.domain.terms import Format, NotCounted, Outcome

Progress = Callable[[int], None]
"""Callback for the progress of a long operation."""


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """Columns of a CSV file that hold the two names, the winner and, if there is one, the voter."""

    left: str
    right: str
    winner: str
    voter: str | None = None

    @classmethod
    def of(cls, left: str | None, right: str | None, winner: str | None, voter: str | None) -> ColumnNames | None:
        """The columns that options name; None if they name none.

        Raises:
            Invalid: Some of the three are missing.
        """
        if left and right and winner:
            return cls(left, right, winner, voter)
        if left or right or winner or voter:
            raise Invalid("--left, --right and --winner belong together.")
        return None


@dataclass(frozen=True, slots=True)
class ImportedVote:
    """A vote from a file. `id` makes it unique in the log, `voter` is a key that no live voter can have.

    `excluded` is the reason of an exclusion that came with it; `created_at` is None where the file does not say when;
    `number` is its place in the log that an arena exported, `probability` that with which its pair was drawn there.
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
        """True if it enters the ratings."""
        return self.not_counted is None and self.excluded is None


class Ids:
    """Gives rows that have no id one that the same file yields again.

    It is the SHA-256 of the row's content and of how many equal rows came before, so that equal rows of one file
    stay apart and a file that has grown adds its new rows only.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._seen: dict[bytes, int] = {}

    def next(self, content: str) -> str:
        """The id of the next row with this content, at most 64 characters."""
        digest = sha256(content.encode("utf-8", "surrogatepass"))
        key = digest.digest()[:16]
        before = self._seen.get(key, 0)
        self._seen[key] = before + 1
        digest.update(f"#{before}".encode())
        return f"{self._prefix}:{digest.hexdigest()[:40]}"


class Voters:
    """Gives the voters of one format their keys, in a space of their own apart from live voters' keyed hashes."""

    def __init__(self, format: Format) -> None:
        self._format = format
        self._keys: dict[str, str] = {}

    def key(self, voter: str | None, vote_id: str) -> str:
        """The key of this voter; a vote without a voter counts as one of a separate person."""
        if voter is None:
            return sha256(f"import-row:{vote_id}".encode()).hexdigest()
        if voter not in self._keys:
            self._keys[voter] = sha256(f"import:{self._format}:{voter}".encode()).hexdigest()
        return self._keys[voter]
