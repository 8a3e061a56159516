"""Likelihoods of given answers in an evaluation: their correlation with votes by topic (HumanRankEval)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.evaluations.domain.people.likelihood import question_score, rank_score
from arena.evaluations.domain.schemas.evaluations import LikelihoodView
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import questions_of
from arena.evaluations.usecases.likelihood import topic_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.orm import Session

    from arena.evaluations.store.tables import EvaluationRow

    Scores = list[tuple[str, float | None]]
    """The topic and the correlation of each question."""


def read_likelihoods(session: Session, row: EvaluationRow) -> dict[str, Scores]:
    """The scores of each model by its name."""
    asked, models = questions_of(session, row.set_id), {each.id: each.name for each in stored.models(session, row.id)}
    found: dict[str, Scores] = {}
    for each in stored.answers(session, row.id):
        if not each.fault:
            question = asked[each.question_id]
            score = question_score(list(map(float, each.texts)), [answer.votes for answer in question.answers])
            found.setdefault(models[each.model_id], []).append((topic_of(question), score))
    return found


def likelihoods_of(scores: Mapping[str, Scores]) -> list[LikelihoodView]:
    """Each model over all topics, the highest mean first, then by topic."""
    whole = [_record(model, "", mine) for model, mine in scores.items()]
    parts = [
        _record(model, topic, [each for each in mine if each[0] == topic])
        for model, mine in scores.items()
        for topic in dict.fromkeys(topic for topic, _ in mine)
    ]
    return sorted(whole, key=lambda each: -(each.correlation if each.correlation is not None else -2)) + parts


def _record(model: str, topic: str, scores: Scores) -> LikelihoodView:
    found = rank_score(scores)
    return LikelihoodView(
        model=model,
        topic=topic,
        correlation=found.value if found.questions else None,
        questions=found.questions,
        undefined=found.undefined,
    )
