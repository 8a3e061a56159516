"""Markdown of the operator as a tree of the few elements that a page may have; anything else becomes text.

Pages and the preview are rendered from this tree only: browsers parse no markup of the operator and fetch no images,
and the only attribute is a link to the web, to a mail address or into the arena.
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
"""Elements of a page by the parser's type of node, without headings, links and code."""
HEADS: Final[tuple[Tag, ...]] = ("h2", "h3", "h4")
"""Elements of headings by level; deeper levels have the last one."""
NESTED: Final = 20
"""Most levels of a page; deeper ones are left out."""
ELEMENTS: Final = 4_000
"""Most elements of a page; without a limit a short text could become megabytes of table cells."""
_UNWANTED: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ue000-\uf8ff]")
"""Control characters, bidirectional overrides and private use, which no page needs."""
_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")
_INSIDE: Final = re.compile(r"#[\w-]*|/(?![/\\])[^\\\s]*")
_MAIL: Final = re.compile(r"mailto:[\w.+-]+@[\w.-]+", re.IGNORECASE)


@lru_cache(maxsize=64)
def prose(markdown: str) -> tuple[ProseView, ...]:
    """The blocks of a text in CommonMark with tables and strikethrough; HTML is shown as typed.

    Raises:
        Invalid: The text is nested too deeply or has too many elements.
    """
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": NESTED}).enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    text = _UNWANTED.sub("", well_formed(markdown).replace("\r\n", "\n").replace("\r", "\n"))
    try:
        tokens = parser.parse(text)
        if sum(1 + len(token.children or ()) for token in tokens) > ELEMENTS:
            raise Invalid(rule="elements")
        return tuple(_views(SyntaxTreeNode(tokens).children))
    except RecursionError:
        raise Invalid(rule="elements") from None


def _views(nodes: Sequence[SyntaxTreeNode]) -> Iterator[ProseView]:
    for node in nodes:
        yield from _node_views(node)


def _node_views(node: SyntaxTreeNode) -> Iterator[ProseView]:
    """The elements of a node; for an image its description."""
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
    """A link, or only its words if the address is not allowed."""
    address, children = str(node.attrs.get("href", "")), list(_views(node.children))
    if allowed(address):
        yield ProseView(tag="a", href=address, children=children)
    else:
        yield from children


def allowed(address: str) -> bool:
    """Whether a page may link to an address: http(s) without user names, a mail address, or a path of the arena."""
    if _INSIDE.fullmatch(address) or _MAIL.fullmatch(address):
        return True
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(_HOST.fullmatch(parts.netloc)) and "\\" not in address
