"""Tables of evaluations on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from rich.table import Table

from arena.cli import text_tables
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import BaseModel

    from arena.evaluations.domain.schemas.evaluations import EvaluationProgressView, EvaluationReportView


FACTS: Final = (
    *("name", "state", "protocol", "design", "set", "questions", "items", "annotations", "needed"),
    *("per_item", "overlap", "repeats", "least_consistency", "least_right", "digest"),
)
"""Facts of an evaluation that `status` tells, in this order."""


def show_progress(found: EvaluationProgressView) -> None:
    """Print the state of an evaluation and a row for each model."""
    facts = Table("fact", "value")
    for fact in FACTS:
        facts.add_row(fact.replace("_", " "), str(getattr(found, fact) if getattr(found, fact) is not None else "-"))
    models = Table("model", "answered", "failed", "left", "faults")
    for each in found.models:
        faults = ", ".join(f"{fault} {number}" for fault, number in each.faults.items())
        left = found.questions - each.answered - each.failed
        models.add_row(each.name, str(each.answered), str(each.failed), str(left), faults or "-")
    text_tables.show(facts, models)


def show_report(found: EvaluationReportView) -> None:
    """Print all tables of a report that have rows."""
    print(
        f"{found.name}: {amount(found.annotations, 'annotation')}, {found.skipped} of them skipped,"
        f" by {found.protocol}."
    )
    tables = [_table(name, cast("list[BaseModel]", rows)) for name, rows in found if isinstance(rows, list) and rows]
    text_tables.show(*tables)


def _table(title: str, rows: Sequence[BaseModel]) -> Table:
    table = Table(*type(rows[0]).model_fields, title=title)
    for row in rows:
        table.add_row(*(_cell(value) for _name, value in row))
    return table


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
