"""The page of evaluations: a frame that `assets/evaluations.js` fills with a list, or the tables of one."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.pages.chrome import engine, footer, header, plain
from arena_frontend.texts import Texts


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    header(words, "evaluations")
    with gr.Column(elem_id="main", elem_classes="a-page"):
        plain(
            f'<div class="a-page-head"><h1>{escape(words["evaluations.title"])}</h1>'
            f"<p>{escape(words['evaluations.lead'])}</p></div>"
            '<div id="evaluations" aria-busy="true">'
            f'<p class="a-wait">{escape(words["evaluations.loading"])}</p></div>',
            elem_id="evaluations-frame",
        )
    footer(words)
    engine(script)
