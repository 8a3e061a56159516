"""The battle page: native columns, box and buttons, filled and toggled by the browser's engine alone."""

from __future__ import annotations

from html import escape

import gradio as gr

from frontend.pages import talk
from frontend.pages.chrome import footer, header, plain
from frontend.texts import Texts

SIDES = ("a", "b")
OUTCOMES = ("a", "tie", "both_bad", "b")
"""In reading order: left, the two in the middle, right."""
TOOLS = ("regenerate", "skip", "same_prompt", "new_round")


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open `gr.Blocks`; `script` is the path of the engine."""
    header(words, "battle")
    with gr.Column(elem_id="main", elem_classes="a-battle"):
        plain(_hero(words), elem_id="hero")
        plain(talk.switch(words, SIDES), elem_id="switch")
        with gr.Row(elem_id="pair", equal_height=True):
            columns = [talk.column(words, side) for side in SIDES]
        plain('<div id="reveal-box" class="a-reveal" tabindex="-1" hidden></div>', elem_id="reveal")
        votes = talk.votes(words, OUTCOMES)
        box, buttons = talk.composer(words, TOOLS)
        plain(talk.ideas(words), elem_id="ideas")
    footer(words)
    talk.engine(script, columns, votes, box, buttons)


def _hero(words: Texts) -> str:
    steps = "".join(f"<li>{escape(words[f'hero.step{number}'])}</li>" for number in (1, 2, 3))
    return (
        f'<div class="a-hero"><h1>{escape(words["hero.title"])}</h1><p>{escape(words["hero.lead"])}</p>'
        f'<ol class="a-steps">{steps}</ol></div>'
    )
