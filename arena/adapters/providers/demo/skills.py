"""The skills of the scripted models: each answers a prompt that it understands as a whole, or gives None.

An answer is its result in one piece, and then how it came about or what else there is to say, sentence by sentence.
`script.toml` holds all patterns and sentences.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Final

from pydantic import BaseModel

from arena.adapters.providers.demo.arithmetic import evaluate, is_exact, shown, solve, tokenise, with_digits, written

LIMIT: Final = 400
"""Characters; a longer prompt is understood by no skill, as it hardly asks for one number or name."""
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_INVISIBLE: Final = re.compile(
    r"[^\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
_QUOTES: Final = " \t\n'\"“”‘’「」《》.,!?。，！？:："
_STEPS: Final = 12
_LINE: Final = 120
"""Longest expression that is repeated."""

Answer = Sequence[str]


class Note(BaseModel):
    """A fixed answer in two languages; `titles` are the subjects by which a prompt asks for it, in small letters."""

    titles: list[str] = []
    en: list[str]
    zh: list[str]


class Script(BaseModel):
    """The content of `script.toml`."""

    asking: re.Pattern[str]
    numerals: re.Pattern[str]
    signs: list[tuple[re.Pattern[str], str]]
    expression: re.Pattern[str]
    date: re.Pattern[str]
    larger: list[re.Pattern[str]]
    letters: list[re.Pattern[str]]
    translate: list[re.Pattern[str]]
    phrases: list[tuple[str, str, str]]
    texts: dict[str, tuple[str, str]]
    cannot: Note
    facts: list[Note]
    poems: list[Note]


@cache
def script() -> Script:
    """All that the scripted models understand and say."""
    text = resources.files("arena.adapters.providers.demo").joinpath("script.toml").read_text(encoding="utf-8")
    return Script.model_validate(tomllib.loads(text))


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt in half-width characters, empty if it is too long; earlier prompts are not looked at."""

    text: str
    zh: bool

    def say(self, name: str, /, **values: object) -> str:
        """A sentence in the language of the prompt; every language but Chinese is answered in English."""
        return script().texts[name][self.zh].format(**values)


def read(prompt: str) -> Question:
    """The prompt without invisible characters, and whether to answer in Chinese."""
    text = _INVISIBLE.sub(" ", prompt[: LIMIT + 1]).translate(_FULL_WIDTH).strip()
    han = 0 if re.search(r"[\u3040-\u30ff]", text) else len(re.findall(r"[\u3400-\u9fff]", text))
    return Question(text if len(text) <= LIMIT else "", zh=han > 0 and han * 5 >= len(re.findall(r"[^\W\d_]", text)))


def can_answer(prompt: str) -> bool:
    """Whether a scripted model does what a prompt asks; a model that can write should be asked for a poem."""
    return _skilled(read(prompt)) is not None


def answer(question: Question) -> Answer:
    """The answer of the first skill that has one, or a well-known poem, or else the list of skills."""
    cannot = script().cannot
    return _skilled(question) or fixed(question, script().poems) or (cannot.zh if question.zh else cannot.en)


def _skilled(question: Question) -> Answer | None:
    return (
        _count_letters(question)
        or _compare(question)
        or translated(question)
        or fixed(question, script().facts)
        or _compute(question)
    )


def _search(patterns: Sequence[re.Pattern[str]], question: Question) -> re.Match[str] | None:
    return next((match for pattern in patterns if (match := pattern.search(question.text))), None)


def _only_asks(text: str, subject: str) -> bool:
    """Whether a text is nothing but a subject and words of asking."""
    return script().asking.fullmatch(text.replace(subject, " ", 1)) is not None


def _count_letters(question: Question) -> Answer | None:
    """The number of a letter in a word. The word is not repeated, so that no answer says what a prompt wants it to."""
    match = _search(script().letters, question)
    if match is None:
        return None
    places = [str(place) for place, sign in enumerate(match["word"].lower(), 1) if sign == match["letter"].lower()]
    if not places:
        return [question.say("no_letter")]
    return question.say("letters", number=len(places)), question.say("places", places=", ".join(places))


def _compare(question: Question) -> Answer | None:
    """The larger of two numbers, and by how much."""
    match = _search(script().larger, question)
    if match is None:
        return None
    small, large = sorted(map(Fraction, match.groups()))
    if small == large:
        return [question.say("equal")]
    numbers = {"small": shown(small), "large": shown(large), "difference": shown(large - small)}
    return question.say("larger", **numbers), question.say("subtracted", **numbers)


def translated(question: Question) -> Answer | None:
    """A phrase of the list in the other language."""
    match = _search(script().translate, question)
    wanted = match["phrase"].strip(_QUOTES).lower() if match else None
    for en, zh, spoken in script().phrases:
        if wanted in {en, zh}:
            return f"**{en if wanted == zh else f'{zh} ({spoken})'}**", question.say("phrase_book")
    return None


def fixed(question: Question, notes: Sequence[Note]) -> Answer | None:
    """The note on the subject that is asked for and nothing else; the longest title wins."""
    text = question.text.lower()
    titles = [(title, note) for note in notes for title in note.titles if title in text]
    for title, note in sorted(titles, key=lambda pair: -len(pair[0])):
        if _only_asks(text, title):
            return [line.replace("\n", "  \n") for line in (note.zh if question.zh else note.en)]
    return None


def _compute(question: Question) -> Answer | None:
    """The value of the one expression of a prompt, or the solution of its one linear equation."""
    line = with_digits(question.text) if script().numerals.search(question.text) else question.text
    for pattern, sign in script().signs:
        line = pattern.sub(sign, line)
    runs = [run for run in script().expression.findall(line) if re.search(r"\d", run)]
    if len(runs) != 1 or script().date.search(line) or not _only_asks(line, runs[0]):
        return None
    run = runs[0].strip(" \n,.=").lower()
    try:
        return _solve(question, run) if {"x", "y"} & set(run) else _evaluate(run.split("=", 1)[0])
    except OverflowError:
        return [question.say("too_large")]
    except ArithmeticError:
        return [question.say("undefined")]
    except ValueError:
        return None


def _evaluate(run: str) -> Answer | None:
    tokens = tokenise(run)
    value, steps = evaluate(tokens)
    if not steps and not {"!", "sqrt"} & set(tokens):
        return None  # a number by itself
    text = written(tokens)
    text = text if len(text) <= _LINE else text[: _LINE - 1] + "…"
    return f"**{text} {'=' if is_exact(value) else '≈'} {shown(value)}**", *steps[:_STEPS]


def _solve(question: Question, run: str) -> Answer | None:
    left, right = (tokenise(side) for side in (run.partition("=")[::2]))
    names = {"x", "y"} & {*left, *right}
    if len(names) != 1 or not right:
        return None
    name, (result, slope, constant) = names.pop(), solve(left, right)
    values = {"name": name, "slope": shown(slope), "constant": shown(constant)}
    equation = f"**{name} {'=' if is_exact(result) else '≈'} {shown(result)}**"
    return equation, question.say("collected", **values), question.say("divided", **values)
