"""The pages of chats with chosen models, two side by side or one; the same columns, box and engine as a battle has."""

from __future__ import annotations

from html import escape

import gradio as gr

from frontend.pages import battle, talk
from frontend.pages.chrome import footer, header, plain
from frontend.texts import Texts

KINDS = {"side_by_side": (battle.SIDES, battle.OUTCOMES), "direct": (battle.SIDES[:1], ("good", "bad"))}
"""The sides of each page, and what can be said of the answers."""
TOOLS = ("regenerate", "new_round")


def build(words: Texts, script: str, page: str) -> None:
    """Lay out one of `KINDS` inside an open route; `script` is the path of its engine."""
    words = words.on(page)
    sides, outcomes = KINDS[page]
    header(words, page)
    with gr.Column(elem_id="main", elem_classes=f"a-battle a-chat a-{page.replace('_', '-')}"):
        plain(_head(words), elem_id="hero")
        plain(_models(words, sides), elem_id="choice")
        if len(sides) > 1:
            plain(talk.switch(words, sides), elem_id="switch")
        with gr.Row(elem_id="pair", equal_height=True):
            columns = [talk.column(words, side) for side in sides]
        votes = talk.votes(words, outcomes)
        box, buttons = talk.composer(words, TOOLS)
        plain(talk.ideas(words), elem_id="ideas")
    footer(words)
    talk.engine(script, columns, votes, box, buttons)


def _head(words: Texts) -> str:
    return f'<div class="a-hero"><h1>{escape(words["hero.title"])}</h1><p>{escape(words["hero.lead"])}</p></div>'


def _models(words: Texts, sides: tuple[str, ...]) -> str:
    """One list of models per side; the browser fills them."""
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
