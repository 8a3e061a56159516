"""Rubrics of judges, read from `rubrics/`, and prompts for judges.

The order of priority and the scale of the score are those of TencentLLMEval, the stars those of LLMEval, the five
grades those of Arena-Hard; the words are our own.

In a prompt the rubric is the system prompt; question and answers follow, each under a heading line with more equals
signs than any text in the question or the answers has in a row, so that no answer can fake a heading.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field

from arena.domain.errors import Invalid
from arena.domain.package_data import names_in, read_named
from arena.domain.schemas.base import Wire
from arena.domain.text import fenced
from arena.evaluations.domain.people.protocols import right_answer
from arena_providers.terms import Message, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.schemas.questions import QuestionView

_FOLDER: Final = Path(__file__).with_name("rubrics")
_HEADINGS: Final = {
    "en": ("Question", "Right answer", "Answer {}", "Judge the answers to the last question; the others are context."),
    "zh": ("问题", "标准答案", "回答 {}", "请只评判对最后一个问题的回答，前面的对话是上下文。"),
}
_LETTERS: Final = "AB"
KINDS: Final = ("objective", "subjective")
"""Kinds of questions: with a right answer, and without."""


class VerdictForm(StrEnum):
    """The form of a verdict: one word on a pair, one score, or a score for each criterion."""

    PAIRWISE = "pairwise"
    SCORE = "score"
    STARS = "stars"


class RubricText(Wire):
    """A rubric in one language: task, criteria, cautions, and the form of the verdict."""

    task: str
    criteria: list[str]
    caution: str
    answer: str


class Rubric(Wire):
    """The instruction of a judge; its version changes with its texts.

    `scale` is that of a score; `criteria` has the scale of each criterion of stars. `kind` limits it to one kind of
    question: LLMEval-2 judges objective and subjective ones by different criteria.
    """

    name: str
    version: int
    form: VerdictForm
    kind: Literal["objective", "subjective"] | None = None
    needs_reference: bool
    scale: tuple[int, int] | None = None
    criteria: dict[str, tuple[int, int]] = Field(default_factory=dict[str, tuple[int, int]])
    texts: dict[str, RubricText]

    def is_for(self, question: QuestionView) -> bool:
        """Whether a question is of the rubric's kind, by its category, or else by whether it has a right answer."""
        kind = question.category if question.category in KINDS else KINDS[not right_answer(question)]
        return self.kind in {None, kind}

    def text(self, language: str) -> RubricText:
        """The rubric in a language.

        Raises:
            Invalid: It is not written in that language.
        """
        if language not in self.texts:
            languages = ", ".join(sorted(self.texts))
            raise Invalid(f"The rubric {self.name} is not written in {language!r}; there is: {languages}.")
        return self.texts[language]


@cache
def names() -> tuple[str, ...]:
    """The names of all rubrics."""
    return names_in(_FOLDER)


@cache
def rubric(name: str) -> Rubric:
    """A rubric by its name.

    Raises:
        Invalid: There is none of this name.
    """
    return read_named(_FOLDER, name, Rubric, "rubric")


def judge_prompt(
    rubric: Rubric, language: str, question: QuestionView, answers: Sequence[Sequence[str]], *, turn: int | None = None
) -> list[Message]:
    """Messages for a judge of one answer, or of two in this order; an answer is a text for each turn.

    Turns up to `turn` (from 1) are shown and the last of these is judged, so that each turn of a conversation can be
    judged, as SuperCLUE does; None shows all.

    Raises:
        Invalid: The rubric is not written in the language, or needs a right answer and the question has none.
    """
    text = rubric.text(language)
    if rubric.needs_reference and not _right_answer(question):
        raise Invalid(f"The rubric {rubric.name} needs a right answer; the question {question.id} has none.")
    parts = _parts(question, answers, language, len(question.turns) if turn is None else turn)
    return [Message(Role.SYSTEM, _instruction(text)), Message(Role.USER, fenced(parts))]


def _instruction(text: RubricText) -> str:
    criteria = [f"{number}. {criterion}" for number, criterion in enumerate(text.criteria, 1)]
    return "\n".join([text.task, *criteria, "", text.caution, "", text.answer])


def _right_answer(question: QuestionView) -> str | None:
    if question.key and not question.reference:
        return f"{question.key}. {question.options[ord(question.key) - ord('A')]}"
    return question.reference or question.hint


def _parts(
    question: QuestionView, answers: Sequence[Sequence[str]], language: str, turns: int
) -> list[tuple[str, str]]:
    """Headings and texts, turn by turn."""
    heading, reference_heading, answer_heading, note = _HEADINGS[language]
    results: list[tuple[str, str]] = []
    for turn, prompt in enumerate(question.turns[:turns]):
        results.append((heading if turns == 1 else f"{heading} {turn + 1}", prompt))
        for letter, texts in zip(_LETTERS, answers, strict=False):
            results.append((answer_heading.format(letter if len(answers) > 1 else "").strip(), texts[turn]))
    if reference := _right_answer(question):
        results.append((reference_heading, reference))
    return [*results, ("", note)] if turns > 1 else results
