"""The about page: rules, ratings, terms and privacy as native Markdown with formulae."""

from __future__ import annotations

import gradio as gr

from arena_frontend.pages.chrome import footer, header
from arena_frontend.texts import Texts


def build(words: Texts) -> None:
    """Lay out the page inside an open route."""
    header(words, "about")
    with gr.Column(elem_id="main", elem_classes="a-page a-about"):
        gr.Markdown(
            words.about,
            elem_id="about-text",
            latex_delimiters=[
                {"left": "$$", "right": "$$", "display": True},
                {"left": "$", "right": "$", "display": False},
            ],
            header_links=False,
            container=False,
        )
    footer(words)
