"""A report as one CSV file: its tables one below the other, each below its name and its columns."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, cast

from arena.domain.spreadsheet_cells import plain_cell

if TYPE_CHECKING:
    from pydantic import BaseModel

    from arena.evaluations.domain.schemas.evaluations import EvaluationReportView


def as_csv(found: EvaluationReportView) -> bytes:
    """Write the tables that have rows."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for name, value in found:
        if rows := cast("list[BaseModel]", value) if isinstance(value, list) else []:
            writer.writerow([name])
            writer.writerow(type(rows[0]).model_fields)
            writer.writerows([plain_cell(cell) for _name, cell in row] for row in rows)
            writer.writerow([])
    return out.getvalue().encode()
