"""The pairs of answers, or single answers, that judges are to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.evaluations.domain.judges.rubric import Form
from arena.evaluations.store.judgements import JudgedPair
from arena.evaluations.usecases.people.drawing import pairs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.evaluations.store.tables import EvaluationModelRow, EvaluationRow
    from arena.evaluations.usecases.judges.judging_material import Material


def to_judge(row: EvaluationRow, material: Material, models: list[EvaluationModelRow]) -> Iterator[JudgedPair]:
    """All pairs that the rubric and the design ask for."""
    return _pairs(row, material, models) if material.rubric.form is Form.PAIRWISE else _singles(material, models)


def _singles(material: Material, models: list[EvaluationModelRow]) -> Iterator[JudgedPair]:
    """Every good answer alone, turn by turn."""
    for question_id, question in material.questions.items():
        for model in models:
            if (model.id, question_id) in material.texts:
                for turn in range(1, len(question.turns) + 1):
                    yield JudgedPair(question_id, turn, model.id, model.id, swapped=False)


def _pairs(row: EvaluationRow, material: Material, models: list[EvaluationModelRow]) -> Iterator[JudgedPair]:
    """The pairs of the design whose answers are there, turn by turn and in both orders."""
    for number, (question_id, question) in enumerate(material.questions.items()):
        for a, b in pairs_of(row, len(models), number):
            first, second = models[a].id, models[b].id
            if (first, question_id) in material.texts and (second, question_id) in material.texts:
                for turn in range(1, len(question.turns) + 1):
                    for swapped in (False, True):
                        yield JudgedPair(question_id, turn, first, second, swapped)


def meets(pair: JudgedPair, models: dict[int, EvaluationModelRow], baseline: str | None) -> bool:
    """Whether the baseline, if there is one, is of the pair."""
    return baseline is None or baseline in {models[pair.first_id].name, models[pair.second_id].name}
