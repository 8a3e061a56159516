"""Files of votes that an operator looks at before they are written, and the public files of an arena."""

from __future__ import annotations

from datetime import date, datetime

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.schemas.problems import ProblemView


class FileVoteView(Wire):
    """A vote of a file; `line` is where it stands."""

    line: int
    a: str
    b: str
    outcome: str
    language: str | None
    category: str | None
    created_at: datetime | None


class VoteFileView(Wire):
    """Contents of a file: counts, its first votes and first bad rows, and the board that its votes make alone.

    `alone` ratings of Open WebUI compare nothing. `picture` is the board as an SVG URI, beside that of Open WebUI where
    the file is its feedback; `difference` says what differs and why.
    """

    votes: int
    models: int
    alone: int
    bad: int
    bad_rows: list[str]
    rows: list[FileVoteView]
    picture: str
    difference: str


class VotesAddedView(Wire):
    """Result of an import: votes added, votes that the log already held, and new names."""

    votes: int
    known: int
    names: list[str]


class VoteFileLineView(Wire):
    """A line of an answer to a file: how much is done of how much, in bytes read or votes written, or its end.

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
    """All files as of `made_at`, with the boards of `day`; both are null before the first, and while they are written.

    `written` says whether they are being written.
    """

    made_at: datetime | None = None
    day: date | None = None
    written: bool = False
    files: list[PublicFileView] = Field(default=[])
