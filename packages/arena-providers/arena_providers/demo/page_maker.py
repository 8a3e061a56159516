"""The web pages of the scripted models: a clock, a chart and a game, each plain and thorough, in two languages."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel

from arena_providers.demo.script import content_of, read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena_providers.demo.script import Question

_NUMBERS: Final = re.compile(r"(?<![\w.])\d{1,6}(?:\.\d{1,3})?(?![\w.])")
_MAX_BARS: Final = 12
"""Bars of a chart."""


class Words(BaseModel):
    """The texts of one page in one language, by the names of their placeholders."""

    title: str
    lead: str
    act: str


class ScriptedPage(BaseModel):
    """A page: the pattern of prompts for it, its texts in two languages, and its body and script."""

    ask: re.Pattern[str]
    en: Words
    zh: Words
    body: str
    script: str


class PageScript(BaseModel):
    """The content of `pages.toml`: a style sheet for each of the two styles, and the pages."""

    dark: re.Pattern[str]
    unable_en: str
    unable_zh: str
    styles: tuple[str, str]
    dark_style: str
    pages: list[ScriptedPage]


@cache
def page_script() -> PageScript:
    """All pages that the scripted models know."""
    return PageScript.model_validate(content_of("pages.toml"))


def can_make(prompt: str) -> bool:
    """Whether the scripted models have the page that a prompt asks for."""
    return _requested_page(read(prompt)) is not None


def page_answer(prompts: Sequence[str], place: int) -> str:
    """The page of the last prompt that asks for one, as a fenced block; else a text about the possible pages.

    `place` is the style: 0 is plain, 1 thorough. Later prompts may ask for dark colours.
    """
    script, questions = page_script(), [read(prompt) for prompt in prompts]
    requests = [(number, page) for number, question in enumerate(questions) if (page := _requested_page(question))]
    zh = questions[-1].zh
    if not requests:
        return script.unable_zh if zh else script.unable_en
    number, page = requests[-1]
    dark = any(script.dark.search(question.text) for question in questions[number:])
    text = questions[-1].spell(_document(page, questions[number].text, place, zh=zh, dark=dark))
    return f"```html\n{text}\n```"


def _requested_page(question: Question) -> ScriptedPage | None:
    return next((page for page in page_script().pages if page.ask.search(question.text)), None)


def _document(page: ScriptedPage, prompt: str, place: int, *, zh: bool, dark: bool) -> str:
    script, words = page_script(), page.zh if zh else page.en
    numbers = ", ".join(_NUMBERS.findall(prompt)[:_MAX_BARS]) or "3, 7, 4, 9, 5"
    style = script.styles[place] + (script.dark_style if dark else "")
    lead = f"<p>{words.lead}</p>" if place else ""
    text = (
        f'<!DOCTYPE html>\n<html lang="{"zh" if zh else "en"}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{words.title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{words.title}</h1>\n"
        f"{lead}{page.body}</main>\n<script>\n{page.script}</script>\n</body>\n</html>"
    )
    return text.replace("@act@", words.act).replace("@numbers@", numbers)
