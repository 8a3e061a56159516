"""The operator's page: an empty frame that `assets/operator.js` fills after sign-in with the operator's key."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.pages.chrome import engine, footer, header, plain
from arena_frontend.texts import Texts


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    header(words, "operator")
    with gr.Column(elem_id="main", elem_classes="a-page"):
        plain(
            f'<div class="a-page-head"><h1>{escape(words["op.title"])}</h1>'
            f"<p>{escape(words['op.lead'])}</p></div>"
            f'<div id="operator" aria-busy="true"><p class="a-wait">{escape(words["own.loading"])}</p></div>',
            elem_id="operator-frame",
        )
    footer(words)
    engine(script)
