"""Views of evaluations: public ones for everybody, and the progress of all for operators.

Reports are imported where they are read, as the command that lists evaluations needs none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, cast

from arena.adapters.store import budgets, questions
from arena.adapters.store.engine.transactions import read_transaction
from arena.adapters.store.tables.endpoints import CredentialRow, EndpointRow
from arena.domain.reasons import STOPS, rule_of
from arena.domain.terms import EndpointState, Use
from arena.evaluations.domain.errors import EvaluationNotFound
from arena.evaluations.domain.people.protocols import is_judged
from arena.evaluations.domain.schemas.evaluations import EvaluationProgressView, EvaluationView, ModelProgressView
from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store import annotations, removals
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import evaluation_row
from arena.evaluations.usecases.planned_items import is_openable, planned_annotations

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pydantic import BaseModel
    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.questions import QuestionSetRow
    from arena.evaluations.domain.schemas.evaluation_reports import EvaluationDetailView, EvaluationReportView
    from arena.evaluations.domain.schemas.judges import JudgesView
    from arena.evaluations.domain.schemas.predictors import PredictorsView
    from arena.evaluations.store.tables.evaluations import EvaluationModelRow, EvaluationRow


class Size(NamedTuple):
    """The counts of an evaluation's items, and its annotations, repeats and further ones included."""

    counts: stored.ItemCounts
    annotations: int


@dataclass(slots=True)
class Sizes:
    """Sizes of evaluations; those of closed ones never change, so each is counted once."""

    _closed: dict[tuple[int, datetime], Size] = field(default_factory=dict[tuple[int, "datetime"], Size])

    def of(self, session: Session, rows: Sequence[EvaluationRow]) -> dict[int, Size]:
        """The sizes by evaluation, with as many queries for many as for one."""
        closed = {row.id: (row.id, row.closed_at) for row in rows if row.closed_at}
        before = {number: self._closed[key] for number, key in closed.items() if key in self._closed}
        numbers = [row.id for row in rows if row.id not in before]
        items, counts = stored.sizes(session, numbers), annotations.counts(session, numbers)
        new = {number: Size(items.get(number, stored.ItemCounts()), counts.get(number, 0)) for number in numbers}
        self._closed |= {key: new[number] for number, key in closed.items() if number in new}
        return before | new


@read_transaction
def list_public(session: Session, sizes: Sizes) -> list[EvaluationView]:
    """List the evaluations that everybody may see, newest first."""
    reported = stored.reported(session)
    return views_of(session, [row for row in stored.all_rows(session) if _is_public(row, row.id in reported)], sizes)


@read_transaction
def record(session: Session, name: str) -> EvaluationDetailView:
    """Return a public evaluation, with models and report if the report was published.

    Raises:
        EvaluationNotFound: There is none of this name that everybody may see.
    """
    # Importing the schemas of all tables takes time, which lists of evaluations save.
    from arena.evaluations.domain.schemas.evaluation_reports import EvaluationDetailView, EvaluationReportView

    row = evaluation_row(session, name)
    content = stored.report(session, row.id)
    if not _is_public(row, content is not None):
        raise EvaluationNotFound
    return EvaluationDetailView(
        **dict(view_of(session, row)),
        models=[model.name for model in stored.models(session, row.id)] if content else [],
        report=EvaluationReportView.model_validate(content) if content else None,
    )


@read_transaction
def list_all(session: Session, sizes: Sizes) -> list[EvaluationView]:
    """All evaluations, newest first, for operators."""
    return views_of(session, stored.all_rows(session), sizes)


@read_transaction
def progress(session: Session, name: str) -> EvaluationProgressView:
    """Return the progress of an evaluation.

    Raises:
        EvaluationNotFound: There is none of this name.
    """
    return _progress_view(session, evaluation_row(session, name))


@read_transaction
def list_progress(session: Session) -> list[EvaluationProgressView]:
    """Return the progress of all evaluations, newest first."""
    return [_progress_view(session, row) for row in stored.all_rows(session)]


def view_of(session: Session, row: EvaluationRow) -> EvaluationView:
    """An evaluation without its models and its report."""
    return views_of(session, [row], Sizes())[0]


def views_of(session: Session, rows: Sequence[EvaluationRow], sizes: Sizes) -> list[EvaluationView]:
    """Evaluations as in `view_of`, with as many queries for many as for one."""
    counts, sets = sizes.of(session, rows), questions.by_ids(session, {row.set_id for row in rows})
    reported = stored.reported(session)
    return [_view(row, sets[row.set_id], counts[row.id], published=row.id in reported) for row in rows]


