"""Scores of models in one evaluation: by people, by the key or the votes of its questions, and by each judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from sqlalchemy.orm import Session

from arena.adapters.store.engine import Database
from arena.evaluations.domain.schemas.evaluation_reports import EvaluationReportView
from arena.evaluations.domain.schemas.judges import JudgedModelView
from arena.evaluations.domain.terms import Design
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import evaluation_row
from arena.evaluations.usecases.judges.judges_report import judges_report
from arena.evaluations.usecases.reports.report import report

Scores = dict[str, float]
"""A number for each model by its name."""


async def scores_in(database: Database, name: str) -> list[tuple[str, Scores]]:
    """Titles and scores of all sources of scores in an evaluation.

    Raises:
        EvaluationNotFound: There is none of this name.
    """
    tables, judges = await report(database, name), await judges_report(database, name)
    baseline = await database.read(baseline_of, name)
    by_judges = [
        (
            f"{name}: {judge.judge}, {judge.rubric} {judge.version}{title}",
            {
                model.name: score
                for model in judge.models
                if model.name != baseline and (score := value(model)) is not None
            },
        )
        for judge in judges.judges
        for title, value in (_RATED if baseline is None else _AGAINST_BASELINE).items()
    ]
    by_rule = (f"{name}: key", _by_key(tables)), (f"{name}: likelihood", _by_likelihood(tables))
    return [(f"{name}: people", _by_people(tables)), *by_rule, *by_judges]


def baseline_of(session: Session, name: str) -> str | None:
    """The model with which all others are compared, if the design has one."""
    row = evaluation_row(session, name)
    return stored.models(session, row.id)[0].name if row.design is Design.BASELINE else None


_RATED: Final[Mapping[str, Callable[[JudgedModelView], float | None]]] = {"": lambda model: model.rating}
_AGAINST_BASELINE: Final[Mapping[str, Callable[[JudgedModelView], float | None]]] = {
    ", first turn": lambda model: model.first_turn.value,
    ", later turns": lambda model: model.later_turns.value,
}
"""With a baseline, shares of wins and ties, as in SuperCLUE's OPEN."""


def _by_people(tables: EvaluationReportView) -> Scores:
    """Shares of wins and ties against the baseline, or Bradley-Terry ratings, or totals of points."""
    if tables.against_baseline:
        return {row.model: row.share for row in tables.against_baseline if not row.area and row.share is not None}
    return {row.name: row.bt for row in tables.board if row.bt is not None} | {
        row.model: row.percent for row in tables.totals
    }


def _by_key(tables: EvaluationReportView) -> Scores:
    """Shares of right choices."""
    return {row.model: row.share for row in tables.choices if not row.category and row.share is not None}


def _by_likelihood(tables: EvaluationReportView) -> Scores:
    """Correlations of likelihoods with votes."""
    return {row.model: row.correlation for row in tables.likelihoods if not row.topic and row.correlation is not None}
