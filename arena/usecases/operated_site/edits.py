"""Changes of the site, from the operator's page, the API, the terminal or an imported file."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from arena.adapters.store import site as stored
from arena.domain import site as rules
from arena.domain.errors import Invalid
from arena.domain.site import MARK_LIMIT, TRANSLATED, SitePage
from arena.usecases.operated_site.prose import prose
from arena.usecases.operated_site.site_file import exported
from arena.usecases.operated_site.versions import check_versions, edited

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.images.recoding import Recoder
    from arena.adapters.store.engine import Database
    from arena.domain.schemas.site import SiteChangeRequest
    from arena.domain.site import OperatedSite

_Text = TypeVar("_Text", str, "list[str]")


@dataclass(frozen=True, slots=True)
class CheckedChange:
    """A valid change: settings in their stored form, texts of pages to publish, and what its editor has seen."""

    settings: dict[str, Any]
    pages: Mapping[SitePage, Mapping[str, str]]
    keys: Sequence[str]
    seen: Mapping[str, str]


async def apply(
    database: Database, recoder: Recoder, request: SiteChangeRequest, now: datetime, shipped_terms: int = 0
) -> bool:
    """Check the whole change, then store it in one transaction; False if it changes nothing.

    A page whose texts have not changed gets no new version. `shipped_terms` is the version of the arena's own terms,
    after which the versions of the operator's begin.

    Raises:
        Invalid, ImageRefused: A part of it breaks a rule; nothing is stored.
        SiteChanged: What it edits has changed since its editor saw it; nothing is stored.
    """
    change = await check(request, recoder)
    return await database.write(_store, change, now, shipped_terms)


def target(request: SiteChangeRequest) -> str:
    """The names of the settings and pages that a change has, for the target of its act."""
    others = request.model_fields_set - {"pages", "versions"}
    settings = [name for name in others if getattr(request, name) is not None]
    return ", ".join(sorted([*settings, *(request.pages or {})]))


async def check(request: SiteChangeRequest, recoder: Recoder) -> CheckedChange:
    """Check every part of a change, and decode its mark.

    Raises:
        Invalid, ImageRefused: As in `apply`.
    """
    settings = request.model_dump(exclude_none=True, exclude={"pages", "versions"}, mode="json")
    pages = request.pages or {}
    if not settings and request.pages is None:
        raise Invalid(rule="nothing")
    _check_all(
        partial(rules.check_name, request.name or ""),
        partial(rules.check_announcement, request.announcement or {}),
        partial(rules.check_languages, tuple(request.languages or ())),
        partial(rules.check_accent, request.accent or ""),
        partial(rules.check_ideas, request.ideas or {}),
    )
    rules.check_pages(pages)
    _check_prose(pages)
    if request.mark:
        settings["mark"] = await _decode(request.mark, recoder)
    if request.languages:
        settings["languages"] = [code for code in rules.LANGUAGES if code in request.languages]
    return CheckedChange(settings, pages, edited(request), request.versions or {})


def _check_all(*checks: Callable[[], None]) -> None:
    """Check the settings, and name all that break a rule at once."""
    faults = list[Invalid]()
    for check_setting in checks:
        try:
            check_setting()
        except Invalid as fault:
            faults.append(fault)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise Invalid("; ".join(map(str, faults)), problems=[dict(fault.params) for fault in faults])


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
    except ValueError:
        raise Invalid(field="mark", rule="base64") from None
    async with recoder.place():
        image = await recoder.recode(file)
    if len(image.data) > MARK_LIMIT:
        raise Invalid(field="mark", rule="bytes", limit=MARK_LIMIT)
    return {"media_type": image.media_type, "data": b64encode(image.data).decode()}


def _store(session: Session, change: CheckedChange, now: datetime, shipped_terms: int) -> bool:
    stored.lock(session)
    site = stored.load(session)
    check_versions(exported(site), change.seen, change.keys)
    is_new = stored.put(session, change.settings | _translations(site, change.settings), now)
    for page, edit in change.pages.items():
        last = site.pages.get(page)
        earlier: Mapping[str, str] = last.texts if last else {}
        texts = _merged(earlier, edit)
        if earlier == texts:
            continue
        version = last.version if last else shipped_terms if page is SitePage.TERMS else 0
        stored.publish(session, page, version + 1, texts, now)
        is_new = True
    return is_new


def _translations(site: OperatedSite, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with a value for each language, with those of the languages that the change does not have."""
    return {name: _merged(getattr(site, name), settings[name]) for name in TRANSLATED if name in settings}


def _merged(earlier: Mapping[str, _Text], edit: Mapping[str, _Text]) -> dict[str, _Text]:
    """The texts with those of an edit, without those that it empties; an empty edit empties all."""
    return {language: text for language, text in (dict(earlier) | dict(edit)).items() if text} if edit else {}
