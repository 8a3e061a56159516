"""Judged pairs of an evaluation as columns: the input of a report on judges."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.adapters.store import annotations, judgements
from arena.adapters.store import evaluations as stored
from arena.domain.terms import Outcome
from arena.usecases.evaluations.definition import questions_of
from arena.usecases.evaluations.judged_scores import as_pairs, is_single

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from arena.adapters.store.judgements import JudgementFacts
    from arena.adapters.store.tables import EvaluationRow

    Codes = NDArray[np.int64]

CODES: Final = {str(outcome): code for code, outcome in enumerate(Outcome)}

Key = tuple[int, int, int, int]
"""Question, turn, and two models."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The pairs of an evaluation that any judge has judged, [pairs] each.

    Attributes:
        keys: The pairs.
        first: Index of the first model.
        second: Index of the second.
        later: Whether it is a turn after the first.
        area: Index in `areas`.
        longer_by: Length of the first model's answers up to this turn minus the second's, in characters.
        people: Code of what more than half of the annotators said, -1 where nobody did or none has the majority.
        models: Names of the models.
        areas: Names of the areas.
        names: Names of the models by row.
    """

    keys: tuple[Key, ...]
    first: Codes
    second: Codes
    later: NDArray[np.bool_]
    area: Codes
    longer_by: Codes
    people: Codes
    models: tuple[str, ...]
    areas: tuple[str, ...]
    names: dict[int, str]


def read_pairs(session: Session, row: EvaluationRow, rule: str) -> tuple[list[JudgementFacts], Pairs]:
    """All judgements, those of pairs that scores make by a rule among them, and the pairs they are about."""
    facts = judgements.facts(session, row.id)
    rows = [each for each in facts if not is_single(each)] + as_pairs(facts, rule)
    keys = tuple(dict.fromkeys((each.question_id, each.turn, each.first_id, each.second_id) for each in rows))
    asked, models = questions_of(session, row.set_id), stored.models(session, row.id)
    place = {each.id: number for number, each in enumerate(models)}
    areas = list(dict.fromkeys(question.area or "" for question in asked.values()))
    people = _majorities(session, row.id)
    whole = {(number, len(question.turns)) for number, question in asked.items()}
    said = [people.get((q, a, b), -1) if (q, turn) in whole else -1 for q, turn, a, b in keys]
    return rows + [each for each in facts if is_single(each)], Pairs(
        keys=keys,
        first=_column(place[a] for _, _, a, _ in keys),
        second=_column(place[b] for _, _, _, b in keys),
        later=_column(turn for _, turn, _, _ in keys) > 1,
        area=_column(areas.index(asked[question].area or "") for question, *_ in keys),
        longer_by=_lengths(session, row.id, keys),
        people=_column(said),
        models=tuple(each.name for each in models),
        areas=tuple(areas),
        names={each.id: each.name for each in models},
    )


def _column(values: Iterable[int]) -> Codes:
    return np.fromiter(values, np.int64)


def _lengths(session: Session, evaluation_id: int, keys: Sequence[Key]) -> Codes:
    texts = {(each.model_id, each.question_id): each.texts for each in stored.answers(session, evaluation_id)}

    def length(model: int, question: int, turn: int) -> int:
        return sum(map(len, texts.get((model, question), [])[:turn]))

    return _column(length(a, q, turn) - length(b, q, turn) for q, turn, a, b in keys)


def _majorities(session: Session, evaluation_id: int) -> dict[tuple[int, int, int], int]:
    """Word of more than half of the people on each pair of answers; those without a majority are left out."""
    items = {each.id: each for each in stored.items(session, evaluation_id)}
    said: dict[int, Counter[int]] = {}
    for piece in annotations.standing(session, evaluation_id):
        for item, _person, attempt, _swapped, value, _milliseconds in piece:
            if value in CODES and not attempt:
                said.setdefault(item, Counter())[CODES[value]] += 1
    found: dict[tuple[int, int, int], int] = {}
    for number, counts in said.items():
        item, (code, votes) = items[number], counts.most_common(1)[0]
        if item.second_id is not None and 2 * votes > counts.total():
            found[item.question_id, item.first_id, item.second_id] = code
    return found
