"""The site as one file, for example to move it from a test arena to the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from arena.domain.errors import Invalid
from arena.domain.schemas.site import SiteChangeRequest, SiteFileView

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
    """The change that a file makes; settings that it lacks stay as they are.

    Raises:
        Invalid: It is not such a file, is of a newer version, or has an unknown or malformed field.
    """
    version = document.get("version")
    if document.get("format") != FORMAT or not isinstance(version, int):
        raise Invalid(rule="site_file")
    if version > VERSION:
        raise Invalid(rule="site_version", version=version, limit=VERSION)
    content = {name: value for name, value in document.items() if name not in {"format", "version"}}
    try:
        return SiteChangeRequest.model_validate_json(to_json(content))
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(str(step) for step in fault["loc"])[:80]
        rule = "unknown" if fault["type"] == "extra_forbidden" else "form"
        raise Invalid(field=field, rule=rule) from None
