"""The page about the vote gate: its rules, what it has done, and the files to compute it again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.domain.schemas.integrity import IntegrityView
from arena.domain.shown_intervals import is_shown
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.contents import Content
from arena_frontend.pages.integrity.measurements import WORLDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading

_GATE: Final = TypeAdapter(IntegrityView)
RULES: Final = ("pooled", "chosen")
"""Reasons of decisions, each with a text of its rule."""
NOTES: Final = ("never", "people", "rows", "limits")
COMMAND: Final = "arena integrity gate --from votes.jsonl --audit 2026-W45.jsonl --decisions decisions.jsonl"


async def read(reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page; its rules are there even if the arena cannot tell its state."""
    today = datetime.now(UTC).date()
    fixed = {"rules": RULES, "notes": NOTES, "command": COMMAND, "today": today, "worlds": WORLDS, "is_shown": is_shown}
    try:
        view = await reading.view("/integrity", _GATE)
    except ApiRefusal as refused:
        values: Mapping[str, object] = fixed | {"view": None, "refused": refused}
        return Content("integrity/integrity.html", lambda _: values, refused.page_status, key=None)
    return Content("integrity/integrity.html", lambda _: fixed | _values(view), key=f"{today}")


def _values(view: IntegrityView) -> dict[str, object]:
    """The sentences' numbers.

    A hostile share of 10 in 347 of a model's votes moves it by ten points, and attackers meet it as often as others do.
    """
    less, in_all = sum(view.this_week.values()), sum(view.reasons.values())
    share = 100 * less / max(view.week_votes, 1)
    return {"view": view, "less": less, "in_all": in_all, "share": share, "needed": -(-10 * view.votes // 347)}
