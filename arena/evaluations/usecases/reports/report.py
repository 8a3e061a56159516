"""The report of an evaluation: boards, scores, agreement and annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from arena.adapters.store.engine import Database
from arena.domain.errors import Invalid
from arena.domain.statistics.proportions import share
from arena.domain.terms import Outcome
from arena.evaluations.domain.people.protocols import is_judged, protocol
from arena.evaluations.domain.schemas.evaluation_reports import (
    BaselineView,
    CriterionView,
    DuelView,
    EvaluationReportView,
    LeftOutView,
    SpreadView,
    UnjudgedView,
    VerdictView,
)
from arena.evaluations.domain.schemas.figures import FigureView
from arena.evaluations.domain.terms import Design, Level, ScoredBy
from arena.evaluations.store import annotations
from arena.evaluations.store.tables.evaluations import EvaluationRow
from arena.evaluations.usecases.definition import evaluation_row
from arena.evaluations.usecases.likelihood import likelihoods_of, read_likelihoods, variance_of
from arena.evaluations.usecases.reports import log_scores, report_columns
from arena.evaluations.usecases.reports.bases import bases_of
from arena.evaluations.usecases.reports.boards import comparison_tables
from arena.evaluations.usecases.reports.choices import choices_of, positions_of, read_choices
from arena.evaluations.usecases.reports.columns import ReportColumns
from arena.evaluations.usecases.reports.duels import duels_of, needs_of_duel
from arena.evaluations.usecases.reports.figures import figures_of, shares
from arena.evaluations.usecases.reports.lengths import lengths_of
from arena.evaluations.usecases.reports.neighbours import judgements_of, neighbours_by_points, neighbours_on_board
from arena.evaluations.usecases.reports.people import agreement_of, annotators_of, areas_of, has_few_raters
from arena.evaluations.usecases.reports.scores import criteria_of, totals_of
from arena.evaluations.usecases.reports.sources import is_machine, people_of, sources_of
from arena.evaluations.usecases.reports.teams import team_pairs_of, teams_of
from arena.evaluations.usecases.reports.verdicts import verdicts_of

_NO_BASES: Final[Mapping[str, str]] = {}
_BASELINE_CODES: Final = {Outcome.A.value: 0, Outcome.B.value: 1, Outcome.TIE.value: 2, Outcome.BOTH_BAD.value: 2}
"""Codes of outcomes for the model, with the baseline as side A: 0 a loss, 1 a win, 2 a tie."""


async def report(
    database: Database, name: str, by: Level = Level.AREA, *, bases: Mapping[str, str] = _NO_BASES
) -> EvaluationReportView:
    """Compute all tables of an evaluation; `by` is the level of the tree of tasks that areas are.

    `bases` has models of an evaluation by likelihood, each with its base, for the table `bases`.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: A model of `bases` has no likelihoods here.
    """
    row, log, tables_of_scores, left_out = await database.read(_read_log, name, by, bases)
    full = await _full_tables(database, name, left_out, by) if left_out else {}
    result = tables(row, log).model_copy(update=tables_of_scores | full)
    return result.model_copy(update={"verdicts": await database.read(_read_verdicts, name, result.duels, log)})


async def _full_tables(database: Database, name: str, left_out: list[LeftOutView], by: Level) -> dict[str, object]:
    """The annotators who were left out, and the boards with their annotations."""
    row, log = await database.read(_read_with_left_out, name, by)
    full = tables(row, log)
    return {"left_out": left_out, "board_before": full.board, "totals_before": full.totals}


def _read_log(
    session: Session, name: str, by: Level, bases: Mapping[str, str]
) -> tuple[EvaluationRow, ReportColumns, dict[str, object], list[LeftOutView]]:
    row = evaluation_row(session, name)
    log = report_columns.read_columns(session, row, by=by)
    left_out = [
        LeftOutView(label=label, reason=reason, annotations=number)
        for label, reason, number in annotations.exclusions(session, row.id)
    ]
    score_tables = _score_tables(session, row, log, by, bases)
    session.expunge(row)
    return row, log, score_tables, left_out


def _score_tables(
    session: Session, row: EvaluationRow, log: ReportColumns, by: Level, bases: Mapping[str, str]
) -> dict[str, object]:
    """The tables from other data than annotations: scores of logs, lengths of answers, keys and votes."""
    scores = log_scores.read_scores(session, row)
    tables = {"log_scores": scores.means(), "log_agreement": scores.agreement(log)} if scores.names else {}
    return tables | {"lengths": lengths_of(session, row, log)} | _model_tables(session, row, by, bases)


def _model_tables(session: Session, row: EvaluationRow, by: Level, bases: Mapping[str, str]) -> dict[str, object]:
    source = protocol(row.protocol).scored_by
    if bases and source is not ScoredBy.VOTES:
        raise Invalid("Only an evaluation by likelihood compares models with their bases.")
    if source is ScoredBy.VOTES:
        scores = read_likelihoods(session, row)
        rows = {"likelihoods": likelihoods_of(scores), "variance": variance_of(scores)}
        return {**rows, "bases": bases_of(scores, bases)}
    if source is not ScoredBy.KEY:
        return {}
    choices = choices_of(answers := read_choices(session, row, by if by is Level.TASK else None))
    return {"choices": choices, "positions": positions_of(answers), "figures": shares(choices)}


def _read_verdicts(session: Session, name: str, duels: list[DuelView], log: ReportColumns) -> list[VerdictView]:
    people: list[int] = np.unique(log.person).tolist()
    by_people = not all(is_machine(log.teams[person]) for person in people)
    return verdicts_of(session, evaluation_row(session, name), duels, by_people=by_people)


def _read_with_left_out(session: Session, name: str, by: Level) -> tuple[EvaluationRow, ReportColumns]:
    row = evaluation_row(session, name)
    log = report_columns.read_columns(session, row, by=by, left_out=True)
    session.expunge(row)
    return row, log


def tables(row: EvaluationRow, full_log: ReportColumns) -> EvaluationReportView:
    """The tables from annotations; judges stand beside people in `sources`, `annotators` and teams alone."""
    log = people_of(full_log)
    pairwise = bool((log.second >= 0).any())
    board, pairs, errors = comparison_tables(log, row.seed) if pairwise else ([], [], None)
    duels = duels_of(log) if pairwise else []
    against = against_baseline_of(log) if row.design is Design.BASELINE else []
    if pairwise:
        neighbours = neighbours_on_board(errors.pairs, judgements_of(row.protocol, log)) if errors else []
        neighbours = needs_of_duel(neighbours, duels)
    else:
        neighbours = neighbours_by_points(row.protocol, log)
    annotators = annotators_of(row.protocol, full_log)
    criteria, figures = [] if pairwise else criteria_of(row.protocol, log), figures_of(row.protocol, log, row.seed)
    return EvaluationReportView(
        name=row.name,
        protocol=row.protocol,
        annotations=len(full_log.item),
        skipped=int((~full_log.is_judged).sum()),
        board=board,
        pairs=pairs,
        criteria=criteria,
        spreads=spreads_of(criteria, figures),
        totals=[] if pairwise else totals_of(row.protocol, log),
        duels=duels,
        against_baseline=against,
        figures=[*figures, *shares(against)],
        neighbours=neighbours,
        agreement=agreement_of(row.protocol, log),
        areas=areas_of(log) if len(log.item) else [],
        annotators=annotators,
        sources=sources_of(row.protocol, full_log),
        teams=teams_of(full_log, annotators),
        team_pairs=team_pairs_of(row.protocol, full_log),
        few_raters=has_few_raters(full_log),
        unjudged=unjudged_of(row.protocol, full_log),
    )


def unjudged_of(name: str, log: ReportColumns) -> list[UnjudgedView]:
    """The models without a judgement, if people or judges decide."""
    if not is_judged(name):
        return []
    items = log.item[log.is_judged]
    judged = {*log.first[items].tolist(), *log.second[items].tolist()}
    return [UnjudgedView(model=model) for place, model in enumerate(log.models) if place not in judged]


def against_baseline_of(log: ReportColumns) -> list[BaselineView]:
    """Each model against the first one, over all areas and in each, the highest share first."""
    majority, result = _majority(log), list[BaselineView]()
    for place, area in [(None, ""), *((place, area) for place, area in enumerate(log.areas) if area)]:
        is_within = (majority >= 0) & ((log.area == place) if place is not None else True)
        rows = [
            _baseline_record(log, majority[is_within & (log.second == number)], number, area)
            for number in range(1, len(log.models))
        ]
        result += sorted((row for row in rows if row.share is not None), key=lambda row: -(row.share or 0))
    return result


def _majority(log: ReportColumns) -> NDArray[np.int64]:
    """The code of the majority's outcome of each item, a tie without a majority, -1 without a judgement."""
    mask = log.is_judged & ~log.repeat
    codes = np.array([_BASELINE_CODES.get(value, 2) for value in log.values] or [2])[log.code[mask]]
    counts = np.zeros((len(log.first), 3), np.int64)
    np.add.at(counts, (log.item[mask], codes), 1)
    total = counts.sum(axis=1)
    majority = np.where(2 * counts.max(axis=1) > total, counts.argmax(axis=1), 2)
    return np.where(total > 0, majority, -1)


