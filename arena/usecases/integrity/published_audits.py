"""Public audit files: their names, their bytes, and the day from which each is public."""

from __future__ import annotations

import json
from datetime import date, timedelta
from gzip import decompress
from typing import TYPE_CHECKING, Final

from arena.adapters.store import decisions

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.integrity import GateRunRow

WEEK: Final = timedelta(days=7)
WAIT: Final = timedelta(days=8)
"""Time from the end of a week until its audit file is published."""


def name_of(monday: date) -> str:
    """The name of the week that begins on a Monday, such as 2026-W46."""
    year, week, _ = monday.isocalendar()
    return f"{year}-W{week:02}"


def published_from(monday: date) -> date:
    """The day from which the audit file of a week is public."""
    return monday + WEEK + WAIT


def published_weeks(session: Session, today: date) -> dict[str, date]:
    """The Mondays of the weeks whose audit files are public on a day, by file name."""
    return {f"{name_of(week)}.jsonl": week for week in decisions.closed_weeks(session) if published_from(week) <= today}


def audit_of(session: Session, week: date) -> bytes | None:
    """The audit file of a closed week; None if it has none."""
    row = decisions.of_week(session, week)
    return audit_body(row, week) if row and row.audit else None


def audit_body(row: GateRunRow, monday: date) -> bytes:
    """The audit file of a week: a line about the run that closed it, then a line for each vote."""
    head = {
        "format": "arena-audit",
        "version": 1,
        "week": name_of(monday),
        "last_vote": row.last_vote,
        "last_decision": row.last_decision,
        "method": row.method,
        "unlisted": row.unlisted,
        "preliminary": row.boards.get("preliminary", []),
        "undecided": row.boards.get("undecided", []),
        "bounds": row.boards.get("bounds", {}),
    }
    lines = decompress(row.audit) if row.audit else b""
    return json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" + lines
