"""All that the scripted models understand and say, and a prompt as they read it."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache, reduce
from importlib import resources
from typing import Final

from pydantic import BaseModel

LIMIT: Final = 400
"""Characters; a longer prompt is understood by work on a text alone, as it hardly asks for one number or name."""
_LONG: Final = 6_000
"""Characters of a prompt that are read at all."""
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_INVISIBLE: Final = re.compile(
    r"[^\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)

Answer = tuple[str, str]
"""Short and plain, and thorough."""


class Saying(BaseModel):
    """An answer in two languages."""

    en: Answer
    zh: Answer


class Note(Saying):
    """A fixed answer, and the subjects by which a prompt asks for it, in small letters."""

    ask: list[str]


class Form(Saying):
    """An answer that takes up the subject of a prompt, found by patterns with one group."""

    ask: list[re.Pattern[str]]


class Table(Form):
    """Facts of one kind, such as countries their capital: subject, then value, each in English and Chinese."""

    rows: list[tuple[str, str, str, str]]


class Unit(BaseModel):
    """A unit of measure: how prompts and answers call it, and its size in the base unit of its kind."""

    kind: str
    size: str
    names: list[str]
    en: str
    zh: str


class Notes(BaseModel):
    """The content of `notes.toml`."""

    writings: list[Note]
    facts: list[Note]
    forms: list[Form]
    advice: list[Form]


class Script(BaseModel):
    """The content of `script.toml`."""

    asking: re.Pattern[str]
    simplified: str
    traditional: str
    traditional_words: list[tuple[str, str]]
    numerals: re.Pattern[str]
    signs: list[tuple[re.Pattern[str], str]]
    expression: re.Pattern[str]
    date: re.Pattern[str]
    larger: list[re.Pattern[str]]
    letters: list[re.Pattern[str]]
    translate: list[re.Pattern[str]]
    puzzles: dict[str, re.Pattern[str]]
    work: dict[str, re.Pattern[str]]
    units: list[Unit]
    phrases: list[tuple[str, str, str]]
    tables: list[Table]
    texts: dict[str, Saying]


@cache
def script() -> Script:
    """All that the scripted models understand."""
    return Script.model_validate(_content("script.toml"))


@cache
def notes() -> Notes:
    """All that the scripted models know by heart."""
    return Notes.model_validate(_content("notes.toml"))


def _content(name: str) -> dict[str, object]:
    return tomllib.loads(resources.files("arena_providers.demo").joinpath(name).read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt in half-width, simplified characters; `text` is empty if it is too long, `whole` is not.

    Earlier prompts are not looked at.
    """

    text: str
    zh: bool
    traditional: bool = False
    whole: str = ""

    @property
    def parts(self) -> tuple[str, str]:
        """The question, and the text that it is asked about, after a blank line or a colon."""
        separator = re.search(r"\n\s*\n|[:：]\s|[:：](?=[\u201c\u4e00-\u9fff\"])|\n", self.whole)
        return (
            (self.whole[: separator.start()], self.whole[separator.end() :].strip(' \n"“”'))
            if separator
            else (self.whole, "")
        )

    @property
    def after_colon(self) -> Question:
        """The text behind a lead-in such as “Answer this question:”, or nothing."""
        return replace(self, text=self.text.partition(":")[2].strip(' "“”'))

    def say(self, name: str, /, **values: object) -> Answer:
        """The two sentences of a name in the language of the prompt: Chinese, or else English."""
        short, thorough = self.of(script().texts[name])
        return short.format(**values), thorough.format(**values)

    def of(self, texts: Saying) -> Answer:
        """An answer in the language of the prompt."""
        return texts.zh if self.zh else texts.en

    def spell(self, text: str) -> str:
        """A text in the characters of the prompt."""
        if not self.traditional:
            return text
        text = text.translate(_table("simplified", "traditional"))
        return reduce(lambda result, words: result.replace(words[0], words[1]), script().traditional_words, text)


def read(prompt: str) -> Question:
    """The prompt without invisible characters, and whether to answer in Chinese."""
    text = _INVISIBLE.sub(" ", prompt[:_LONG]).translate(_FULL_WIDTH).strip()
    modern = reduce(lambda result, words: result.replace(words[1], words[0]), script().traditional_words, text)
    simplified_text = modern.translate(_table("traditional", "simplified"))
    traditional, text = simplified_text != text, simplified_text
    han = 0 if re.search(r"[\u3040-\u30ff]", text) else len(re.findall(r"[\u3400-\u9fff]", text))
    zh = han > 0 and han * 5 >= len(re.findall(r"[^\W\d_]", text))
    return Question(text if len(text) <= LIMIT else "", zh, traditional and zh, text)


@cache
def _table(source: str, target: str) -> dict[int, int]:
    return str.maketrans(getattr(script(), source), getattr(script(), target))
