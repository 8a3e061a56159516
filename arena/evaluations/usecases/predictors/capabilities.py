"""Models by capability on closed questions, open ones by turn, and in the arena (SuperCLUE, tables 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from sqlalchemy.orm import Session

from arena.adapters.store import snapshots
from arena.adapters.store.engine import Database
from arena.domain.errors import Invalid
from arena.domain.schemas.leaderboard import StandingsView
from arena.evaluations.domain.people.protocols import protocol
from arena.evaluations.domain.schemas.figures import FigureView
from arena.evaluations.domain.schemas.judges import JudgesView, JudgeView
from arena.evaluations.domain.schemas.predictors import CapabilitiesView, PredictorsView
from arena.evaluations.domain.terms import Level, ScoredBy
from arena.evaluations.store import judgements
from arena.evaluations.usecases.definition import evaluation_row
from arena.evaluations.usecases.judges.judges_report import judges_report
from arena.evaluations.usecases.predictors.prediction import BOARD
from arena.evaluations.usecases.predictors.prediction_scores import baseline_of
from arena.evaluations.usecases.reports.choices import choices_of, read_choices
from arena.evaluations.usecases.reports.figures import shares

STATISTICS: Final = {
    "right": "close",
    "first_turn": "open_single",
    "later_turns": "open_multi",
    "all_turns": "open_all",
}
"""SuperCLUE's names of the statistics of other reports."""
CARENA: Final = "carena"


async def capabilities(
    database: Database, opened: str, closed: str, *, judge: str | None = None, by: Level = Level.AREA
) -> CapabilitiesView:
    """Combine an evaluation of open questions, one of closed questions, and the newest boards of categories.

    Capabilities are names of a level of the tree of tasks, matched with the arena's categories by name. `judge` is an
    endpoint, a panel or `people`, by default the first one.

    Raises:
        EvaluationNotFound: There is none of one of these names.
        Invalid: There are no judgements of the open questions (by this judge), or no answers to closed ones.
    """
    shares = await database.read(_right_shares, closed, by)
    if not shares:
        raise Invalid(f"{closed} has no answers to closed questions.")
    judge_row = _choose_judge(await judges_report(database, opened, by=by), judge)
    baseline = await database.read(baseline_of, opened)
    figures = [*shares, *(figure for figure in judge_row.figures if figure.model != baseline)]
    models, areas = {figure.model for figure in figures}, {figure.area.casefold() for figure in figures}
    votes = await database.read(_carena)
    arena = [figure for figure in votes if figure.model in models and figure.area.casefold() in areas]
    return CapabilitiesView(
        closed=closed, opened=opened, judge=judge_row.judge, figures=list(_normalise_names([*figures, *arena]))
    )


async def publish_capabilities(database: Database, table: CapabilitiesView, now: datetime) -> None:
    """Publish a table with the newest report on predictors, in place of one of the same evaluations."""
    await database.write(_publish, table, now)


def _publish(session: Session, table: CapabilitiesView, now: datetime) -> None:
    report = PredictorsView.model_validate(judgements.newest_prediction(session) or {})
    tables = [old for old in report.capabilities if (old.closed, old.opened) != (table.closed, table.opened)]
    update = report.model_copy(update={"capabilities": [*tables, table]})
    judgements.add_prediction(session, update.model_dump(mode="json"), now)


def _right_shares(session: Session, name: str, by: Level) -> list[FigureView]:
    row = evaluation_row(session, name)
    if protocol(row.protocol).scored_by is not ScoredBy.KEY:
        return []
    return shares(choices_of(read_choices(session, row, by)))


def _choose_judge(report: JudgesView, name: str | None) -> JudgeView:
    judges = [*report.judges, *([report.people] if report.people else [])]
    if not judges:
        raise Invalid(f"Nobody has judged {report.evaluation}; `arena evaluations judge` has models do it.")
    view = next((judge for judge in judges if name in {None, judge.judge}), None)
    if view is None:
        names = ", ".join(dict.fromkeys(judge.judge for judge in judges))
        raise Invalid(f"{name} has not judged {report.evaluation}; these have: {names}.")
    return view


def _carena(session: Session) -> list[FigureView]:
    """Shares of wins and ties in the arena, over all votes and by category; empty before the first board."""
    newest, newest_with_parts = snapshots.newest(session), snapshots.newest_with_parts(session)
    parts = snapshots.parts_of(session, newest_with_parts.id) if newest_with_parts else ()
    payloads = {"": newest.payload if newest else None}
    payloads |= {part.category: part.payload for part in parts if part.kind == BOARD and not part.language}
    return [
        FigureView(statistic=CARENA, area=area, model=row.name, value=row.carena_rate, n=row.battles)
        for area, payload in payloads.items()
        if payload
        for row in StandingsView.model_validate_json(payload).rows
    ]


def _normalise_names(figures: Iterable[FigureView]) -> Iterator[FigureView]:
    """The figures with SuperCLUE's names of statistics, and the first spelling of each area."""
    spelling: dict[str, str] = {}
    for figure in figures:
        area = spelling.setdefault(figure.area.casefold(), figure.area)
        statistic = STATISTICS.get(figure.statistic, figure.statistic)
        yield figure.model_copy(update={"statistic": statistic, "area": area})
