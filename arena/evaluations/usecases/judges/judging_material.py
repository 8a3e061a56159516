"""Material of judges: the rubric, the questions, and the answers that they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.adapters.store import questions
from arena.domain.errors import Invalid
from arena.evaluations.domain.judges.prompts import judge_prompt
from arena.evaluations.domain.judges.rubric import Form, Rubric, rubric
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import questions_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from arena.domain.schemas import QuestionView
    from arena.domain.terms import Message
    from arena.evaluations.store.judgements import JudgedPair
    from arena.evaluations.store.tables import EvaluationRow

FALLBACK: Final = "en"


@dataclass(frozen=True, slots=True)
class NewJudging:
    """Judges by name, their rubric, its language (by default that of the questions), and whom all are compared with.

    `budget` is how many US dollars each of them may cost in this run.
    """

    judges: Sequence[str]
    rubric: str
    language: str | None = None
    baseline: str | None = None
    budget: float | None = None


@dataclass(frozen=True, slots=True)
class Material:
    """The rubric, and all questions and good answers of an evaluation."""

    evaluation_id: int
    rubric: Rubric
    language: str
    questions: dict[int, QuestionView]
    texts: dict[tuple[int, int], list[str]]


def material_of(session: Session, row: EvaluationRow, new: NewJudging) -> Material:
    """The material of an evaluation.

    Raises:
        Invalid: The rubric or its language is missing, or it needs no baseline.
    """
    chosen = rubric(new.rubric)
    if chosen.form is not Form.PAIRWISE and new.baseline is not None:
        raise Invalid(f"The rubric {chosen.name} is for single answers, which need no baseline.")
    language = new.language or questions.by_id(session, row.set_id).language or FALLBACK
    if new.language is None and language not in chosen.texts:
        language = FALLBACK
    chosen.text(language)
    good = {(each.model_id, each.question_id): each.texts for each in stored.answers(session, row.id) if not each.fault}
    return Material(row.id, chosen, language, questions_of(session, row.set_id), good)


def prompt_of(material: Material, pair: JudgedPair) -> list[Message]:
    """The rubric, and the question with both answers in their order."""
    both = (pair.second_id, pair.first_id) if pair.swapped else (pair.first_id, pair.second_id)
    order = both if pair.first_id != pair.second_id else both[:1]
    answers = [material.texts[model, pair.question_id] for model in order]
    question = material.questions[pair.question_id]
    return judge_prompt(material.rubric, material.language, question, answers, turn=pair.turn)
