"""Words of the vote gate's decisions on the operator's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena_frontend.texts import Texts


def reason(words: Texts, code: str) -> str:
    """Return the reason of a decision: one that the public page has too, or one of the operator's."""
    return words.table.get(f"gate.reason.{code}") or words[f"op.gate.reason.{code}"]


def division(words: Texts, name: str) -> str:
    """Return the name of a division of the log, or of several that are crossed: each part has a text."""
    parts = name.replace(" and ", ", ").split(", ")
    return " × ".join(words.named("op.gate.division", part.replace(" ", "_").replace("'", "")) for part in parts)
