"""The page about the vote gate: its rules, and a frame that `assets/integrity.js` fills with what it has done."""

from __future__ import annotations

from html import escape

from arena_frontend.pages.frames import build_frame, head, waiting
from arena_frontend.texts import Texts

RULES = ("pooled", "age", "voter-cap", "network-cap", "network-share")
"""Reasons of decisions, each with a text of its rule."""


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    rules = "".join(
        f"<div><dt>{escape(words['gate.reason.' + rule])}</dt><dd>{escape(words['gate.rule.' + rule])}</dd></div>"
        for rule in RULES
    )
    notes = "".join(f"<li>{escape(words['gate.note.' + note])}</li>" for note in ("never", "people", "rows", "limits"))
    markup = (
        f'{head(words, "gate")}<section class="a-figure"><h2>{escape(words["gate.rules"])}</h2>'
        f'<dl class="a-facts-list a-gate-rules">{rules}</dl><ul>{notes}</ul></section>'
        f"{waiting(words, 'integrity', 'board.loading')}"
    )
    build_frame(words, script, "integrity", "integrity-frame", markup)
