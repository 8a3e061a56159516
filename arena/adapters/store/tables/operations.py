"""Leases and loops of background work, kill switches, releases of conversations, and the operator's site."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.domain.terms import JsonObject


class LeaseRow(BaseRow):
    """A lease: holder, expiry, and epoch, the fencing token, which each change of holder increments."""

    __tablename__ = "leases"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    epoch: Mapped[int] = mapped_column(BIG)
    holder: Mapped[str] = mapped_column(String(64))
    until: Mapped[datetime]


class LoopRow(BaseRow):
    """A loop of background work, as the process that runs it last wrote it down.

    It has a pass every `period` seconds, and is late `late_after` seconds after the last one that succeeded.
    `passed_at` is the end of the last pass that succeeded, or the earlier time from which on input waited after it;
    `worked_at` is the end of the last one that found something to do, and `seconds` how long the last pass took.
    `failure` is why the passes since then failed, empty if none has.
    """

    __tablename__ = "loops"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    period: Mapped[float]
    late_after: Mapped[float]
    seconds: Mapped[float]
    passed_at: Mapped[datetime | None]
    worked_at: Mapped[datetime | None]
    failure: Mapped[str] = mapped_column(String(300))
    written_at: Mapped[datetime]


class FlagRow(BaseRow):
    """A kill switch: a part of the service that the operator has closed or reopened."""

    __tablename__ = "flags"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    closed: Mapped[bool]
    reason: Mapped[str] = mapped_column(String(200))
    changed_at: Mapped[datetime]


class ReleaseRow(BaseRow):
    """One release; `digest` is the SHA-256 of its list of files, `reviewed` the number of reviewed conversations.

    `salt` is the key of its pseudonyms, deleted at publication. `refused`: its reviewer rejected it, so it must be
    built again. Its votes are from `since` to before `until`.
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


class SiteRow(BaseRow):
    """All settings of the site in one row, whose `id` is 1; settings with the default are absent."""

    __tablename__ = "site"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    settings: Mapped[JsonObject]
    changed_at: Mapped[datetime]


class PageRow(BaseRow):
    """A published version of a page of the operator, with its Markdown by language; append-only.

    A version without texts withdraws the page.
    """

    __tablename__ = "pages"

    page: Mapped[str] = mapped_column(String(20), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    texts: Mapped[JsonObject]
    published_at: Mapped[datetime]
