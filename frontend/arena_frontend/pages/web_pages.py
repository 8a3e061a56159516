"""Parts of pages of battles for web pages made by models: the choice of the kind, and the stage where they run."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena_frontend.texts import Texts

KINDS: Final = ("text", "web_page")
WIDTHS: Final = ("desktop", "phone")


def kinds(words: Texts) -> str:
    """The choice of what both models make, beside the prompt."""
    buttons = "".join(_choice(words, "web.kind", kind, pressed=kind == KINDS[0]) for kind in KINDS)
    return f'<div class="a-kinds" role="group" aria-label="{escape(words["web.kind"])}">{buttons}</div>'


def stage(words: Texts, sides: tuple[str, ...]) -> str:
    """The stage: controls of both pages, and a place with a thick border for each; `assets/page_stage.js` fills it."""
    acts = "".join(
        f'<button type="button" class="a-stage-act" data-act="pages-{act}">{escape(words["web." + act])}</button>'
        for act in ("run", "restart", "stop")
    )
    widths = "".join(_choice(words, "web.width", width, pressed=width == WIDTHS[0]) for width in WIDTHS)
    places = "".join(_place(words, side) for side in sides)
    return (
        f'<section id="stage" class="a-stage" aria-label="{escape(words["web.title"])}" hidden>'
        f'<div class="a-stage-bar"><div class="a-stage-acts">{acts}</div>'
        f'<div class="a-stage-versions" role="group" aria-label="{escape(words["web.versions"])}"></div>'
        f'<div class="a-kinds" role="group" aria-label="{escape(words["web.width"])}">{widths}</div>'
        '<button type="button" class="a-stage-act" data-act="pages-source" aria-pressed="false">'
        f"{escape(words['web.source'])}</button></div>"
        f'<p class="a-stage-say" role="status"></p><div class="a-stage-pair" data-width="{WIDTHS[0]}">{places}</div>'
        "</section>"
    )


def _choice(words: Texts, group: str, value: str, *, pressed: bool) -> str:
    return (
        f'<button type="button" data-act="{group.replace(".", "-")}" data-value="{value}" '
        f'aria-pressed="{"true" if pressed else "false"}">{escape(words[f"{group}.{value}"])}</button>'
    )


def _place(words: Texts, side: str) -> str:
    alone, tab = escape(words["web.alone"]), escape(words["web.tab"])
    return (
        f'<figure class="a-stage-side" data-side="{side}"><figcaption><span class="a-badge" data-side="{side}" '
        f'aria-hidden="true">{side.upper()}</span><span class="a-stage-name">{escape(words["web.by." + side])}</span>'
        f'<a class="a-stage-tab" target="_blank" rel="noopener noreferrer" hidden>{tab}</a>'
        f'<button type="button" class="a-stage-act" data-act="pages-alone" data-side="{side}" aria-pressed="false">'
        f'{alone}</button></figcaption><div class="a-stage-frame"></div><ul class="a-stage-notes"></ul></figure>'
    )
