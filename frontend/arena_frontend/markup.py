"""Markup that is in the first bytes of a page and in Gradio's part of it alike: bar, hero and button of images."""

from __future__ import annotations

from html import escape
from typing import Final

from arena_frontend.texts import LANGUAGES, Texts, texts

PAGES: Final = {
    "battle": "/",
    "leaderboard": "/leaderboard",
    "side_by_side": "/side-by-side",
    "direct": "/direct",
    "mine": "/mine",
    "about": "/about",
    "owners": "/owners",
}
"""Path of each page."""

_MARK: Final = (
    '<svg class="a-mark" viewBox="0 0 32 32" aria-hidden="true">'
    '<rect class="a-mark-a" x="3" y="7" width="15" height="18" rx="5"/>'
    '<rect class="a-mark-b" x="14" y="7" width="15" height="18" rx="5"/></svg>'
)


ATTACH: Final = (
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">'
    '<rect x="3.5" y="5" width="17" height="14" rx="2.5"/><circle cx="9" cy="10" r="1.6"/>'
    '<path d="M4 17l5-4 3 2.5 4-4.5 4.5 5"/></svg>'
)
"""A picture, on the button that adds an image."""
IMAGES: Final = "image/png,image/jpeg,image/webp"
"""Types of images that the arena takes."""


def bar(words: Texts, current: str) -> str:
    """Brand, navigation, language and appearance; `current` is the name of the page."""
    links = "".join(_link(words, page, current) for page in PAGES)
    languages = "".join(_language(words, code) for code in LANGUAGES)
    switch, language, short = escape(words["lang.switch"]), escape(words["lang.name"]), escape(words["lang.short"])
    return f"""<a class="a-skip" href="#main">{escape(words["skip_link"])}</a>
<header class="a-bar"><a class="a-brand" href="/">{_MARK}<span>{escape(words["brand"])}</span></a>
<nav class="a-nav" aria-label="{escape(words["nav.label"])}">{links}</nav>
<div class="a-tools"><details class="a-langs">
<summary aria-label="{switch}: {language}" data-short="{short}"><span>{language}</span></summary>
<div>{languages}</div></details>
<button type="button" class="a-theme" data-act="theme" aria-label="{escape(words["theme.system"])}"
 title="{escape(words["theme.system"])}"></button></div></header>"""


def hero(words: Texts) -> str:
    """Headline, lead and the three steps of a battle."""
    steps = "".join(f"<li>{escape(words[f'hero.step{number}'])}</li>" for number in (1, 2, 3))
    return (
        f'<div class="a-hero"><h1>{escape(words["hero.title"])}</h1><p>{escape(words["hero.lead"])}</p>'
        f'<ol class="a-steps">{steps}</ol></div>'
    )


def _link(words: Texts, page: str, current: str) -> str:
    mark = ' aria-current="page"' if page == current else ""
    return f'<a href="{PAGES[page]}" data-page="{page}"{mark}>{escape(words["nav." + page])}</a>'


def _language(words: Texts, code: str) -> str:
    mark = ' aria-current="true"' if code == words.language else ""
    other = texts(code)
    name = escape(other["lang.name"])
    return f'<a href="?lang={code}" hreflang="{other["lang.code"]}" lang="{other["lang.code"]}"{mark}>{name}</a>'
