"""The battle page: Gradio's columns, text box and buttons, controlled by the script in the browser only."""

from __future__ import annotations

import gradio as gr

from arena_frontend.pages import conversation, web_pages
from arena_frontend.pages.chrome import place, plain
from arena_frontend.texts import Texts

SIDES = ("a", "b")
OUTCOMES = ("a", "tie", "both_bad", "b")
"""In reading order: left, the two in the middle, right."""
TOOLS = ("regenerate", "skip", "same_prompt", "new_round")


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open `gr.Blocks`; `script` is the path of the engine."""
    place("bar")
    with gr.Column(elem_id="main", elem_classes="a-battle"):
        place("hero")
        plain(conversation.switch(words, SIDES), elem_id="switch")
        plain(conversation.prompt_images(words), elem_id="asked-row")
        with gr.Row(elem_id="pair", equal_height=True):
            columns = [conversation.column(words, side) for side in SIDES]
        plain(web_pages.stage(words, SIDES), elem_id="stage-row")
        with gr.Column(elem_id="dock", scale=0):
            plain(conversation.further(words), elem_id="further")
            plain('<div id="reveal-box" class="a-reveal" tabindex="-1" hidden></div>', elem_id="reveal")
            votes = conversation.votes(words, OUTCOMES)
            place("notice")
        plain('<div id="after-box" class="a-after" hidden></div>', elem_id="after")
        place("practice")
        box, buttons = conversation.composer(words, TOOLS, "kinds")
        place("ideas")
        place("life")
    place("foot")
    conversation.engine(script, columns, votes, box, buttons)
