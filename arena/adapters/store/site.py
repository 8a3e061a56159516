"""Queries about the operator's settings: kill switches, the site and its pages."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, func, select

from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.tables.operations import FlagRow, PageRow, SiteRow
from arena.domain.errors import Closed
from arena.domain.site import OperatedSite, PageVersion, PromptCheck, SitePage
from arena.domain.terms import JsonObject, Part
from arena_providers.terms import Image

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

_ROW: Final = 1
_CLOSED: Final = select(FlagRow.__table__.c.closed).where(FlagRow.__table__.c.name == bindparam("part"))


def lock(session: Session) -> None:
    """Exclude other changes of the site until the end of this transaction."""
    one_at_a_time(session, "site")


def load(session: Session) -> OperatedSite:
    """The current site."""
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


def put(session: Session, changes: Mapping[str, object], now: datetime) -> bool:
    """Store these settings, unless they are so already; an empty one restores the default."""
    earlier = _settings(session)
    settings = {name: value for name, value in {**earlier, **changes}.items() if value}
    if settings == earlier:
        return False
    session.merge(SiteRow(id=_ROW, settings=settings, changed_at=now))
    return True


def publish(session: Session, page: SitePage, version: int, texts: Mapping[str, str], now: datetime) -> None:
    """Append a version of a page."""
    session.add(PageRow(page=page.value, version=version, texts=dict(texts), published_at=now))


def history(session: Session) -> Sequence[PageRow]:
    """All versions of all pages, newest first."""
    return session.scalars(select(PageRow).order_by(PageRow.published_at.desc(), PageRow.page, PageRow.version)).all()


def _settings(session: Session) -> JsonObject:
    row = session.get(SiteRow, _ROW)
    return row.settings if row else {}


def _newest(session: Session) -> Sequence[PageRow]:
    last = select(PageRow.page, func.max(PageRow.version).label("version")).group_by(PageRow.page).subquery()
    same = (PageRow.page == last.c.page) & (PageRow.version == last.c.version)
    return session.scalars(select(PageRow).join(last, same)).all()


def _version(row: PageRow) -> PageVersion:
    return PageVersion(row.version, row.texts, row.published_at)


def check_open(session: Session, part: Part) -> None:
    """Check that this part is open.

    Raises:
        Closed: The operator has closed it.
    """
    if not is_open(session, part):
        raise Closed(rule=part)


def is_open(session: Session, part: Part) -> bool:
    """Whether this part is open."""
    return not session.connection().execute(_CLOSED, {"part": part.value}).scalar()


def closed_parts(session: Session) -> list[Part]:
    """The parts that are closed."""
    return [part for part in Part if not is_open(session, part)]


def flags(session: Session) -> dict[Part, FlagRow | None]:
    """The flag of every part; None if it was never set."""
    return {part: session.get(FlagRow, part.value) for part in Part}


def put_flag(session: Session, part: Part, *, closed: bool, reason: str, now: datetime) -> bool:
    """Close or open a part, unless it is so already; every process sees it in its next transaction."""
    if closed is not is_open(session, part):
        return False
    session.merge(FlagRow(name=part.value, closed=closed, reason=reason, changed_at=now))
    return True
