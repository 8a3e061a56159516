"""The page on which people judge answers by a link; `assets/annotate.js` fills it from the API."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.pages.battle import SIDES
from arena_frontend.pages.chrome import place, plain
from arena_frontend.pages.conversation import column, painter
from arena_frontend.texts import Texts


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    place("bar")
    label = escape(words["annotate.progress"])
    with gr.Column(elem_id="main", elem_classes="a-battle a-shared a-annotate"):
        plain(
            f'<div class="a-page-head"><h1>{escape(words["annotate.title"])}</h1>'
            f'<p id="annotate-lead" role="status">{escape(words["annotate.lead"])}</p>'
            f'<progress id="annotate-progress" value="0" max="1" hidden aria-label="{label}">'
            '</progress></div><div id="annotate-guide"></div>',
            elem_id="annotate-head",
        )
        with gr.Row(elem_id="pair", equal_height=False):
            columns = [column(words, side) for side in SIDES]
        plain('<div id="judge" class="a-judge" hidden></div>', elem_id="judge-box")
    place("foot")
    painter(script, columns)
