"""The leaderboard page: an empty frame that `assets/leaderboard.js` renders from the API and keeps up to date."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.pages.chrome import engine, footer, header, plain
from arena_frontend.texts import Texts


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    header(words, "leaderboard")
    with gr.Column(elem_id="main", elem_classes="a-page"):
        plain(
            f'<div class="a-page-head"><h1>{escape(words["board.title"])}</h1>'
            f"<p>{escape(words['board.lead'])}</p></div>"
            f'<div id="board" aria-busy="true"><p class="a-wait">{escape(words["board.loading"])}</p></div>',
            elem_id="board-frame",
        )
    footer(words)
    engine(script)
