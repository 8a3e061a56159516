"""The page of a model: an empty frame that `assets/model.js` renders for the name in the URL."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.pages.chrome import engine, footer, header, plain
from arena_frontend.texts import Texts


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    header(words, "model")
    with gr.Column(elem_id="main", elem_classes="a-page"):
        plain(
            f'<div id="model" aria-busy="true"><p class="a-wait">{escape(words["board.loading"])}</p></div>',
            elem_id="model-frame",
        )
    footer(words)
    engine(script)
