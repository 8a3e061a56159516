"""Markdown of the operator as a tree of the few elements that a page may have; whatever else it holds is text.

The tree is the only thing that pages draw, on the server and in the preview alike: no markup is ever parsed in a
browser, no picture is fetched, and the only attribute is a link to the web, to a mail address or into the arena.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from arena.domain.errors import Invalid
from arena.domain.schemas.site import ProseView, Tag
from arena.domain.text import well_formed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TAGS: Final[dict[str, Tag]] = {
    "paragraph": "p",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "blockquote": "blockquote",
    "strong": "strong",
    "em": "em",
    "s": "del",
    "hr": "hr",
    "hardbreak": "br",
    "table": "table",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "th": "th",
    "td": "td",
}
"""Elements of a page by the kinds of nodes of the parser; heads, links and code have rules of their own."""
HEADS: Final[tuple[Tag, ...]] = ("h2", "h3", "h4")
"""Elements of the first heads; those of the others are the last of them."""
NESTED: Final = 20
"""Most levels of a page; what lies deeper is left out."""
ELEMENTS: Final = 4_000
"""Most elements of a page, so that a wide table of a few letters is no page of megabytes."""
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ue000-\uf8ff]")
"""Control characters, bidirectional overrides and private use, which no page needs."""
_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")
_INSIDE: Final = re.compile(r"#[\w-]*|/(?![/\\])[^\\\s]*")
_MAIL: Final = re.compile(r"mailto:[\w.+-]+@[\w.-]+", re.IGNORECASE)


@lru_cache(maxsize=64)
def prose(markdown: str) -> tuple[ProseView, ...]:
    """The blocks of a text in CommonMark with tables; elements of HTML are shown as they were typed.

    Raises:
        Invalid: It nests too deeply, or has too many elements.
    """
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": NESTED}).enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    text = _UNSEEN.sub("", well_formed(markdown).replace("\r\n", "\n").replace("\r", "\n"))
    try:
        tokens = parser.parse(text)
        if sum(1 + len(token.children or ()) for token in tokens) > ELEMENTS:
            raise Invalid(rule="elements")
        return tuple(_views(SyntaxTreeNode(tokens).children))
    except RecursionError:
        raise Invalid(rule="elements") from None


def _views(nodes: Sequence[SyntaxTreeNode]) -> Iterator[ProseView]:
    for node in nodes:
        yield from _of(node)


def _of(node: SyntaxTreeNode) -> Iterator[ProseView]:
    """The elements of a node; of an image its description."""
    kind = node.type
    if kind in {"inline", "image"}:
        yield from _views(node.children)
    elif kind in {"text", "softbreak", "text_special"}:
        yield ProseView(text=node.content or "\n" * (kind == "softbreak"))
    elif kind in {"code_inline", "fence", "code_block"}:
        code = ProseView(tag="code", children=[ProseView(text=node.content)])
        yield code if kind == "code_inline" else ProseView(tag="pre", children=[code])
    elif kind == "heading":
        yield ProseView(tag=HEADS[: int(node.tag[1:])][-1], children=list(_views(node.children)))
    elif kind == "link":
        yield from _link(node)
    elif kind in TAGS:
        yield ProseView(tag=TAGS[kind], children=list(_views(node.children)))
    else:
        yield ProseView(text=node.content)


def _link(node: SyntaxTreeNode) -> Iterator[ProseView]:
    """A link, or its words with the address behind them if that leads nowhere good."""
    address, children = str(node.attrs.get("href", "")), list(_views(node.children))
    if allowed(address):
        yield ProseView(tag="a", href=address, children=children)
    else:
        yield from children


def allowed(address: str) -> bool:
    """Whether a page may link there: the web without user names, a mail address, or the arena itself."""
    if _INSIDE.fullmatch(address) or _MAIL.fullmatch(address):
        return True
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(_HOST.fullmatch(parts.netloc)) and "\\" not in address
