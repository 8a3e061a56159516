"""A few facts, poems and phrases, found only when a prompt asks for one of them and for nothing else."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.adapters.providers.demo.question import only_asks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.adapters.providers.demo.question import Question

_QUOTES: Final = " \t\n'\"“”‘’「」《》.,!?。，！？:："
_INTO: Final = r"(?:simplified )?(?:chinese|mandarin|english)\b"
_TRANSLATE: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\btranslate[ :]+(?P<said>.{{1,60}}?)\s+(?:in)?to {_INTO}",
        rf"\b(?:how (?:do|would|can) (?:you|i|we) say|what(?:'s| is))\s+(?P<said>.{{1,60}}?)\s+in {_INTO}",
        r"^(?:请|帮我)?[把将]?(?P<said>.{1,40}?)(?:这句话|这个词)?(?:翻译成|翻译为|译成|译为)(?:中文|汉语|英文|英语)",
        r"^(?:请问)?(?P<said>.{1,40}?)用?(?:中文|汉语|英文|英语)(?:怎么|如何)(?:说|讲|表达)",
    )
)


class Note(NamedTuple):
    """The ways of asking for it, in small letters, and what there is to say in each language."""

    titles: tuple[str, ...]
    en: tuple[str, ...]
    zh: tuple[str, ...]


@cache
def _lines(name: str) -> tuple[str, ...]:
    text = (resources.files("arena.adapters.providers.demo") / "data" / name).read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def notes(name: str) -> tuple[Note, ...]:
    """All notes of a file: three lines each, `|` between titles and between sentences, ` / ` between lines of verse."""
    rows = iter(_lines(name))
    return tuple(
        Note(_parts(titles.lower()), _parts(en), _parts(zh)) for titles, en, zh in zip(rows, rows, rows, strict=True)
    )


@cache
def phrases() -> dict[str, str]:
    """Each phrase in the other language, with how the Chinese one is spoken."""
    found: dict[str, str] = {}
    for line in _lines("phrases.txt"):
        en, zh, spoken = _parts(line)
        found |= {en.lower(): f"{zh} ({spoken})", zh: en}
    return found


def noted(question: Question) -> tuple[str, ...] | None:
    """The fact that a question asks for."""
    return _asked_for(question, notes("notes.txt"))


def recited(question: Question) -> tuple[str, ...] | None:
    """A well-known poem where one is to be written: better than nothing, and it says so."""
    return _asked_for(question, notes("poems.txt"))


def _asked_for(question: Question, known: Sequence[Note]) -> tuple[str, ...] | None:
    """The note on the subject, in the language of the question; the longest title wins."""
    text = question.text.lower()
    titles = [(title, note) for note in known for title in note.titles if title in text]
    for title, note in sorted(titles, key=lambda each: -len(each[0])):
        if only_asks(text.replace(title, " ", 1)):
            return note.zh if question.zh else note.en
    return None


def translated(question: Question) -> tuple[str, ...] | None:
    """A phrase of the list in the other language."""
    match = next((found for pattern in _TRANSLATE if (found := pattern.search(question.text))), None)
    phrase = phrases().get(match["said"].strip(_QUOTES).lower()) if match else None
    if phrase is None:
        return None
    return f"**{phrase}**", question.say("From a phrase book of a few dozen lines.", "出自一本只有几十句的短语手册。")


def _parts(line: str) -> tuple[str, ...]:
    return tuple(part.strip().replace(" / ", "  \n") for part in line.split("|"))
