"""Single settings by key, such as `name` or `imprint.en`, for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.domain.errors import Invalid
from arena.domain.schemas.site import SiteChangeRequest
from arena.domain.site import LANGUAGES, PromptCheck, SitePage
from arena.usecases.operated_site.pages import drafts
from arena.usecases.operated_site.site_file import exported

if TYPE_CHECKING:
    from arena.domain.site import OperatedSite

PLAIN: Final = ("name", "mark", "languages", "prompt_checks", "accent")
TRANSLATED: Final = ("announcement", "ideas")
KEYS: Final = (
    *PLAIN,
    *(f"{name}.{language}" for name in (*TRANSLATED, *SitePage) for language in LANGUAGES),
)
"""All keys; a page or a text has one for each language."""


def setting(site: OperatedSite, key: str) -> str:
    """The value of a key as text; for a page that is not published, its draft if there is one.

    Raises:
        Invalid: There is no such key.
    """
    name, language = _split(key)
    file = exported(site).model_dump(mode="json")
    if not language:
        value = file[name]
    elif name in TRANSLATED:
        value = file[name].get(language, "")
    else:
        value = file["pages"].get(name, {}).get(language) or drafts()[SitePage(name)].get(language, "")
    return _text(value, ", " if name == "languages" else "\n")


def changed(site: OperatedSite, key: str, value: str) -> SiteChangeRequest:
    """The change that sets a key and keeps the other languages of its text; an empty value removes it.

    Raises:
        Invalid: There is no such key, or no such choice.
    """
    name, language = _split(key)
    if name == "prompt_checks" and value not in {*PromptCheck}:
        raise Invalid(field=name, rule="choice", choices=[*PromptCheck])
    if not language:
        return SiteChangeRequest.model_validate({name: _list(value, ",") if name == "languages" else value})
    if name in TRANSLATED:
        earlier: dict[str, object] = dict(getattr(site, name))
        return SiteChangeRequest.model_validate({name: _with(earlier, language, _item(name, value))})
    page = site.published(SitePage(name))
    texts = _with(dict(page.texts) if page else {}, language, value)
    return SiteChangeRequest.model_validate({"pages": {name: texts}})


def _split(key: str) -> tuple[str, str]:
    if key not in KEYS:
        raise Invalid(
            field=key[:40], rule="choice", choices=[*PLAIN, *(f"{name}.en" for name in (*TRANSLATED, *SitePage))]
        )
    name, _, language = key.partition(".")
    return name, language


def _text(value: str | list[str], separator: str) -> str:
    return value if isinstance(value, str) else separator.join(value)


def _item(name: str, value: str) -> str | list[str]:
    return _list(value, "\n") if name == "ideas" else value


def _list(value: str, separator: str) -> list[str]:
    return [part.strip() for part in value.split(separator) if part.strip()]


def _with(texts: dict[str, object], language: str, value: str | list[str]) -> dict[str, object]:
    """The texts with a new one for a language, or without it if that is empty."""
    return {code: text for code, text in (texts | {language: value}).items() if text}
