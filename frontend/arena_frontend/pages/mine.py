"""The page of a voter's own battles: an empty frame that `assets/mine.js` renders from the API."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.pages.chrome import engine, footer, header, plain
from arena_frontend.texts import Texts


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    header(words, "mine")
    with gr.Column(elem_id="main", elem_classes="a-page a-mine"):
        plain(
            f'<div class="a-page-head"><h1>{escape(words["mine.title"])}</h1>'
            f"<p>{escape(words['mine.lead'])}</p></div>"
            '<div id="mine-board"></div><div id="mine-list" aria-busy="true"></div>'
            '<div id="mine-more"></div><div id="mine-chats"></div><div id="mine-forget"></div>',
            elem_id="mine-frame",
        )
    footer(words)
    engine(script)
