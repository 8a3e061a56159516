"""Closed questions: shuffled options, the prompt with their letters, and the letter in an answer."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from random import Random
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena.domain.schemas.questions import QuestionView

_INSTRUCTIONS: Final = {
    "en": "Answer with the letter of the right option and nothing else.",
    "zh": "请只回答正确选项的字母。",
}
FALLBACK: Final = "en"
_EMPHASIS: Final = re.compile(r"[*_`#]+")
_LETTER_ONLY: Final = re.compile(r"[\s(\[\"'「《]*([A-Z])[\s)\]\"'」》.,:、。!]*")
_ANNOUNCEMENT: Final = re.compile(
    r"(?:\b(?:(?i:answer|option|choice)(?i:\s+is|\s*:)*|(?i:i\s+choose))|答案(?:应该|应当|应)?[是为选:]*|选择?|选项)"
    r"[\s(\[\"'「]*([A-Z])(?![A-Za-z'’])"
)
_LONE_LETTER: Final = re.compile(r"(?<![A-Za-z'’])(?:([B-HJ-Z])|([AI])(?! [a-z]))(?![A-Za-z'’])")
"""A capital letter outside words that is neither the article nor the pronoun of a sentence."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The letter that an answer chooses; `strict` if it is the whole answer or announced, as in "the answer is B"."""

    letter: str
    strict: bool


def order(question: QuestionView, seed: int) -> list[int]:
    """The indices of the options in the order shown, which is the same for all models of an evaluation."""
    places = list(range(len(question.options)))
    Random(f"{seed} {question.id}").shuffle(places)
    return places


def right_letter(question: QuestionView, order: list[int]) -> str:
    """The letter of the right option in an order."""
    return ascii_uppercase[order.index(ascii_uppercase.index(question.key or ""))]


def closed_prompt(question: QuestionView, order: list[int], language: str) -> str:
    """The question with its options in an order, lettered from A."""
    rows = zip(ascii_uppercase, (question.options[place] for place in order), strict=False)
    options = "\n".join(f"{letter}. {option}" for letter, option in rows)
    return f"{question.turns[0]}\n\n{options}\n\n{_INSTRUCTIONS.get(language, _INSTRUCTIONS[FALLBACK])}"


def read_choice(text: str, options: int) -> Choice | None:
    """The letter that an answer chooses among the first `options`: by the strict rule, or else the first lone letter.

    None without a letter, or with two different announced ones.
    """
    content = _EMPHASIS.sub("", unicodedata.normalize("NFKC", text)).strip()
    letters = ascii_uppercase[:options]
    if (match := _LETTER_ONLY.fullmatch(content)) and match[1] in letters:
        return Choice(match[1], strict=True)
    answers = {letter for letter in _ANNOUNCEMENT.findall(content) if letter in letters}
    if answers:
        return Choice(answers.pop(), strict=True) if len(answers) == 1 else None
    candidates = (a or b for a, b in _LONE_LETTER.findall(content))
    letter = next((letter for letter in candidates if letter in letters), None)
    return Choice(letter, strict=False) if letter else None
