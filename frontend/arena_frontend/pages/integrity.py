"""The page about the vote gate: its rules, and a frame that `assets/integrity.js` fills with what it has done."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.pages.chrome import engine, footer, header, plain
from arena_frontend.texts import Texts

RULES = ("pooled", "age", "voter-cap", "network-cap", "network-share")
"""Reasons of decisions, each with a text of its rule."""


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    header(words, "integrity")
    rules = "".join(
        f"<div><dt>{escape(words['gate.reason.' + rule])}</dt><dd>{escape(words['gate.rule.' + rule])}</dd></div>"
        for rule in RULES
    )
    notes = "".join(f"<li>{escape(words['gate.note.' + note])}</li>" for note in ("never", "people", "rows", "limits"))
    with gr.Column(elem_id="main", elem_classes="a-page"):
        plain(
            f'<div class="a-page-head"><h1>{escape(words["gate.title"])}</h1><p>{escape(words["gate.lead"])}</p></div>'
            f'<section class="a-figure"><h2>{escape(words["gate.rules"])}</h2>'
            f'<dl class="a-facts-list a-gate-rules">{rules}</dl><ul>{notes}</ul></section>'
            f'<div id="integrity" aria-busy="true"><p class="a-wait">{escape(words["board.loading"])}</p></div>',
            elem_id="integrity-frame",
        )
    footer(words)
    engine(script)
