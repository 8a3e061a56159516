"""Closed questions of an evaluation: accuracy by category, and whether a model prefers a position."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from string import ascii_uppercase
from typing import Any, Final

from sqlalchemy.orm import Session

from arena.domain.statistics.proportions import Estimate, share
from arena.evaluations.domain.people.options import Choice, order, read_choice, right_letter
from arena.evaluations.domain.schemas.evaluation_reports import ChoiceView, PositionView
from arena.evaluations.domain.terms import Level
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.evaluations import EvaluationRow
from arena.evaluations.usecases.definition import questions_of

_RATE: Final = 0.05
"""Probability of a false `preferred`, over all letters of a model."""


@dataclass(frozen=True, slots=True)
class ClosedAnswer:
    """An answer to a closed question: its model, category, number of letters, right letter, and chosen letter."""

    model: str
    category: str
    letters: int
    right: str
    choice: Choice | None

    @property
    def is_right(self) -> bool:
        """Whether the right option is chosen."""
        return self.choice is not None and self.choice.letter == self.right


def read_choices(session: Session, row: EvaluationRow, by: Level | None = None) -> list[ClosedAnswer]:
    """The answers to closed questions, without failed ones.

    Categories are the names at the level `by` of the tree of tasks, by default the category, or else the area.
    """
    questions = questions_of(session, row.set_id)
    models = {model.id: model.name for model in stored.models(session, row.id)}
    orders = {number: order(question, row.seed) for number, question in questions.items()}
    return [
        ClosedAnswer(
            model=models[answer.model_id],
            category=(getattr(question, by) if by else question.category or question.area) or "",
            letters=len(question.options),
            right=right_letter(question, orders[answer.question_id]),
            choice=read_choice(answer.texts[0], len(question.options)),
        )
        for answer in stored.answers(session, row.id)
        if not answer.fault and (question := questions[answer.question_id])
    ]


def choices_of(answers: Sequence[ClosedAnswer]) -> list[ChoiceView]:
    """Accuracy over all questions, best model first, then by category."""
    parts: dict[tuple[str, str], list[ClosedAnswer]] = {}
    for answer in answers:
        for category in dict.fromkeys(("", answer.category)):
            parts.setdefault((category, answer.model), []).append(answer)
    places = {category: place for place, category in enumerate(dict.fromkeys(["", *(key[0] for key in parts)]))}
    models = dict.fromkeys(answer.model for answer in answers)
    results = [
        _record(model, category, rows)
        for category in places
        for model in models
        if (rows := parts.get((category, model)))
    ]
    return sorted(results, key=lambda result: (places[result.category], -result.right / result.questions))


def positions_of(answers: Sequence[ClosedAnswer]) -> list[PositionView]:
    """Each model's choices by letter."""
    results: list[PositionView] = []
    by_model: dict[str, list[ClosedAnswer]] = {}
    for answer in answers:
        by_model.setdefault(answer.model, []).append(answer)
    for model, rows in by_model.items():
        counts = Counter(answer.choice.letter for answer in rows if answer.choice)
        letters = _preferred_letters(rows)
        for letter in ascii_uppercase[: max(answer.letters for answer in rows)]:
            hits = [answer.is_right for answer in rows if answer.right == letter]
            rate = _interval(share(sum(hits), len(hits)))
            results.append(
                PositionView(
                    model=model,
                    letter=letter,
                    keys=len(hits),
                    chosen=counts[letter],
                    preferred=letter in letters,
                    **rate,
                )
            )
    return results


def _preferred_letters(answers: Sequence[ClosedAnswer]) -> set[str]:
    """The letters with significantly more wrong choices than if each wrong letter were equally likely."""
    errors = [answer for answer in answers if answer.choice and not answer.is_right]
    letters = ascii_uppercase[: max(answer.letters for answer in answers)]
    limit = NormalDist().inv_cdf(1 - _RATE / len(letters))
    return {letter for letter in letters if _excess(letter, errors) > limit}


def _excess(letter: str, errors: Sequence[ClosedAnswer]) -> float:
    """Wrong choices of a letter minus the expected number, in standard errors."""
    rows = [answer for answer in errors if answer.right != letter and letter in ascii_uppercase[: answer.letters]]
    chance = [1 / (answer.letters - 1) for answer in rows]
    deviation = math.sqrt(sum(p * (1 - p) for p in chance))
    count = sum(answer.choice is not None and answer.choice.letter == letter for answer in rows)
    return (count - sum(chance)) / deviation if deviation else 0.0


def _record(model: str, category: str, answers: Sequence[ClosedAnswer]) -> ChoiceView:
    number = sum(answer.is_right for answer in answers)
    return ChoiceView(
        model=model,
        category=category,
        questions=len(answers),
        right=number,
        **_interval(share(number, len(answers))),
        unreadable=sum(answer.choice is None for answer in answers),
        loose=sum(answer.choice is not None and not answer.choice.strict for answer in answers),
    )


def _interval(estimate: Estimate) -> dict[str, Any]:
    return {"share": estimate.value, "low": estimate.low, "high": estimate.high}
