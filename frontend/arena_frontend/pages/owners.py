"""The owners' page: requirements and rules, around a frame that `assets/owners.js` fills from the API."""

from __future__ import annotations

from html import escape

from arena_frontend.pages.frames import build_frame, head, waiting
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
    markup = (
        f"{head(words, 'own')}{waiting(words, 'owners', 'own.loading')}"
        f'<div class="a-guide">{_list(words, "own.steps", STEPS, "ol")}{_list(words, "own.rules", RULES, "ul")}</div>'
        f'<p class="a-to-operator"><a href="/operator">{escape(words["own.operator"])}</a></p>'
    )
    build_frame(words, script, "owners", "owners-frame", markup)


def _list(words: Texts, title: str, keys: tuple[str, ...], tag: str) -> str:
    lines = "".join(f"<li>{escape(words[key])}</li>" for key in keys)
    place, head = title.replace("own.", "owners-"), escape(words[title])
    return f'<section class="a-panel" id="{place}"><h3>{head}</h3><{tag} class="a-steps">{lines}</{tag}></section>'
