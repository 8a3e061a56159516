"""The owners' page: requirements and rules, around a frame that `assets/owners.js` fills from the API."""

from __future__ import annotations

from html import escape

import gradio as gr

from arena_frontend.pages.chrome import engine, footer, header, plain
from arena_frontend.texts import Texts

STEPS = ("own.step.signup", "own.step.register", "own.step.probe", "own.step.approval", "own.step.battle")
RULES = (
    "own.rule.unlisted",
    "own.rule.withdrawal",
    "own.rule.version",
    "own.rule.host",
    "own.rule.health",
    "own.rule.figures",
    "own.rule.server",
    "own.rule.cap",
    "own.rule.key",
)


def build(words: Texts, script: str) -> None:
    """Lay out the page inside an open route; `script` is the path of its script."""
    header(words, "owners")
    with gr.Column(elem_id="main", elem_classes="a-page"):
        plain(
            f'<div class="a-page-head"><h1>{escape(words["own.title"])}</h1>'
            f"<p>{escape(words['own.lead'])}</p></div>"
            f'<div id="owners" aria-busy="true"><p class="a-wait">{escape(words["own.loading"])}</p></div>'
            f'<div class="a-guide">{_listed(words, "own.steps", STEPS, "ol")}'
            f"{_listed(words, 'own.rules', RULES, 'ul')}</div>"
            f'<p class="a-to-operator"><a href="/operator">{escape(words["own.operator"])}</a></p>',
            elem_id="owners-frame",
        )
    footer(words)
    engine(script)


def _listed(words: Texts, title: str, keys: tuple[str, ...], tag: str) -> str:
    lines = "".join(f"<li>{escape(words[key])}</li>" for key in keys)
    place, head = title.replace("own.", "owners-"), escape(words[title])
    return f'<section class="a-panel" id="{place}"><h3>{head}</h3><{tag} class="a-steps">{lines}</{tag}></section>'
