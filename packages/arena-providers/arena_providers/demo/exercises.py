"""Small programs by their task: answers to requests for Python code, or for code in no language in particular."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pydantic import BaseModel

from arena_providers.demo.script import content_of

if TYPE_CHECKING:
    from arena_providers.demo.script import Answer, Question


class Exercise(BaseModel):
    """A program, briefly and thoroughly, the tasks that it does, and a remark in English and Chinese."""

    task: re.Pattern[str]
    short: str
    long: str
    en: str
    zh: str


class Exercises(BaseModel):
    """The content of `exercises.toml`."""

    ask: list[re.Pattern[str]]
    code: re.Pattern[str]
    other: re.Pattern[str]
    exercises: list[Exercise]


@cache
def _content() -> Exercises:
    return Exercises.model_validate(content_of("exercises.toml"))


def known_exercises() -> list[Exercise]:
    """All programs of the script."""
    return _content().exercises


def write_code(question: Question) -> Answer | None:
    """The program for the task of a prompt, if it asks for nothing else."""
    content = _content()
    if not content.code.search(question.text) or content.other.search(question.text):
        return None
    tasks = [match["task"].strip() for pattern in content.ask if (match := pattern.match(question.text))]
    for exercise in known_exercises():
        if any(map(exercise.task.fullmatch, tasks)):
            remark = exercise.zh if question.zh else exercise.en
            return f"```python\n{exercise.short}\n```", f"```python\n{exercise.long}\n```\n\n{remark}"
    return None