def _view(row: EvaluationRow, questions_row: QuestionSetRow, size: Size, *, published: bool) -> EvaluationView:
    facts = {
        **size.counts._asdict(),
        "annotations": size.annotations,
        "questions": questions_row.questions,
        "judged": is_judged(row.protocol),
    }
    return EvaluationView.from_row(row, **facts, published=published)


def as_csv(report: EvaluationReportView) -> bytes:
    """Write the non-empty tables of a report as CSV, one below the other, each below its name and its columns."""
    from arena.adapters.row_files.csv_rows import csv_table

    tables = {name: cast("list[BaseModel]", rows) for name, rows in report if isinstance(rows, list) and rows}
    texts = (
        f"{name}\n{csv_table([*type(rows[0]).model_fields], ((cell for _, cell in row) for row in rows))}\n"
        for name, rows in tables.items()
    )
    return "".join(texts).encode()


def _is_public(row: EvaluationRow, has_report: bool) -> bool:  # noqa: FBT001 - it is a fact
    return (row.public and row.state is not EvaluationState.DRAFT) or has_report


def _progress_view(session: Session, row: EvaluationRow) -> EvaluationProgressView:
    from arena.domain.sizing.estimate import annotation_effort

    questions_row, faults = questions.by_id(session, row.set_id), defaultdict[int, list[str | None]](list)
    for (model, _question), fault in stored.faults_by_answer(session, row.id).items():
        faults[model].append(fault)
    costs, models = stored.costs(session, row.id), stored.models(session, row.id)
    view = dict(view_of(session, row))
    if row.state is EvaluationState.DRAFT:
        view["needed"], view["done"] = planned_annotations(session, row)
    return EvaluationProgressView(
        **view,
        person_days=annotation_effort(max(0, view["needed"] - view["done"]), 1).person_days,
        openable=row.state is EvaluationState.DRAFT and is_openable(session, row),
        deletable=removals.is_removable(session, row),
        set=f"{questions_row.name} {questions_row.version}",
        models=[
            _model(
                session, model, faults[model.id], costs.get(model.id, (0, None)), (row.stopped or {}).get(model.name)
            )
            for model in models
        ],
        running=row.running_at is not None,
    )


def _model(
    session: Session,
    row: EvaluationModelRow,
    faults: list[str | None],
    cost: tuple[int, float | None],
    reason: str | None,
) -> ModelProgressView:
    faults_by_name = sorted(fault for fault in faults if fault is not None)
    return ModelProgressView(
        name=row.name,
        answered=len(faults) - len(faults_by_name),
        failed=len(faults_by_name),
        faults=dict(Counter(faults_by_name)),
        endpoint=row.endpoint_id is not None,
        tokens=cost[0],
        cost=cost[1],
        stopped=None if reason is None or _is_over(session, row, reason) else reason,
        problems=_problems(session, row, {*faults_by_name}),
        model=session.get_one(EndpointRow, row.endpoint_id).name if row.configuration else None,
    )


def _is_over(session: Session, row: EvaluationModelRow, reason: str) -> bool:
    """Whether the reason why a model was not asked has passed: it is active again, or allowed again."""
    rule, _ = rule_of(reason, STOPS) or ("", {})
    endpoint = session.get(EndpointRow, row.endpoint_id) if row.endpoint_id else None
    if endpoint is None:
        return False
    if rule == "barred":
        return budgets.is_allowed(session, endpoint, Use.EVALUATIONS)
    return rule == "state" and endpoint.state is EndpointState.ACTIVE


def _problems(session: Session, row: EvaluationModelRow, faults: set[str]) -> list[dict[str, str]]:
    """The entries of a model's test for these faults of its answers."""
    endpoint = session.get(EndpointRow, row.endpoint_id) if faults and row.endpoint_id else None
    if endpoint is None:
        return []
    # The dialects of the diagnostics take time to import, which lists of evaluations save.
    from arena.usecases.endpoints.probes import diagnostics

    has_key = endpoint.key_env is not None or session.get(CredentialRow, endpoint.id) is not None
    problems = [diagnostics.of_fault(fault, endpoint.url, has_key=has_key) for fault in sorted(faults)]
    return list({problem["code"]: problem for problem in problems}.values())


async def published_judges(database: Database) -> list[JudgesView]:
    """Return the published reports on judges, that of the newest evaluation first."""
    from arena.evaluations.domain.schemas.judges import JudgesView
    from arena.evaluations.store import judgements

    return [JudgesView.model_validate(content) for content in await database.read(judgements.reports)]


async def published_predictions(database: Database) -> PredictorsView:
    """Return the newest report on predictors, or an empty one."""
    from arena.evaluations.domain.schemas.predictors import PredictorsView
    from arena.evaluations.store import judgements

    content = await database.read(judgements.newest_prediction)
    return PredictorsView.model_validate(content) if content else PredictorsView()
