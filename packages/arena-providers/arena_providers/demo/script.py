"""The content of the scripted models' files, and the normal form of a prompt."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache, cached_property, reduce
from importlib import resources
from typing import Any, Final

from pydantic import BaseModel

LIMIT: Final = 400
"""Most characters of a prompt for a number or a name; longer ones are only read as work on a text."""
_MAX_PROMPT: Final = 6_000
"""Most characters of a prompt that are read."""
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_INVISIBLE: Final = re.compile(
    r"[^\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)

Answer = tuple[str, str]
"""The short and the thorough answer."""


class Saying(BaseModel):
    """An answer in two languages."""

    en: Answer
    zh: Answer


class Note(Saying):
    """A fixed answer, and the subjects that ask for it, in lower case.

    A prompt asks for one of `ask` if it asks for nothing else; `prompts` are those of the start page, word by word.
    A note with a `kind` answers only prompts that ask for that kind in so many words; one of kinds in `also` may.
    """

    ask: list[str]
    kind: str = ""
    also: list[str] = []
    prompts: list[str] = []

    @cached_property
    def subjects(self) -> list[tuple[str, list[str]]]:
        """All subjects, each with its words as they begin in a text: a Latin one after a space."""
        return [
            (subject, [f" {word.replace('_', ' ')}" if word.isascii() else word for word in subject.split()])
            for subject in self.ask
        ]


class Table(Saying):
    """Facts of one kind, such as capitals of countries: subject, then value, each in English and Chinese."""

    ask: list[re.Pattern[str]]
    rows: list[tuple[str, str, str, str]]


class Unit(BaseModel):
    """A unit of measure: its names in prompts and answers, and its size in the base unit of its kind."""

    kind: str
    size: str
    names: list[str]
    en: str
    zh: str


class Notes(BaseModel):
    """The content of the files of notes."""

    writings: list[Note]
    facts: list[Note]


class Script(BaseModel):
    """The content of `script.toml`."""

    asking: re.Pattern[str]
    filler: re.Pattern[str]
    limit: re.Pattern[str]
    around: re.Pattern[str]
    formulas: dict[str, re.Pattern[str]]
    formal: list[tuple[re.Pattern[str], str]]
    kinds: dict[str, re.Pattern[str]]
    counting: re.Pattern[str]
    dating: re.Pattern[str]
    number: re.Pattern[str]
    itself: re.Pattern[str]
    amount: re.Pattern[str]
    languages: re.Pattern[str]
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
    dates: dict[str, re.Pattern[str]]
    edits: dict[str, re.Pattern[str]]
    work: dict[str, re.Pattern[str]]
    units: list[Unit]
    phrases: list[tuple[str, str, str]]
    tables: list[Table]
    texts: dict[str, Saying]


@cache
def script() -> Script:
    """The parsed content of `script.toml`."""
    return Script.model_validate(content_of("script.toml"))


@cache
def notes() -> Notes:
    """The parsed content of the files of notes."""
    first, *further = map(content_of, ("notes.toml", "knowledge.toml", "everyday.toml", "code.toml"))
    lists = {name: [*first[name], *(note for file in further for note in file.get(name, ()))] for name in first}
    return Notes.model_validate(lists)


def is_idle(text: str) -> bool:
    """Whether a text has no word but those of asking and those that make a request no other one."""
    return not any(map(str.isalnum, script().asking.sub("", script().filler.sub(" ", text.lower()))))


def find_alone(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first match of a pattern in a text that says nothing else."""
    match = pattern.search(text)
    return match if match and is_alone(f"{text[: match.start()]} {text[match.end() :]}") else None


def is_alone(rest: str) -> bool:
    """Whether what a prompt says around a sum, a measure or a given text changes nothing of what is asked."""
    return is_idle(script().around.sub(" ", script().work["unit"].sub(" ", rest.lower())))


def content_of(name: str) -> dict[str, Any]:
    """The parsed content of a file beside this module."""
    return tomllib.loads(resources.files("arena_providers.demo").joinpath(name).read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt in half-width, simplified characters; `text` is empty for one over `LIMIT`, `whole` is not."""

    text: str
    zh: bool
    traditional: bool = False
    whole: str = ""

    @property
    def parts(self) -> tuple[str, str]:
        """The question, and the text that it is about, after a blank line or a colon."""
        separator = re.search(r"\n\s*\n|[:：]\s|[:：](?=[\u201c\u4e00-\u9fff\"])|\n", self.whole)
        return (
            (self.whole[: separator.start()], self.whole[separator.end() :].strip(' \n"“”'))
            if separator
            else (self.whole, "")
        )

    @property
    def after_colon(self) -> Question:
        """The question after an introduction such as “Answer this question:”, or an empty one."""
        return replace(self, text=self.text.partition(":")[2].strip(' "“”'))

    def say(self, name: str, /, **values: object) -> Answer:
        """The formatted answer of this name in the language of the prompt."""
        short, thorough = self.of(script().texts[name])
        return short.format(**values), thorough.format(**values)

    def of(self, texts: Saying) -> Answer:
        """The answer in the language of the prompt, Chinese or English."""
        return texts.zh if self.zh else texts.en

    def spell(self, text: str) -> str:
        """A text in traditional characters if the prompt has them."""
        if not self.traditional:
            return text
        text = text.translate(_table("simplified", "traditional"))
        return reduce(lambda result, words: result.replace(words[0], words[1]), script().traditional_words, text)


def read(prompt: str) -> Question:
    """The normal form of a prompt, and the language and script of its answer."""
    text = _INVISIBLE.sub(" ", prompt[:_MAX_PROMPT]).translate(_FULL_WIDTH).strip()
    modern = reduce(lambda result, words: result.replace(words[1], words[0]), script().traditional_words, text)
    simplified_text = modern.translate(_table("traditional", "simplified"))
    traditional, text = simplified_text != text, simplified_text
    han = 0 if re.search(r"[\u3040-\u30ff]", text) else len(re.findall(r"[\u3400-\u9fff]", text))
    zh = han > 0 and han * 5 >= len(re.findall(r"[^\W\d_]", text))
    return Question(text if len(text) <= LIMIT else "", zh, traditional and zh, text)


@cache
def _table(source: str, target: str) -> dict[int, int]:
    return str.maketrans(getattr(script(), source), getattr(script(), target))
