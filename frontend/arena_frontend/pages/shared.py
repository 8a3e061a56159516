"""The page of a shared battle, which `assets/shared.js` renders from the API."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.pages import web_pages
from arena_frontend.pages.battle import SIDES
from arena_frontend.pages.chrome import place, plain
from arena_frontend.pages.conversation import column, painter
from arena_frontend.texts import Texts


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    place("bar")
    with gr.Column(elem_id="main", elem_classes="a-battle a-shared"):
        plain(
            f'<div class="a-page-head"><h1>{escape(words["shared.title"])}</h1>'
            f'<p id="shared-lead">{escape(words["shared.lead"])}</p></div>',
            elem_id="shared-head",
        )
        plain('<div id="reveal-box" class="a-reveal" hidden></div>', elem_id="reveal")
        plain(web_pages.stage(words, SIDES), elem_id="stage-row")
        with gr.Row(elem_id="pair", equal_height=False):
            columns = [column(words, side) for side in SIDES]
        plain(
            f'<p class="a-shared-end"><a class="a-button" href="/">{escape(words["shared.try"])}</a></p>',
            elem_id="shared-end",
        )
    place("foot")
    painter(script, columns)
