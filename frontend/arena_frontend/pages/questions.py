"""The page of public question sets: a frame that `assets/questions.js` fills with trees, filters and questions."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.pages.chrome import engine, footer, header, plain
from arena_frontend.texts import Texts


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    header(words, "questions")
    with gr.Column(elem_id="main", elem_classes="a-page"):
        plain(
            f'<div class="a-page-head"><h1>{escape(words["sets.title"])}</h1><p>{escape(words["sets.lead"])}</p></div>'
            f'<div id="sets" aria-busy="true"><p class="a-wait">{escape(words["board.loading"])}</p></div>'
            '<div id="questions"></div>',
            elem_id="sets-frame",
        )
    footer(words)
    engine(script)
