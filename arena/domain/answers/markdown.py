"""One block of Markdown as safe HTML: bounds, marks, the renderer without raw HTML, the sanitiser, formulae."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from html import escape, unescape
from typing import TYPE_CHECKING, Final

from arena.domain.answers import code, formulae
from arena.domain.answers.bounds import clean, has_few_cells, is_bounded, is_shallow
from arena.domain.answers.fences import FenceScan
from arena.domain.answers.marks import FORMULAE, Formula, Marks, address, marked

if TYPE_CHECKING:
    from collections.abc import Callable

    from nh3 import Cleaner

    from arena.domain.answers.render_budget import RenderBudget

_TURNED: Final = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li", "th", "td"})
"""Elements that take their direction from their text."""
ELEMENTS: Final = _TURNED | frozenset(
    {
        *("br", "hr", "strong", "em", "del", "mark", "sub", "sup", "kbd", "code", "pre", "span", "div"),
        *("table", "thead", "tbody", "tr"),
    }
)
"""All elements that an answer may have outside formulae."""
CLASSES: Final[dict[str, set[str]]] = {
    "span": {"a-address", "a-box", "a-language", *code.CLASSES.values()},
    "div": {"a-code"},
    "p": {"a-source"},
    "th": {"a-center", "a-right"},
    "td": {"a-center", "a-right"},
}
_BLANK: Final = re.compile(r"(\n[ \t>]*\n)")
_HEADING: Final = re.compile(r"^( {0,3}#{2,6})(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af*\uff08\u201c])", re.MULTILINE)
_CALLOUT: Final = re.compile(
    r"^([ \t]*>[ \t]*)\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*$", re.IGNORECASE | re.MULTILINE
)
_LINK: Final = re.compile(r'<a href="([^"]*)"(?: title="[^"]*")?>(.*?)</a>', re.DOTALL)
_PICTURE: Final = re.compile(r'<img src="([^"]*)" alt="([^"]*)"(?: title="[^"]*")? />')
_BOX: Final = re.compile(r'<input type="checkbox"( checked="")? disabled="" />')
_ALIGNED: Final = re.compile(r'<t([dh]) align="(center|left|right)">')
_CODE: Final = re.compile(
    r"<pre><code(?: class=\"language-([^\"]*)\")?>(.*?)</code></pre>|<code>(.*?)</code>", re.DOTALL
)
_NAME: Final = re.compile(r"[a-z0-9+#._-]{1,24}")
_EMPTY: Final = re.compile(r'<p dir="auto">\s*</p>\n?')
_SLOW: Final = ("```", "~~~", "$", "\\(", "\\[", "\\begin")
"""Beginnings of code and formulae."""
_PICTURE_MARK: Final = "\U0001f5bc "


def block_html(source: str, budget: RenderBudget, *, is_open: bool = False) -> str:
    """The HTML of one block of an answer; what is beyond the bounds becomes text as it was written.

    Formulae and colours are spent from what is left for the answer. While a block is open, it spends nothing, and
    formulae and code stay plain, so that each is converted and coloured once.
    """
    text = clean(source)
    if not (is_shallow(text) and has_few_cells(text)):
        return source_html(text)
    marks = Marks(replace(budget) if is_open else budget, is_open=is_open)
    html = _rendered(_prepared(text, marks))
    if not is_bounded(html, text):
        return source_html(text)
    return FORMULAE.sub(lambda match: _formula(match, marks), _EMPTY.sub("", _sanitised(_expanded(html, marks))))


def trusted_html(markdown: str) -> str:
    """The HTML of a text of the arena itself, whose elements stay."""
    from comrak import ExtensionOptions, RenderOptions, markdown_to_html

    return markdown_to_html(markdown, ExtensionOptions(table=True), None, RenderOptions(unsafe_=True))


def source_html(text: str) -> str:
    """A text as it was written."""
    return f'<p class="a-source" dir="auto">{escape(clean(text).strip(chr(10)))}</p>'


def is_heavy(source: str, *, is_open: bool = False) -> bool:
    """Whether blocks may take more than five milliseconds: they are long, or have code or a formula and are closed."""
    return len(source) > 2_000 or (not is_open and any(mark in source for mark in _SLOW))


def _prepared(text: str, marks: Marks) -> str:
    """Markdown with marks outside fenced code, and with fenced code where its list item has it."""
    if "```" not in text and "~~~" not in text:
        return "".join(_prepared_prose(text, marks))
    return "".join(
        part.text if part.is_code else "".join(_prepared_prose(part.text, marks)) for part in FenceScan().parts(text)
    )


def _prepared_prose(text: str, marks: Marks) -> list[str]:
    text = _CALLOUT.sub(lambda match: f"{match[1]}**{match[2].capitalize()}**  ", _HEADING.sub(r"\1 ", text))
    pieces = _BLANK.split(text)
    return [piece if index % 2 else marked(piece, marks) for index, piece in enumerate(pieces)]


@cache
def _renderer() -> Callable[[str], str]:
    """Comrak without raw HTML; its options are made once."""
    from comrak import ExtensionOptions, RenderOptions, markdown_to_html

    extensions = ExtensionOptions(
        strikethrough=True, table=True, tasklist=True, cjk_friendly_emphasis=True, highlight=True
    )
    options = RenderOptions(escape=True)
    return lambda text: markdown_to_html(text, extensions, None, options)


def _rendered(markdown: str) -> str:
    return _renderer()(markdown)


def _expanded(html: str, marks: Marks) -> str:
    """The renderer's HTML with links and pictures as text, our classes, coloured code, and pieces for their marks."""
    html = _PICTURE.sub(lambda match: _target(_PICTURE_MARK + match[2], match[1], marks), html)
    html = _LINK.sub(lambda match: _target(match[2], match[1], marks), html)
    html = _BOX.sub(lambda match: f'<span class="a-box">{"☑" if match[1] else "☐"}</span>', html)
    html = _ALIGNED.sub(lambda match: f'<t{match[1]} class="a-{match[2]}">', html)
    pieces: list[str] = []
    done = 0
    for match in _CODE.finditer(html):
        pieces += (marks.html(html[done : match.start()]), _code(match, marks))
        done = match.end()
    return "".join([*pieces, marks.html(html[done:])])


