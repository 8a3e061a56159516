"""A run of a benchmark as a table in Markdown, for a page of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Run = Mapping[str, Any]

_WORDS: Final = ("case", "work", "unit", "goal", "note", "value")
_MACHINE: Final = "`uv run benchmarks {command}`, {date}: {processor}, {cores} cores, Python {python}, load {load}"


def as_markdown(run: Run) -> str:
    """The machine and the rows of a run, with all their figures."""
    rows: Sequence[Run] = run["rows"]
    figures = list(dict.fromkeys(name for row in rows for name in row if name not in _WORDS))
    heads = ["work", "case", "measured", *figures]
    lines = [[row["work"], row["case"], _measured(row), *(_number(row.get(name)) for name in figures)] for row in rows]
    table = [heads, ["---"] * len(heads), *lines]
    about = _MACHINE.format(command=run["command"], date=run["date"][:10], **run["machine"])
    return "\n".join([about, "", *(f"| {' | '.join(line)} |" for line in table)])


def _measured(row: Run) -> str:
    if row["value"] is None:
        return row["note"]
    return f"{_number(row['value'])} {row['unit']}"


def _number(value: float | None) -> str:
    """Three digits, or nothing."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