def _baseline_record(log: ReportColumns, majority: NDArray[np.int64], number: int, area: str) -> BaselineView:
    losses, wins, ties = np.bincount(majority, minlength=3).tolist()
    rate = share(wins + ties, len(majority))
    return BaselineView(
        model=log.models[number],
        baseline=log.models[0],
        area=area,
        wins=wins,
        ties=ties,
        losses=losses,
        share=rate.value,
        low=rate.low,
        high=rate.high,
    )


class _Mean(NamedTuple):
    value: float
    model: str


def spreads_of(criteria: Sequence[CriterionView], figures: Sequence[FigureView]) -> list[SpreadView]:
    """Differences between the best and the worst mean of several models, the largest first.

    By criterion over all areas and in each, and by area over all criteria if these have one scale.
    """
    cells: dict[tuple[str, str], list[_Mean]] = {}
    for row in criteria:
        cells.setdefault((f"{row.form} {row.criterion}".strip(), row.area), []).append(_Mean(row.mean, row.model))
    for figure in figures:
        if figure.statistic == "mean" and figure.area and figure.value is not None:
            cells.setdefault(("", figure.area), []).append(_Mean(figure.value, figure.model))
    spreads = [_spread_view(*key, means) for key, means in cells.items() if len(means) > 1]
    return sorted(spreads, key=lambda view: -view.difference)


def _spread_view(criterion: str, area: str, means: Sequence[_Mean]) -> SpreadView:
    highest, lowest = max(means), min(means)
    return SpreadView(
        criterion=criterion,
        area=area,
        difference=highest.value - lowest.value,
        best=highest.model,
        worst=lowest.model,
        models=len(means),
    )
