"""The operator's settings of the site: name, mark, announcement, languages, prompt checks, pages.

All checks run before anything is stored, so a file is imported completely or not at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from arena.domain.errors import Invalid
from arena.domain.text import name_line, well_formed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from arena_providers.terms import Image

LOCAL: Final = ("127.0.0.1", "localhost", "::1")
"""Hosts that only this machine reaches; a sign-in provider there needs no TLS."""
LANGUAGES: Final = ("zh", "zh-TW", "en")
"""Languages of the pages, in the order of the switch."""
NAME_LIMIT: Final = 40
ANNOUNCEMENT_LIMIT: Final = 300
PAGE_LIMIT: Final = 20_000
"""Characters of a page in one language."""
MARK_LIMIT: Final = 32_768
"""Bytes of the mark."""
IDEAS_LIMIT: Final = 12
"""Prompt ideas in one language."""
IDEA_LIMIT: Final = 300
BLANK: Final = re.compile(r"\[\[[^\[\]\n]*\]\]|^> \*\*(?:Draft|草稿)", re.MULTILINE)
"""A blank of a draft, such as `[[name and address]]`, or the line that marks the text as a draft."""
_ACCENT: Final = re.compile(r"#[0-9a-f]{6}")
_CONTRAST: Final = 4.5
"""Least contrast of white text on the accent colour (WCAG 2.2, level AA)."""
_DARK: Final = 0.04045
"""Value of a channel up to which sRGB is linear."""


FALLBACK: Final = "en"
"""Language of texts that the operator has not written in the reader's language."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host: one of `LOCAL`, or another address of 127.0.0.0/8."""
    return host in LOCAL or host.startswith("127.")


def nearest(languages: Sequence[str], language: str) -> str:
    """The best of `languages` for a reader of `language`; an empty string if there are none.

    It is the same one, or that without its region, or English, or the first.
    """
    candidates = (language, language.split("-", maxsplit=1)[0], FALLBACK, *languages)
    return next((candidate for candidate in candidates if candidate in languages), "")


class SitePage(StrEnum):
    """Pages with texts of the operator."""

    IMPRINT = "imprint"
    PRIVACY = "privacy"
    TERMS = "terms"


PLAIN: Final = ("name", "mark", "languages", "prompt_checks", "accent")
"""Settings with one value."""
TRANSLATED: Final = ("announcement", "ideas")
"""Settings with a value for each language, as pages have."""
KEYS: Final = (
    *PLAIN,
    *(f"{name}.{language}" for name in (*TRANSLATED, *SitePage) for language in LANGUAGES),
)
"""Keys of all that can be edited by itself, such as `name` or `imprint.en`."""


class PromptCheck(StrEnum):
    """The answer to a prompt about a crisis, health or safety: none, a line in the log, a warning, a refusal."""

    OFF = "off"
    LOG = "log"
    WARN = "warn"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class PageVersion:
    """A published version of a page, with its Markdown by language; without texts it withdraws the page."""

    version: int
    texts: Mapping[str, str]
    published_at: datetime


@dataclass(frozen=True, slots=True)
class OperatedSite:
    """All settings of the operator; empty ones keep the arena's defaults."""

    name: str = ""
    mark: Image | None = None
    announcement: Mapping[str, str] = field(default_factory=dict[str, str])
    languages: tuple[str, ...] = ()
    prompt_checks: PromptCheck = PromptCheck.OFF
    accent: str = ""
    ideas: Mapping[str, list[str]] = field(default_factory=dict[str, list[str]])
    pages: Mapping[SitePage, PageVersion] = field(default_factory=dict[SitePage, PageVersion])

    def published(self, page: SitePage) -> PageVersion | None:
        """The public version of a page, or None."""
        newest = self.pages.get(page)
        return newest if newest and newest.texts else None

    @property
    def terms(self) -> int:
        """The version number of the operator's terms, 0 before the first."""
        newest = self.pages.get(SitePage.TERMS)
        return newest.version if newest else 0


def check_name(name: str) -> None:
    """Check the arena's name; an empty one restores the default.

    Raises:
        Invalid: It is not a line of at most `NAME_LIMIT` characters.
    """
    if name:
        name_line("name", name, NAME_LIMIT)


def check_announcement(texts: Mapping[str, str]) -> None:
    """Check the text of the announcement bar by language; an empty one removes it.

    Raises:
        Invalid: Names language and rule.
    """
    for language, text in texts.items():
        _check_language("announcement", language)
        if text:
            _check_text(f"announcement.{language}", text, ANNOUNCEMENT_LIMIT)


def check_languages(languages: tuple[str, ...]) -> None:
    """Check the languages of the pages; none means all.

    Raises:
        Invalid: Names the unknown language.
    """
    for language in languages:
        _check_language("languages", language)


def check_accent(accent: str) -> None:
    """Check the accent colour, on which white text has to be readable; an empty one restores the default.

    Raises:
        Invalid: It is not of the form #rrggbb, or too light.
    """
    if accent and not _ACCENT.fullmatch(accent):
        raise Invalid(field="accent", rule="colour")
    if accent and 1.05 / (_luminance(accent) + 0.05) < _CONTRAST:
        raise Invalid(field="accent", rule="contrast")


def check_ideas(ideas: Mapping[str, list[str]]) -> None:
    """Check the prompt ideas by language.

    Raises:
        Invalid: Names language and rule.
    """
    for language, prompts in ideas.items():
        _check_language("ideas", language)
        if len(prompts) > IDEAS_LIMIT:
            raise Invalid(field=f"ideas.{language}", rule="most", limit=IDEAS_LIMIT)
        for prompt in prompts:
            _check_text(f"ideas.{language}", prompt, IDEA_LIMIT)


def check_pages(pages: Mapping[SitePage, Mapping[str, str]]) -> None:
    """Check texts before publication, by page and language; an empty one withdraws its language.

    Raises:
        Invalid: Names page, language and rule, such as a draft with blanks.
    """
    for page, texts in pages.items():
        for language, text in texts.items():
            _check_language(page, language)
            if text:
                _check_text(f"{page}.{language}", text, PAGE_LIMIT)
            if blanks := BLANK.findall(text):
                raise _unfinished(f"{page}.{language}", blanks)


def _unfinished(field: str, blanks: list[str]) -> Invalid:
    """The error of a draft: the sentence has its first blank as it stands there, the parameters all in words."""
    names = [blank.strip("[]") for blank in dict.fromkeys(blanks) if blank.startswith("[")]
    sentence = f"{field}: fill in or remove {blanks[0]} first"
    if not names:
        return Invalid(sentence, field=field, rule="draft_note")
    rule = "blank" if len(names) == len(set(blanks)) else "draft_blanks"
    return Invalid(sentence, field=field, rule=rule, blank=names)


def _check_language(place: str, language: str) -> None:
    if language not in LANGUAGES:
        raise Invalid(field=f"{place}.{language}"[:80], rule="choice", choices=list(LANGUAGES))


def _check_text(place: str, text: str, limit: int) -> None:
    if not text.strip() or len(text) > limit or well_formed(text) != text:
        raise Invalid(field=place, rule="text", limit=limit)


def _luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour, by WCAG 2.2."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= _DARK else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def imprint_missing(site: OperatedSite, address: str) -> bool:
    """Whether the arena's address is not local and there is no imprint."""
    return urlsplit(address).hostname not in LOCAL and site.published(SitePage.IMPRINT) is None
