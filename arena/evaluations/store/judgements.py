"""Queries about judgements, and about reports on judges and predictors."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.adapters.store.tables.endpoints import EndpointRow
from arena.evaluations.store.tables.evaluations import EvaluationRow, JudgesReportRow, PredictionReportRow
from arena.evaluations.store.tables.judgements import JudgementRow


class JudgedPair(NamedTuple):
    """A pair of answers to judge: question and turn, two models, and whether the second is shown first.

    Both models are the same if one answer is judged alone.
    """

    question_id: int
    turn: int
    first_id: int
    second_id: int
    swapped: bool


def add(session: Session, **fields: object) -> None:
    """Add a judgement."""
    session.add(JudgementRow(**fields))


def judged_pairs(
    session: Session, evaluation_id: int, judge_id: int, rubric: str, version: int
) -> dict[JudgedPair, bool]:
    """The pairs, with their orders, that a judge has judged by this version of a rubric, and whether by a verdict."""
    columns = JudgementRow.question_id, JudgementRow.turn, JudgementRow.first_id, JudgementRow.second_id
    has_verdict = JudgementRow.outcome.is_not(None) | JudgementRow.scores.is_not(None)
    query = select(*columns, JudgementRow.swapped, has_verdict).where(
        JudgementRow.evaluation_id == evaluation_id,
        JudgementRow.judge_id == judge_id,
        JudgementRow.rubric == rubric,
        JudgementRow.rubric_version == version,
    )
    return {JudgedPair(*row[:-1]): row[-1] for row in session.execute(query)}


def all_rows(session: Session, evaluation_id: int) -> Sequence[tuple[JudgementRow, str]]:
    """All judgements of an evaluation in order, each with the name of its judge."""
    query = select(JudgementRow, EndpointRow.name).join(EndpointRow, EndpointRow.id == JudgementRow.judge_id)
    rows = query.where(JudgementRow.evaluation_id == evaluation_id).order_by(JudgementRow.number)
    return session.execute(rows).all()


def put_report(session: Session, evaluation_id: int, content: dict[str, object], now: datetime) -> None:
    """Publish a report on the judges of an evaluation, in place of an earlier one."""
    session.merge(JudgesReportRow(evaluation_id=evaluation_id, content=content, created_at=now))


def reports(session: Session) -> list[dict[str, object]]:
    """The published reports on judges, that of the newest evaluation first."""
    query = select(JudgesReportRow.content).join(EvaluationRow, EvaluationRow.id == JudgesReportRow.evaluation_id)
    return list(session.scalars(query.order_by(EvaluationRow.id.desc())))


def add_prediction(session: Session, content: dict[str, object], now: datetime) -> None:
    """Publish a report on predictors."""
    session.add(PredictionReportRow(content=content, created_at=now))


def newest_prediction(session: Session) -> dict[str, object] | None:
    """The report on predictors that was published last."""
    query = select(PredictionReportRow.content).order_by(PredictionReportRow.id.desc())
    return session.scalars(query.limit(1)).first()
