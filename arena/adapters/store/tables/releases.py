"""Releases of conversations: what was built, read by a person and published; their files lie in a folder."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import Table


class ReleaseRow(Table):
    """One release; `digest` is the SHA-256 of its list of files, `reviewed` how many of its sample were read.

    `salt` makes its pseudonyms and is deleted when it is published. `refused` says that its reader found something, so
    that it must be built again. Its votes are from `since` to before `until`.
    """

    __tablename__ = "releases"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64))
    conversations: Mapped[int]
    removed: Mapped[dict[str, int]]
    salt: Mapped[bytes | None]
    since: Mapped[datetime]
    until: Mapped[datetime]
    reviewed: Mapped[int]
    refused: Mapped[bool]
    reviewed_by: Mapped[str | None] = mapped_column(String(80))
    built_at: Mapped[datetime]
    published_at: Mapped[datetime | None]
