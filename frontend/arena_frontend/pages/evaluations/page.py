"""The page of evaluations: a list of those that everybody may see, or the tables of a closed one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from pydantic import BaseModel, TypeAdapter

from arena.evaluations.domain.schemas.evaluations import (
    ComparedModelView,
    EvaluationDetailView,
    EvaluationReportView,
    EvaluationView,
)
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.charts.intervals import ends
from arena_frontend.charts.matrix import matrix
from arena_frontend.figures import plain_three
from arena_frontend.reports import refusal, report

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena_frontend.api_reader import Reading
    from arena_frontend.contents import Content
    from arena_frontend.texts import Texts

_LIST: Final = TypeAdapter(list[EvaluationView])
_ONE: Final = TypeAdapter(EvaluationDetailView)
TABLES: Final = (
    *("board", "neighbours", "against_baseline", "pairs", "totals", "criteria", "choices", "positions"),
    *("likelihoods", "agreement", "areas", "annotators", "left_out", "board_before", "totals_before"),
)
UNJUDGED: Final = ("closed", "likelihood")
"""Protocols by which nobody judges: a key or votes decide."""


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the page of all evaluations, or of the one that is named in the query."""
    name = query.get("name", "")
    try:
        if not name:
            return report("evaluations", {"list": await reading.view("/evaluations", _LIST)})
        found = await reading.view(f"/evaluations/{quote(name, safe='')}", _ONE)
    except ApiRefusal as refused:
        return refusal("evaluations", refused, "/evaluations")
    values = {"list": None, "one": found, "unjudged": UNJUDGED, "table_of": _table, "pictures": _pictures(found.report)}
    tables = [name for name in TABLES if found.report and getattr(found.report, name)]
    return report(
        "evaluations", values | {"tables": tables, "cell": _cell, "most_of": _bar, "method": _method}, key=name
    )


def _table(rows: Sequence[BaseModel]) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the columns that any row has an entry for, and the rows."""
    lines = [row.model_dump() for row in rows]
    return [key for key in lines[0] if any(line[key] not in {None, ""} for line in lines)], lines


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "✓" if value else ""
    return plain_three(value) if isinstance(value, int | float) else "–" if value is None else str(value)


def _bar(key: str, line: Mapping[str, Any]) -> float | None:
    """Return the most that a value can be, if it is a share of the possible points or of the comparisons."""
    most = {"mean": line.get("most"), "percent": 100, "win_rate": 1}.get(key)
    return most if line[key] is not None else None


def _method(words: Texts, code: str) -> str:
    """Return a coefficient by its name; Cohen's is one of two people."""
    name, *people = code.split(" ")
    return " ".join([words.named("evaluations.method", name), *people])


def _pictures(tables: EvaluationReportView | None) -> dict[str, Any] | None:
    """Intervals of the ratings and who beats whom, as on the leaderboard."""
    if tables is None or not tables.board:
        return None
    board: list[ComparedModelView] = sorted(tables.board, key=lambda row: row.rank)
    known = [row for row in board if row.bt is not None]
    return {"rows": known, "ends": ends(known), "matrix": matrix([row.name for row in board], tables.pairs)}