def _target(words: str, href: str, marks: Marks) -> str:
    """A link or picture as its words and its address, or only what there is, and once if they are the same."""
    plain = unescape(href)
    if not plain:
        return words
    shown = marks.source(unescape(words)).strip()
    if shown in {plain, ""} or f"mailto:{shown}" == plain:
        return address(plain)
    return f"{words} {address(f'({plain})')}"


def _code(match: re.Match[str], marks: Marks) -> str:
    """Code between lines, with its language and colours, or in a line."""
    if match[3] is not None:
        return f"<code>{escape(marks.source(unescape(match[3])))}</code>"
    named = _NAME.match(unescape(match[1] or "").lower())
    language = named[0] if named else ""
    written = marks.source(unescape(match[2]))
    is_plain = marks.is_open or not (code.may_have_colours(written, language) and marks.budget.take_code(written))
    body = escape(written) if is_plain else code.highlighted(written, language)
    label = f'<span class="a-language">{escape(language)}</span>' if language else ""
    return f'<div class="a-code">{label}<pre><code>{body}</code></pre></div>'


@cache
def _cleaner() -> Cleaner:
    from nh3 import Cleaner

    return Cleaner(
        tags=set(ELEMENTS),
        attributes={"ol": {"start"}, "td": {"colspan"}, "th": {"colspan"}},
        allowed_classes=CLASSES,
        set_tag_attribute_values={name: {"dir": "auto"} for name in _TURNED},
        clean_content_tags=set(),
        link_rel=None,
        url_schemes=set(),
    )


def _sanitised(html: str) -> str:
    return _cleaner().clean(html)


def _formula(match: re.Match[str], marks: Marks) -> str:
    piece = marks.take(int(match[1]))
    if not isinstance(piece, Formula):
        return ""
    rendered = None if marks.is_open else formulae.mathml(piece.latex, display=piece.display)
    return rendered or f"<code>{escape(piece.source)}</code>"
