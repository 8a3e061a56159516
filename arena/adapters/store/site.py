"""Queries about the operator's settings of the site and their pages."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, select

from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.tables.site import PageRow, SiteRow
from arena.domain.site import OperatedSite, PageVersion, PromptCheck, SitePage
from arena.domain.terms import Image

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

_ROW: Final = 1


def lock(session: Session) -> None:
    """Let no other transaction change the site before this one ends."""
    one_at_a_time(session, "site")


def load(session: Session) -> OperatedSite:
    """The site as it is now."""
    settings = _settings(session)
    mark = settings.get("mark")
    return OperatedSite(
        name=settings.get("name", ""),
        mark=Image(mark["media_type"], b64decode(mark["data"])) if mark else None,
        announcement=settings.get("announcement", {}),
        languages=tuple(settings.get("languages", ())),
        prompt_checks=PromptCheck(settings.get("prompt_checks", PromptCheck.OFF)),
        accent=settings.get("accent", ""),
        ideas=settings.get("ideas", {}),
        pages={SitePage(row.page): _version(row) for row in _newest(session)},
    )


def put(session: Session, changes: Mapping[str, Any], now: datetime) -> None:
    """Keep these settings; an empty one is taken back."""
    settings = {name: value for name, value in {**_settings(session), **changes}.items() if value}
    session.merge(SiteRow(id=_ROW, settings=settings, changed_at=now))


def publish(session: Session, page: SitePage, version: int, texts: Mapping[str, str], now: datetime) -> None:
    """Append a version of a page."""
    session.add(PageRow(page=page.value, version=version, texts=dict(texts), published_at=now))


def history(session: Session) -> Sequence[PageRow]:
    """All versions of all pages, newest first."""
    return session.scalars(select(PageRow).order_by(PageRow.published_at.desc(), PageRow.page, PageRow.version)).all()


def _settings(session: Session) -> dict[str, Any]:
    row = session.get(SiteRow, _ROW)
    return row.settings if row else {}


def _newest(session: Session) -> Sequence[PageRow]:
    last = select(PageRow.page, func.max(PageRow.version).label("version")).group_by(PageRow.page).subquery()
    same = (PageRow.page == last.c.page) & (PageRow.version == last.c.version)
    return session.scalars(select(PageRow).join(last, same)).all()


def _version(row: PageRow) -> PageVersion:
    return PageVersion(row.version, row.texts, row.published_at)
