"""Changes of the site, from the operator's page, the API, the terminal or an imported file."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.adapters.store import site as stored
from arena.domain import site as rules
from arena.domain.errors import Invalid
from arena.domain.prose import prose
from arena.domain.site import MARK_LIMIT, SitePage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.images.recoding import Recoder
    from arena.adapters.store.engine import Database
    from arena.domain.schemas.site import SiteChangeRequest


@dataclass(frozen=True, slots=True)
class CheckedChange:
    """A valid change: settings in their stored form, and texts of pages to publish."""

    settings: Mapping[str, object]
    pages: Mapping[SitePage, Mapping[str, str]]


async def apply(
    database: Database, recoder: Recoder, request: SiteChangeRequest, now: datetime, shipped_terms: int = 0
) -> None:
    """Check the whole change, then store it in one transaction.

    A page whose texts have not changed gets no new version. `shipped_terms` is the version of the arena's own terms,
    after which the versions of the operator's begin.

    Raises:
        Invalid, ImageRefused: A part of it breaks a rule; nothing is stored.
    """
    change = await check(request, recoder)
    await database.write(_store, change, now, shipped_terms)


def target(request: SiteChangeRequest) -> str:
    """The names of the settings and pages that a change has, for the target of its act."""
    settings = [name for name in request.model_fields_set if name != "pages" and getattr(request, name) is not None]
    return ", ".join(sorted([*settings, *(request.pages or {})]))


async def check(request: SiteChangeRequest, recoder: Recoder) -> CheckedChange:
    """Check every part of a change, and decode its mark.

    Raises:
        Invalid, ImageRefused: As in `apply`.
    """
    settings = request.model_dump(exclude_none=True, exclude={"pages"}, mode="json")
    pages = request.pages or {}
    if not settings and request.pages is None:
        raise Invalid(rule="nothing")
    rules.check_name(request.name or "")
    rules.check_announcement(request.announcement or {})
    rules.check_languages(tuple(request.languages or ()))
    rules.check_accent(request.accent or "")
    rules.check_ideas(request.ideas or {})
    rules.check_pages(pages)
    _check_prose(pages)
    if request.mark:
        settings["mark"] = await _decode(request.mark, recoder)
    if request.languages:
        settings["languages"] = [code for code in rules.LANGUAGES if code in request.languages]
    return CheckedChange(settings, pages)


def _check_prose(pages: Mapping[SitePage, Mapping[str, str]]) -> None:
    for page, texts in pages.items():
        for language, text in texts.items():
            try:
                prose(text)
            except Invalid:
                raise Invalid(field=f"{page}.{language}", rule="elements") from None


async def _decode(text: str, recoder: Recoder) -> dict[str, str]:
    """The mark from base64, encoded again by the arena, so that it is an image and nothing else."""
    if len(text) > MARK_LIMIT * 4 // 3 + 4:
        raise Invalid(field="mark", rule="bytes", limit=MARK_LIMIT)
    try:
        file = b64decode(text, validate=True)
    except NotBase64:
        raise Invalid(field="mark", rule="base64") from None
    async with recoder.place():
        image = await recoder.recode(file)
    if len(image.data) > MARK_LIMIT:
        raise Invalid(field="mark", rule="bytes", limit=MARK_LIMIT)
    return {"media_type": image.media_type, "data": b64encode(image.data).decode()}


def _store(session: Session, change: CheckedChange, now: datetime, shipped_terms: int) -> None:
    stored.lock(session)
    if change.settings:
        stored.put(session, change.settings, now)
    newest = stored.load(session).pages
    for page, texts in change.pages.items():
        last = newest.get(page)
        if (last.texts if last else {}) == texts:
            continue
        version = last.version if last else shipped_terms if page is SitePage.TERMS else 0
        stored.publish(session, page, version + 1, texts, now)
