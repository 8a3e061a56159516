"""The skills of the scripted models, tried in order; a prompt that no skill understands as a whole is declined."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.adapters.providers.demo.comparison import compared, counted
from arena.adapters.providers.demo.expressions import computed
from arena.adapters.providers.demo.facts import noted, recited, translated
from arena.adapters.providers.demo.question import LIMIT, read

if TYPE_CHECKING:
    from arena.adapters.providers.demo.question import Question


class Finding(NamedTuple):
    """The answer in one piece, and how it came about or what else there is to say, sentence by sentence."""

    answer: str
    more: tuple[str, ...] = ()


_Skill = Callable[["Question"], "tuple[str, ...] | None"]
_SKILLS: Final[tuple[_Skill, ...]] = (counted, compared, translated, noted, computed)
"""Each gives the answer and then the rest, or None."""


def find(question: Question) -> Finding | None:
    """The answer to a question by the first skill that has one, a quoted poem as the last; None without one."""
    return _first(question, (*_SKILLS, recited))


def can_answer(prompt: str) -> bool:
    """Whether a scripted model does what a prompt asks; a model that can write should be asked for a poem."""
    return _first(read(prompt), _SKILLS) is not None


def _first(question: Question, skills: tuple[_Skill, ...]) -> Finding | None:
    if len(question.text) > LIMIT:
        return None
    found = next((result for skill in skills if (result := skill(question))), None)
    return Finding(found[0], found[1:]) if found else None
