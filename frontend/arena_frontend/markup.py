"""Markup that all pages share: bar, foot, pictures on buttons, and tags for link previews."""

from __future__ import annotations

from html import escape
from typing import Final

from arena.domain.terms import Access
from arena_frontend.branding import PLAIN, Branding
from arena_frontend.texts import Texts, texts

PAGES: Final = {
    "battle": "/",
    "leaderboard": "/boards",
    "side_by_side": "/side-by-side",
    "direct": "/direct",
    "mine": "/mine",
    "about": "/about",
    "owners": "/owners",
}
"""Path of each page; that of all boards leads to the only one while there is one."""
HEAD: Final = 2
"""Number of entries that the bar of a phone shows; the others are behind a button."""
_PARTS: Final = {"overview": "leaderboard"}
"""Pages that are part of another in the navigation."""
FOOT: Final = {"about": "nav.about", "about#data": "nav.data", "owners": "nav.owners.long"}
"""Pages that every foot leads to, with the keys of their names."""
_GRADIO: Final = {"gradio": "nav.gradio"}

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
COPY: Final = (
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">'
    '<rect x="8.5" y="8.5" width="11" height="11" rx="2"/><path d="M15.500 5.500v-1h-11v11h1"/></svg>'
)
WIDE: Final = (
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">'
    '<path d="M3 12h18M7 8l-4 4 4 4M17 8l4 4-4 4"/></svg>'
)
"""Pictures on the buttons of an answer."""
ICONS: Final = {"attach": ATTACH, "copy": COPY, "wide": WIDE}
"""Pictures that templates use, by name."""
IMAGES: Final = "image/png,image/jpeg,image/webp"
"""Types of images that the arena takes."""


def bar(words: Texts, current: str, branding: Branding = PLAIN) -> str:
    """Brand, navigation, language, appearance and the operator's announcement; `current` is the page's name."""
    links = [_link(words, page, current) for page in PAGES]
    if branding.access is Access.MEMBERS_VOTE:
        links.append(f'<a href="/sign-in" data-page="sign_in">{escape(words["sign_in.title"])}</a>')
    return f"""<a class="a-skip" href="#main">{escape(words["skip_link"])}</a>
<header class="a-bar"><a class="a-brand" href="/">{_mark(branding)}<span>{escape(words["brand"])}</span></a>
<nav class="a-nav" aria-label="{escape(words["nav.label"])}">{"".join(links[:HEAD])}
<div class="a-nav-rest">{_more(words, current)}<div id="more" class="a-nav-links">{"".join(links[HEAD:])}</div></div>
</nav>
<div class="a-tools">{_languages(words, branding)}
<button type="button" class="a-theme" data-act="theme" {_labels(words)} aria-label="{escape(words["theme.system"])}"
 title="{escape(words["theme.system"])}"></button></div></header>{_announcement(words, branding)}"""


def _languages(words: Texts, branding: Branding) -> str:
    """The menu of languages, if there is something to choose."""
    if len(branding.languages) == 1:
        return ""
    links = "".join(_language(words, code) for code in branding.languages)
    switch, language, short = escape(words["lang.switch"]), escape(words["lang.name"]), escape(words["lang.short"])
    return f"""<details class="a-langs">
<summary aria-label="{switch}: {language}" data-short="{short}"><span>{language}</span></summary>
<div>{links}</div></details>"""


def foot(words: Texts, branding: Branding = PLAIN) -> str:
    """A summary of the terms, and links to what stands behind the arena and to the operator's own pages."""
    pages = FOOT | (_GRADIO if branding.gradio else {}) | {page: f"nav.{page}" for page in branding.pages}
    links = " · ".join(f'<a href="/{page}">{escape(words[key])}</a>' for page, key in pages.items())
    terms, name = ("/terms", "nav.terms") if "terms" in branding.pages else ("/about#terms", "terms.more")
    return (
        f'<footer class="a-foot"><p>{escape(words["terms.short"])} '
        f'<a href="{terms}">{escape(words[name])}</a></p><p>{links}</p></footer>'
    )


def preview(title: str, about: str, prefix: str, *, picture: str = "", hidden: bool = False) -> str:
    """Build the tags for link previews; `picture` is the address of the page's own, if it has one.

    A `hidden` page is excluded from search engines.
    """
    return f"""
<meta property="og:type" content="website" />
<meta property="og:title" content="{escape(title)}" />
<meta property="og:description" content="{escape(about)}" />
<meta property="og:image" content="{escape(picture or prefix + "/card.png")}" />
<meta property="og:image:width" content="1200" />
<meta property="og:image:height" content="630" />
<meta name="twitter:card" content="summary_large_image" />""" + (
        '\n<meta name="robots" content="noindex" />' if hidden else ""
    )


def _mark(branding: Branding) -> str:
    return (
        f'<img class="a-mark" src="{escape(branding.mark)}" alt="" width="28" height="28">' if branding.mark else _MARK
    )


def _announcement(words: Texts, branding: Branding) -> str:
    text = branding.announced(words.language)
    return f'\n<p class="a-announcement" role="note">{escape(text)}</p>' if text else ""


def _labels(words: Texts) -> str:
    """The names of the three appearances, which the script of all pages sets."""
    return " ".join(f'data-{wish}="{escape(words[f"theme.{wish}"])}"' for wish in ("system", "light", "dark"))


def _more(words: Texts, current: str) -> str:
    """The button of the entries that a phone hides, one of which may be the current page's."""
    mark = ' aria-current="true"' if _PARTS.get(current, current) in list(PAGES)[HEAD:] else ""
    attributes = f'type="button" class="a-nav-more" data-act="nav" aria-expanded="false" aria-controls="more"{mark}'
    return f"<button {attributes}>{escape(words['nav.more'])}</button>"


def _link(words: Texts, page: str, current: str) -> str:
    mark = ' aria-current="page"' if page == _PARTS.get(current, current) else ""
    return f'<a href="{PAGES[page]}" data-page="{page}"{mark}>{escape(words["nav." + page])}</a>'


def _language(words: Texts, code: str) -> str:
    mark = ' aria-current="true"' if code == words.language else ""
    other = texts(code)
    name = escape(other["lang.name"])
    return f'<a href="?lang={code}" hreflang="{other["lang.code"]}" lang="{other["lang.code"]}"{mark}>{name}</a>'
