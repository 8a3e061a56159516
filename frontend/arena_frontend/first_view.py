"""The first view of a page: readable, and on the battle page usable, before any script of Gradio has arrived.

It lies in the HTML itself. Parts of it move into Gradio's page when that takes over; what is typed or sent in its box
is handed over by `assets/first_view.js`.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from arena_frontend.board_markup import figures
from arena_frontend.face import PLAIN, Face
from arena_frontend.markup import ATTACH, IMAGES, NOTICE, bar, foot, hero, ideas
from arena_frontend.pages.web_pages import kinds

if TYPE_CHECKING:
    from arena.domain.schemas.leaderboard import LeaderboardView
    from arena_frontend.bundle import Bundle
    from arena_frontend.texts import Texts

END: Final = "early-foot"
"""Element at the end of the first view."""
_SIDES: Final = ("a", "b")
_IDEAS: Final = 2
"""Places for ideas, which a script chooses."""


@dataclass(frozen=True, slots=True)
class News:
    """The state of the arena as the first view shows it: its newest leaderboard, and what can be asked.

    `practice` is whether practice models answer, `sees` whether models see images, and `asks` whether a question can be
    sent; where it cannot, the page says so as soon as it can. `terms` is the version to accept, 0 for none.
    """

    board: LeaderboardView | None = None
    practice: bool = False
    sees: bool = True
    asks: bool = True
    terms: int = 0


NONE: Final = News()
"""The news before anything is known."""


def first_view(words: Texts, page: str, bundle: Bundle, news: News = NONE, face: Face = PLAIN) -> str:
    """Markup for the start of the body of a page, in the language of `words`.

    What is marked with `data-into` moves into that place of Gradio's page when it takes over.
    """
    content = f"{_content(words, news, face)}<script>{bundle.text('early.js')}</script>" if page == "battle" else ""
    return (
        f'<div id="arena-boot" class="gradio-container"><div class="a-early-bar" data-into="bar">'
        f"{bar(words, page, face)}</div>{content}"
        f'<p class="a-loading" role="status">{escape(words["loading"])}</p>'
        f"<noscript><p>{escape(words['noscript'])}</p></noscript>"
        f'<div id="{END}" class="a-early-foot" data-into="foot">{foot(words, face)}</div></div>'
    )


def _content(words: Texts, news: News, face: Face) -> str:
    parts = {"notice": NOTICE, "practice": _practice(words, news), "kinds": kinds(words)}
    above = "".join(f'<div data-into="{place}">{part}</div>' for place, part in parts.items())
    return (
        f'<main id="main" class="a-early"><div data-into="hero">{hero(words)}</div>{_pair(words)}{above}'
        f"{_box(words, news)}"
        f'<div data-into="ideas">{ideas(words, _IDEAS)}</div>'
        f'<div data-into="life">{figures(words, news.board, gradio=face.gradio)}</div></main>'
    )


def _pair(words: Texts) -> str:
    """The question and both answers, as plain text until Gradio takes over; `assets/first_battle.js` fills it."""
    sides = "".join(
        f'<section><h2><span class="a-badge" data-side="{side}">{side.upper()}</span>{escape(words["side." + side])}'
        f'</h2><p data-answer="{side}" dir="auto"></p></section>'
        for side in _SIDES
    )
    return f'<div id="early-pair"><blockquote dir="auto"></blockquote><div tabindex="0">{sides}</div></div>'


def _practice(words: Texts, news: News) -> str:
    hidden = "" if news.practice else " hidden"
    return (
        f'<p id="practice-line" class="a-practice" role="note"{hidden}>{escape(words["practice"])} '
        f'<a href="/owners#new">{escape(words["practice.add"])}</a></p>'
    )


def _box(words: Texts, news: News) -> str:
    label, placeholder = escape(words["prompt.label"]), escape(words["prompt.placeholder"])
    image = escape(words["images.add"])
    terms = f' data-terms="{news.terms}"' if news.terms else ""
    return (
        f'<form id="early" autocomplete="off"{terms}{"" if news.asks else " data-now"}>'
        f'<label class="a-attach" title="{image}"{"" if news.sees else " hidden"}>{ATTACH}'
        f'<input type="file" accept="{IMAGES}" multiple aria-label="{image}"></label>'
        f'<textarea rows="1" aria-label="{label}" placeholder="{placeholder}"></textarea>'
        f"<button>{escape(words['send'])}</button><output></output></form>"
        f'<p class="a-count"><span class="a-keys">{escape(words["prompt.keys"])}</span></p>'
    )
