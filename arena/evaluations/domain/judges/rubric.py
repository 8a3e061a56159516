"""Rubrics of judges, read from `rubrics/`.

The order of priority and the scale of the score are those of TencentLLMEval, the stars those of LLMEval, the five
grades those of Arena-Hard; the words are our own.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import Field

from arena.domain.errors import Invalid
from arena.domain.package_data import names_in, read_named
from arena.domain.schemas.base import Wire

_FOLDER: Final = Path(__file__).with_name("rubrics")


class Form(StrEnum):
    """The form of a verdict: one word on a pair, one score, or a score for each criterion."""

    PAIRWISE = "pairwise"
    SCORE = "score"
    STARS = "stars"


class RubricText(Wire):
    """A rubric in one language: what to do, by which criteria, what to beware of, and how to write the verdict."""

    task: str
    criteria: list[str]
    caution: str
    answer: str


class Rubric(Wire):
    """The instruction of a judge; its version changes with its words.

    `scale` is that of a score; `criteria` has that of each criterion of stars.
    """

    name: str
    version: int
    form: Form
    needs_reference: bool
    scale: tuple[int, int] | None = None
    criteria: dict[str, tuple[int, int]] = Field(default_factory=dict[str, tuple[int, int]])
    texts: dict[str, RubricText]

    def text(self, language: str) -> RubricText:
        """The rubric in a language.

        Raises:
            Invalid: It is not written in that language.
        """
        if language not in self.texts:
            known = ", ".join(sorted(self.texts))
            raise Invalid(f"The rubric {self.name} is not written in {language!r}; there is: {known}.")
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
