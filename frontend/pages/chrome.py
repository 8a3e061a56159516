"""What all pages share: the bar at the top and the lines at the foot."""

from __future__ import annotations

from html import escape

import gradio as gr

from frontend.texts import LANGUAGES, Texts, texts

PAGES = {
    "battle": "/",
    "side_by_side": "/side-by-side",
    "direct": "/direct",
    "leaderboard": "/leaderboard",
    "mine": "/mine",
    "about": "/about",
    "owners": "/owners",
}
"""Path of each page."""

_ENGINE = "import(element.querySelector('script-path').dataset.src).then((m) => m.attach())"
_MARK = (
    '<svg class="a-mark" viewBox="0 0 32 32" aria-hidden="true">'
    '<rect class="a-mark-a" x="3" y="7" width="15" height="18" rx="5"/>'
    '<rect class="a-mark-b" x="14" y="7" width="15" height="18" rx="5"/></svg>'
)


def header(words: Texts, current: str) -> gr.HTML:
    """Brand, pages, language and appearance."""
    links = "".join(_link(words, page, current) for page in PAGES)
    languages = "".join(_language(words, code) for code in LANGUAGES)
    switch, language = escape(words["lang.switch"]), escape(words["lang.name"])
    return plain(
        f"""<a class="a-skip" href="#main">{escape(words["skip_link"])}</a>
<header class="a-bar"><a class="a-brand" href="/">{_MARK}<span>{escape(words["brand"])}</span></a>
<nav class="a-nav" aria-label="{escape(words["nav.label"])}">{links}</nav>
<div class="a-tools"><details class="a-langs"><summary aria-label="{switch}: {language}">{language}</summary>
<div>{languages}</div></details>
<button type="button" class="a-theme" data-act="theme" aria-label="{escape(words["theme.system"])}"
 title="{escape(words["theme.system"])}"></button></div></header>""",
        elem_id="bar",
    )


def footer(words: Texts) -> gr.HTML:
    """The terms in one line, with the way to all of them."""
    return plain(
        f'<footer class="a-foot"><p>{escape(words["terms.short"])} '
        f'<a href="/about#terms">{escape(words["terms.more"])}</a> · '
        f'<a href="/owners">{escape(words["nav.owners.long"])}</a></p></footer>',
        elem_id="foot",
    )


def engine(script: str) -> gr.HTML:
    """What starts the page's own script, at the path `script`."""
    return gr.HTML(
        f'<script-path data-src="{escape(script)}"></script-path>',
        elem_id="engine",
        js_on_load=_ENGINE,
        apply_default_css=False,
    )


def plain(html: str, *, elem_id: str) -> gr.HTML:
    """Fixed markup without the component's own padding, styles and script."""
    return gr.HTML(html, elem_id=elem_id, padding=False, apply_default_css=False, js_on_load=None)


def _link(words: Texts, page: str, current: str) -> str:
    mark = ' aria-current="page"' if page == current else ""
    return f'<a href="{PAGES[page]}" data-page="{page}"{mark}>{escape(words["nav." + page])}</a>'


def _language(words: Texts, code: str) -> str:
    mark = ' aria-current="true"' if code == words.language else ""
    other = texts(code)
    name = escape(other["lang.name"])
    return f'<a href="?lang={code}" hreflang="{other["lang.code"]}" lang="{other["lang.code"]}"{mark}>{name}</a>'
