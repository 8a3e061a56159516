"""Single settings by key, such as `name` or `imprint.en`, for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.domain.errors import Invalid
from arena.domain.schemas.site import SiteChangeRequest
from arena.domain.site import KEYS, PLAIN, TRANSLATED, PromptCheck, SitePage
from arena.usecases.operated_site.pages import drafts
from arena.usecases.operated_site.site_file import exported
from arena.usecases.operated_site.versions import values, versions

if TYPE_CHECKING:
    from pydantic import JsonValue

    from arena.domain.site import OperatedSite


def setting(site: OperatedSite, key: str) -> str:
    """The value of a key as text; for a page that is not published, its draft if there is one.

    Raises:
        Invalid: There is no such key.
    """
    name, language = _split(key)
    value = values(exported(site))[key]
    if value is None and name in {*SitePage}:
        value = drafts()[SitePage(name)].get(language)
    return _text(value or "", ", " if name == "languages" else "\n")


def changed(site: OperatedSite, key: str, value: str) -> SiteChangeRequest:
    """The change that sets this key alone, if it is still as in `site`; an empty value removes it.

    Raises:
        Invalid: There is no such key, or no such choice.
    """
    name, language = _split(key)
    if name == "prompt_checks" and value not in {*PromptCheck}:
        raise Invalid(field=name, rule="choice", choices=[*PromptCheck])
    edit = _edit(name, value)
    content = {name: {language: edit} if language else edit}
    change = {"pages": content} if name in {*SitePage} else content
    return SiteChangeRequest.model_validate(change | {"versions": {key: versions(exported(site))[key]}})


def _split(key: str) -> tuple[str, str]:
    if key not in KEYS:
        raise Invalid(
            field=key[:40], rule="choice", choices=[*PLAIN, *(f"{name}.en" for name in (*TRANSLATED, *SitePage))]
        )
    name, _, language = key.partition(".")
    return name, language


def _text(value: JsonValue, separator: str) -> str:
    return separator.join(map(str, value)) if isinstance(value, list) else str(value)


def _edit(name: str, value: str) -> str | list[str]:
    separator = {"languages": ",", "ideas": "\n"}.get(name)
    return _list(value, separator) if separator else value


def _list(value: str, separator: str) -> list[str]:
    return [part.strip() for part in value.split(separator) if part.strip()]
