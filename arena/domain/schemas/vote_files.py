"""Files of votes, with their preview before an import, and the public files of an arena."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.schemas.problems import ProblemView

if TYPE_CHECKING:
    from collections.abc import Iterable


class FileVoteView(Wire):
    """A vote of a file, with the number of its line."""

    line: int
    a: str
    b: str
    outcome: str
    language: str | None
    category: str | None
    created_at: datetime | None


class VoteFileView(Wire):
    """Contents of a file: counts, its first votes and bad rows, and the board from its votes only.

    `alone` counts ratings of Open WebUI without a comparison. `picture` is the board as an SVG URI, for such a file
    next to the board of Open WebUI; `difference` explains how the two differ. `here` has the names that are those of
    models of this arena, for which the votes count.
    """

    votes: int
    models: int
    alone: int
    bad: int
    bad_rows: list[str]
    rows: list[FileVoteView]
    picture: str
    difference: str
    here: list[str] = Field(default=[])

    def among(self, names: set[str], registered: Iterable[str]) -> VoteFileView:
        """The view with those names of the file that are registered here."""
        return self.model_copy(update={"here": sorted(names.intersection(registered))})


class VotesAddedView(Wire):
    """Result of an import: votes added, votes that were already in the log (`known`), and new names."""

    votes: int
    known: int
    names: list[str]


class VoteFileLineView(Wire):
    """A line of the answer to an uploaded file: progress in bytes read or votes written, or the result.

    The last line has the `result`, a `VoteFileView` or `VotesAddedView`, or the `problem`.
    """

    done: int | None = None
    of: int | None = None
    result: VoteFileView | VotesAddedView | None = None
    problem: ProblemView | None = None


class PublicFileView(Wire):
    """A file by its path below /files/."""

    path: str
    bytes: int
    sha256: str


class PublicFilesView(Wire):
    """All files as of `made_at`, with the boards of `day`; both are null before the first files and during writing.

    `written`: the files are being written now.
    """

    made_at: datetime | None = None
    day: date | None = None
    written: bool = False
    files: list[PublicFileView] = Field(default=[])
