"""The page about the vote gate: its rules, what it has done, and the files to compute it again."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter

from arena.domain.schemas.integrity import IntegrityView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.contents import Content

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

_GATE: Final = TypeAdapter(IntegrityView)
RULES: Final = ("pooled", "age", "voter-cap", "network-cap", "network-share")
"""Reasons of decisions, each with a text of its rule."""
NOTES: Final = ("never", "people", "rows", "limits")
COMMAND: Final = "arena integrity gate --from votes.jsonl --audit 2026-W45.jsonl --decisions decisions.jsonl"


async def read(reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page; its rules are there even if the arena cannot tell its state."""
    today = datetime.now(UTC).date()
    fixed = {"rules": RULES, "notes": NOTES, "command": COMMAND, "today": today}
    try:
        view = await reading.view("/integrity", _GATE)
    except ApiRefusal as refusal:
        values: dict[str, Any] = fixed | {"view": None, "refused": refusal}
        return Content("integrity/integrity.html", lambda _: values, HTTPStatus.SERVICE_UNAVAILABLE, key=None)
    return Content("integrity/integrity.html", lambda words: fixed | _values(words, view), key=f"{today}")


def _values(words: Texts, view: IntegrityView) -> dict[str, Any]:
    return {"view": view, "this_week": _counts(words, view.this_week), "in_all": _counts(words, view.reasons)}


def _counts(words: Texts, reasons: Mapping[str, int]) -> str:
    parts = [
        words.fill("gate.count", reason=words.named("gate.reason", reason), votes=f"{votes:,}")
        for reason, votes in reasons.items()
    ]
    return " · ".join(parts) or words["gate.count.none"]
