"""Closed questions of an evaluation: accuracy by category, and whether a model prefers a position."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING

from arena.domain.statistics.proportions import share
from arena.evaluations.domain.people.options import chosen, order, right_letter
from arena.evaluations.domain.schemas.evaluations import ChoiceView, PositionView
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import questions_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from arena.domain.statistics.proportions import Estimate
    from arena.evaluations.domain.people.options import Choice
    from arena.evaluations.store.tables import EvaluationRow


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer to a closed question: who gave it, of which category, which letter was right, and which is chosen."""

    model: str
    category: str
    letters: int
    right: str
    choice: Choice | None

    @property
    def is_right(self) -> bool:
        """Whether the right option is chosen."""
        return self.choice is not None and self.choice.letter == self.right


def read_choices(session: Session, row: EvaluationRow) -> list[Answered]:
    """The answers to closed questions; those that a model failed to give are left out."""
    asked, models = questions_of(session, row.set_id), {each.id: each.name for each in stored.models(session, row.id)}
    shown = {number: order(question, row.seed) for number, question in asked.items()}
    return [
        Answered(
            model=models[each.model_id],
            category=question.category or question.area or "",
            letters=len(question.options),
            right=right_letter(question, shown[each.question_id]),
            choice=chosen(each.texts[0], len(question.options)),
        )
        for each in stored.answers(session, row.id)
        if not each.fault and (question := asked[each.question_id])
    ]


def choices_of(answers: Sequence[Answered]) -> list[ChoiceView]:
    """Accuracy over all questions, best model first, then in each category."""
    categories = ["", *dict.fromkeys(each.category for each in answers if each.category)]
    found = [
        _record(model, category, mine)
        for category in categories
        for model in dict.fromkeys(each.model for each in answers)
        if (mine := [each for each in answers if each.model == model and category in ("", each.category)])
    ]
    return sorted(found, key=lambda each: (categories.index(each.category), -each.right / each.questions))


def positions_of(answers: Sequence[Answered]) -> list[PositionView]:
    """Each model's choices by letter."""
    found: list[PositionView] = []
    for model in dict.fromkeys(each.model for each in answers):
        mine = [each for each in answers if each.model == model]
        picked = Counter(each.choice.letter for each in mine if each.choice)
        for letter in ascii_uppercase[: max(each.letters for each in mine)]:
            there = [each.is_right for each in mine if each.right == letter]
            rate = _interval(share(sum(there), len(there)))
            found.append(PositionView(model=model, letter=letter, keys=len(there), chosen=picked[letter], **rate))
    return found


def _record(model: str, category: str, answers: Sequence[Answered]) -> ChoiceView:
    right = sum(each.is_right for each in answers)
    return ChoiceView(
        model=model,
        category=category,
        questions=len(answers),
        right=right,
        **_interval(share(right, len(answers))),
        unreadable=sum(each.choice is None for each in answers),
        loose=sum(each.choice is not None and not each.choice.strict for each in answers),
    )


def _interval(found: Estimate) -> dict[str, float | None]:
    ends = {"share": found.value, "low": found.low, "high": found.high}
    return {name: None if math.isnan(value) else value for name, value in ends.items()}
