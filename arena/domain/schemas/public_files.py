"""The public files of an arena: boards, votes, audit files and releases, each with its SHA-256."""

from __future__ import annotations

from datetime import date, datetime

from pydantic import Field

from arena.domain.schemas.base import Wire


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
