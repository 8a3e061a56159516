"""Texts of the pages, one file per language, and language negotiation."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from arena.domain.site import LANGUAGES
from arena.domain.terms import JsonObject

FALLBACK: Final = "en"
TRADITIONAL: Final = frozenset({"hant", "tw", "hk", "mo"})
"""Parts of a Chinese tag that ask for traditional characters; the words are those of Taiwan."""
BASES: Final = {"zh-TW": "zh"}
"""Where a language takes the words that it does not have yet, so that no page breaks for want of one."""
OWN: Final = {
    "side_by_side": ("chat:", "side_by_side:"),
    "direct": ("chat:", "direct:"),
    "evaluations": ("evaluations:",),
}
"""Prefixes of keys by which a page overrides shared texts; later ones take precedence."""
OWNERS: Final = {"Arena demo": "owner.demo", "imported": "owner.imported", "unknown": "owner.unknown"}
"""Texts of the owners that are no people: of built-in models, of models known from imported votes, and of added ones
whose owner nobody has named."""
FOLDER: Final = Path(__file__).parent / "locales"
_BLANK: Final = re.compile(r"\{(?P<name>\w+)(?:\|(?P<forms>[^{}]*))?\}")


@dataclass(frozen=True)
class Texts:
    """All texts of a language, by key."""

    language: str
    table: JsonObject

    def __getitem__(self, key: str) -> str:
        return self.table[key]

    def fill(self, key: str, **values: object) -> str:
        """Fill the blanks of a text: `{votes}` is a value, `{votes|vote|votes}` the word that goes with it."""

        def filled(blank: re.Match[str]) -> str:
            name, forms = blank["name"], blank["forms"]
            if name not in values:
                return blank[0]
            return str(values[name]) if forms is None else _form(forms.split("|"), str(values[name]))

        return _BLANK.sub(filled, self.table[key])

    def named(self, key: str, word: str) -> str:
        """Return the text `key.word`, or the word itself if there is none."""
        return self.table.get(f"{key}.{word}", word)

    def language_name(self, code: str) -> str:
        """Return the name of a language in the reader's language, or the code if it has none."""
        return self["filter.language.other"] if code == "other" else _language_names()[self.language].get(code, code)

    def listed(self, parts: list[str]) -> str:
        """Return the parts as a list in one line."""
        return ("\N{IDEOGRAPHIC COMMA}" if self.language in ("zh", "zh-TW") else ", ").join(parts)

    def languages(self, codes: list[str]) -> str:
        """Return what an endpoint can answer; no code says any."""
        return self.listed([self.language_name(code) for code in codes]) or self["language.any"]

    def board(self, category: str, language: str) -> str:
        """Return the name of a board."""
        parts = [category and self.named("category", category), language and self.language_name(language)]
        return " · ".join(filter(None, parts)) or self["filter.all"]

    def owner(self, name: str) -> str:
        """Return an owner's name, in the reader's language where the owner is no person."""
        return self.table[OWNERS[name]] if name in OWNERS else name

    def form(self, key: str, number: int) -> str:
        """Return the word that goes with a number, of a text such as `{count|vote|votes}`; see assets/plurals.js."""
        return self.fill(key, count=number)

    def on(self, page: str) -> Texts:
        """Return the texts with a page's own overrides."""
        words = {
            key.removeprefix(start): text
            for start in OWN.get(page, ())
            for key, text in self.table.items()
            if key.startswith(start)
        }
        return Texts(self.language, self.table | words)

    @property
    def about(self) -> str:
        """Return the about page as Markdown."""
        return (FOLDER / f"about.{self.language}.md").read_text(encoding="utf-8")


def _form(forms: list[str], number: str) -> str:
    """Choose the form of a word; languages with more than two have none of their texts here."""
    return forms[0] if number == "1" else forms[-1]


@cache
def _language_names() -> dict[str, dict[str, str]]:
    return json.loads((FOLDER / "language_names.json").read_text(encoding="utf-8"))


@cache
def texts(language: str) -> Texts:
    """Load the texts of one of `LANGUAGES`."""
    table = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return Texts(language, texts(BASES[language]).table | table if language in BASES else table)


def match(tag: str, offered: tuple[str, ...] = LANGUAGES) -> str | None:
    """Return the page language for a language tag such as `zh-Hans-CN`, of those that are offered, or None."""
    wish = _page_language(tag)
    near = (code for code in offered if wish and code.split("-")[0] == wish.split("-")[0])
    return wish if wish in offered else next(near, None)


def _page_language(tag: str) -> str | None:
    primary, *parts = tag.strip().lower().split("-")
    if primary == "zh" and TRADITIONAL.intersection(parts) and "hans" not in parts:
        return "zh-TW"
    return primary if primary in LANGUAGES else None


def negotiate(*, query: str | None, cookie: str | None, accept: str, offered: tuple[str, ...] = LANGUAGES) -> str:
    """Return the visitor's language: from `?lang=`, else the cookie, else Accept-Language."""
    for wish in (query, cookie):
        result = match(wish, offered) if wish else None
        if result:
            return result
    return _best_accepted(accept, offered) or (FALLBACK if FALLBACK in offered else offered[0])


def _best_accepted(header: str, offered: tuple[str, ...]) -> str | None:
    ranked: list[tuple[float, int, str]] = []
    for place, part in enumerate(header.split(",")[:20]):
        tag, _, weight = part.partition(";")
        result = match(tag, offered)
        if result:
            ranked.append((-_quality(weight), place, result))
    accepted = [language for quality, _, language in sorted(ranked) if quality < 0]
    return accepted[0] if accepted else None


def _quality(weight: str) -> float:
    name, _, value = weight.strip().partition("=")
    if name != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
