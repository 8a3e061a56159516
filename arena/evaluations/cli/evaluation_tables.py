"""Tables of evaluations on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from arena.cli.terminal.tables import Cells, TextTable, cells, facts_table, show_tables
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from arena.evaluations.domain.schemas.evaluations import (
        DuelView,
        EvaluationProgressView,
        EvaluationReportView,
        ModelProgressView,
    )

FACTS: Final = (
    *("name", "state", "protocol", "design", "set", "questions", "items", "annotations", "needed"),
    *("per_item", "overlap", "repeats", "least_consistency", "least_right", "digest"),
)
"""Facts of an evaluation that `status` tells, in this order."""


def show_progress(view: EvaluationProgressView) -> None:
    """Print the state of an evaluation and a row for each model."""
    show_tables(facts_table(view, FACTS), TextTable([_model(view, model) for model in view.models]))


def show_report(report: EvaluationReportView) -> None:
    """Print all tables of a report that have rows."""
    print(
        f"{report.name}: {amount(report.annotations, 'annotation')}, {report.skipped} of them skipped,"
        f" by {report.protocol}."
    )
    for duel in report.duels:
        print(_sentence(duel))
    tables = {name: cast("list[object]", rows) for name, rows in report if isinstance(rows, list) and rows}
    show_tables(*(TextTable([cells(row) for row in rows], name.replace("_", " ")) for name, rows in tables.items()))


def _sentence(duel: DuelView) -> str:
    """What a duel tells, in words: who is better, or not yet and how many more judgements would tell."""
    interval = f"{duel.share:.2f} of the comparisons, 95 % interval {duel.low:.2f} to {duel.high:.2f}"
    if duel.told:
        better, worse = (duel.first, duel.second) if duel.share > 1 / 2 else (duel.second, duel.first)
        return f"{better} is better than {worse}: {duel.first} wins {interval}."
    more = "" if duel.more is None else f"; about {amount(duel.more, 'more judgement')} would tell"
    return f"Not yet: {duel.first} wins {interval}, which covers ½{more}."


def _model(view: EvaluationProgressView, model: ModelProgressView) -> Cells:
    return {
        "model": model.name,
        "answered": model.answered,
        "failed": model.failed,
        "left": view.questions - model.answered - model.failed,
        "faults": model.faults,
    }
