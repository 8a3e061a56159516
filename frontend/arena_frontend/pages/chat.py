"""The pages of chats with chosen models, one or two side by side, built from the same parts as a battle."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.markup import NOTICE, hero, ideas
from arena_frontend.pages import battle, conversation
from arena_frontend.pages.chrome import place, plain
from arena_frontend.texts import Texts

KINDS = {"side_by_side": (battle.SIDES, battle.OUTCOMES), "direct": (battle.SIDES[:1], ("good", "bad"))}
"""Sides and outcomes of each page."""
TOOLS = ("regenerate", "new_round")


def build(words: Texts, script: str, page: str) -> None:
    """Lay out one of `KINDS` inside an open route; `script` is the path of its engine."""
    words = words.on(page)
    sides, outcomes = KINDS[page]
    place("bar")
    with gr.Column(elem_id="main", elem_classes=f"a-battle a-chat a-{page.replace('_', '-')}"):
        plain(hero(words), elem_id="hero")
        plain(_models(words, sides), elem_id="choice")
        if len(sides) > 1:
            plain(conversation.switch(words, sides), elem_id="switch")
        plain(conversation.prompt_images(words), elem_id="asked-row")
        with gr.Row(elem_id="pair", equal_height=True):
            columns = [conversation.column(words, side) for side in sides]
        with gr.Column(elem_id="dock", scale=0):
            plain(conversation.further(words), elem_id="further")
            votes = conversation.votes(words, outcomes)
            plain(NOTICE, elem_id="notice")
        box, buttons = conversation.composer(words, TOOLS)
        plain(ideas(words), elem_id="ideas")
    place("foot")
    conversation.engine(script, columns, votes, box, buttons)


def _models(words: Texts, sides: tuple[str, ...]) -> str:
    """A list of models per side, which the browser fills."""
    fields = "".join(
        f'<label><span class="a-badge" data-side="{side}" aria-hidden="true">{side.upper()}</span>'
        f'<span class="a-choice-name">{escape(words["side." + side])}</span>'
        f'<select id="model_{side}" data-side="{side}" disabled></select></label>'
        for side in sides
    )
    return (
        f'<div class="a-choice" role="group" aria-label="{escape(words["choice.title"])}">{fields}'
        f'<button type="button" class="a-link" data-act="shuffle">{escape(words["choice.shuffle"])}</button></div>'
    )
