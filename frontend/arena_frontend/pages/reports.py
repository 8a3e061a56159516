"""Frames of pages of tables, which their scripts fill: a title, a lead, and a place."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.pages.chrome import engine, footer, header, plain
from arena_frontend.texts import Texts


def frame(words: Texts, page: str, title: str, lead: str, script: str) -> None:
    """Lay out a page inside an open route; `script` is the path of its script."""
    header(words, page)
    with gr.Column(elem_id="main", elem_classes="a-page"):
        plain(
            f'<div class="a-page-head"><h1>{escape(title)}</h1>'
            f"<p>{escape(lead)}</p></div>"
            f'<div id="{page}" aria-busy="true">'
            f'<p class="a-wait">{escape(words["reports.loading"])}</p></div>',
            elem_id=f"{page}-frame",
        )
    footer(words)
    engine(script)
