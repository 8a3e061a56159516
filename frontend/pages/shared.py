"""The page of a battle that its voter shows to everybody; `assets/shared.js` paints it from the API."""

from __future__ import annotations

from html import escape

import gradio as gr

from frontend.pages.battle import SIDES
from frontend.pages.chrome import footer, header, plain
from frontend.pages.talk import column
from frontend.texts import Texts

_ENGINE = "import(element.querySelector('script-path').dataset.src).then((m) => m.attach(trigger, 'paint'))"


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of the painter."""
    header(words, "shared")
    with gr.Column(elem_id="main", elem_classes="a-battle a-shared"):
        plain(
            f'<div class="a-page-head"><h1>{escape(words["shared.title"])}</h1>'
            f'<p id="shared-lead">{escape(words["shared.lead"])}</p></div>',
            elem_id="shared-head",
        )
        plain('<div id="reveal-box" class="a-reveal" hidden></div>', elem_id="reveal")
        with gr.Row(elem_id="pair", equal_height=False):
            columns = [column(words, side) for side in SIDES]
        plain(
            f'<p class="a-shared-end"><a class="a-button" href="/">{escape(words["shared.try"])}</a></p>',
            elem_id="shared-end",
        )
    footer(words)
    engine = gr.HTML(
        f'<script-path data-src="{escape(script)}"></script-path>',
        elem_id="engine",
        js_on_load=_ENGINE,
        apply_default_css=False,
    )
    engine.paint(None, None, columns, js="() => window.arena.columns()")  # type: ignore[attr-defined]
