"""The site as one file, for example to move it from a test arena to the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from arena.domain.errors import Invalid
from arena.domain.schemas.site import SiteChangeRequest, SiteFileView
from arena.domain.site import LANGUAGES

if TYPE_CHECKING:
    from arena.domain.schemas.site import SiteDocument
    from arena.domain.site import OperatedSite

FORMAT: Final = "arena-site"
VERSION: Final = 1
"""Newest version of the file that this arena reads."""


def exported(site: OperatedSite) -> SiteFileView:
    """The file of a site, with the texts of its published pages."""
    return SiteFileView(
        name=site.name,
        mark=site.mark.base64 if site.mark else "",
        announcement=dict(site.announcement),
        languages=list(site.languages),
        prompt_checks=site.prompt_checks,
        accent=site.accent,
        ideas=dict(site.ideas),
        pages={page: dict(version.texts) for page, version in site.pages.items() if version.texts},
    )


def parsed(data: bytes) -> SiteDocument:
    """The document in the bytes of a file.

    Raises:
        Invalid: They are not a JSON object.
    """
    try:
        document: Any = from_json(data)
    except ValueError:
        raise Invalid(rule="site_file") from None
    if not isinstance(document, dict):
        raise Invalid(rule="site_file")
    return cast("SiteDocument", document)


def read(document: SiteDocument) -> SiteChangeRequest:
    """The change that a file makes; settings and pages that it lacks stay as they are, languages of its texts do not.

    Raises:
        Invalid: It is not such a file, is of a newer version, or has an unknown or malformed field.
    """
    version = document.get("version")
    if document.get("format") != FORMAT or not isinstance(version, int):
        raise Invalid(rule="site_file")
    if version > VERSION:
        raise Invalid(rule="site_version", version=version, limit=VERSION)
    content = {name: value for name, value in document.items() if name not in {"format", "version"}}
    if "versions" in content:
        raise Invalid(field="versions", rule="unknown")
    try:
        return _whole(SiteChangeRequest.model_validate_json(to_json(content)))
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(str(step) for step in fault["loc"])[:80]
        rule = "unknown" if fault["type"] == "extra_forbidden" else "form"
        raise Invalid(field=field, rule=rule) from None


def _whole(request: SiteChangeRequest) -> SiteChangeRequest:
    """The change with an empty text for each language that a text of it lacks."""
    empty = dict.fromkeys(LANGUAGES, "")
    no_ideas = {language: list[str]() for language in LANGUAGES}
    whole = {
        "announcement": request.announcement and empty | request.announcement,
        "ideas": request.ideas and no_ideas | request.ideas,
        "pages": request.pages and {page: texts and empty | texts for page, texts in request.pages.items()},
    }
    return request.model_copy(update=whole)
