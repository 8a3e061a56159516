"""Pages that are a title, a lead and an empty frame, which the page's script fills from the API."""

from __future__ import annotations

from html import escape
from typing import Final

import gradio as gr

from arena_frontend.pages.chrome import engine, footer, header, plain
from arena_frontend.texts import Texts

FRAMES: Final = {
    "operator": ("operator", "own.loading"),
}
"""Of each page: the id of the element that its script fills, and the key of the text until then."""
PREFIXES: Final = {"operator": "op"}
"""Prefixes of the keys of title and lead, where it is not the id of the element."""


def build(words: Texts, script: str, page: str) -> None:
    """Lay out one of `FRAMES` inside an open route; `script` is the path of its script."""
    place, text = FRAMES[page]
    markup = head(words, PREFIXES.get(page, place)) + waiting(words, place, text)
    build_frame(words, script, page, f"{place}-frame", markup)


def build_frame(words: Texts, script: str, page: str, frame: str, markup: str) -> None:
    """Lay out a page of one element `frame` with this markup."""
    header(words, page)
    with gr.Column(elem_id="main", elem_classes="a-page"):
        plain(markup, elem_id=frame)
    footer(words)
    engine(script)


def head(words: Texts, prefix: str) -> str:
    """Title and lead."""
    title, lead = escape(words[f"{prefix}.title"]), escape(words[f"{prefix}.lead"])
    return f'<div class="a-page-head"><h1>{title}</h1><p>{lead}</p></div>'


def waiting(words: Texts, place: str, text: str) -> str:
    """The element that a script fills, with a text until then."""
    return f'<div id="{place}" aria-busy="true"><p class="a-wait">{escape(words[text])}</p></div>'
