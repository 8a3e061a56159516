"""Markdown of the operator as a tree of the few elements that a page may have; anything else becomes text.

Pages and the preview are rendered from this tree only: browsers parse no markup of the operator and fetch no images,
and the only attribute is a link to the web, to a mail address or into the arena.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

import comrak
from comrak import AstNode, ExtensionOptions, markdown_to_html, parse_document

from arena.domain.answers.bounds import has_few_cells, is_bounded, is_shallow
from arena.domain.answers.marks import LESS
from arena.domain.errors import Invalid
from arena.domain.schemas.site import ProseView, Tag
from arena.domain.text import well_formed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TAGS: Final[dict[str, Tag]] = {
    "Paragraph": "p",
    "Item": "li",
    "BlockQuote": "blockquote",
    "Strong": "strong",
    "Emph": "em",
    "Strikethrough": "del",
    "ThematicBreak": "hr",
    "LineBreak": "br",
}
"""Elements of a page by the parser's node, without headings, lists, tables, links and code."""
HEADS: Final[tuple[Tag, ...]] = ("h2", "h3", "h4")
"""Elements of headings by level; deeper levels have the last one."""
ELEMENTS: Final = 4_000
"""Most elements of a page; without a limit a short text could become megabytes of table cells."""
_UNWANTED: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ue000-\uf8ff]")
"""Control characters, bidirectional overrides and private use, which no page needs."""
_TAG: Final = re.compile(r"(?<!\]\()<(?=[A-Za-z/!?])(?!https?://|mailto:)")
"""The beginning of HTML, which is shown as typed; a private-use character stands for it while Markdown is read."""
_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")
_INSIDE: Final = re.compile(r"#[\w-]*|/(?![/\\])[^\\\s]*")
_MAIL: Final = re.compile(r"mailto:[\w.+-]+@[\w.-]+", re.IGNORECASE)


@lru_cache(maxsize=64)
def prose(markdown: str) -> tuple[ProseView, ...]:
    """The blocks of a text in CommonMark with tables and strikethrough; HTML is shown as typed.

    A text with more quotations and lists inside each other than answers may have is one paragraph, as typed.

    Raises:
        Invalid: The text has too many elements, or too many inside each other.
    """
    text = _UNWANTED.sub("", well_formed(markdown).replace("\r\n", "\n").replace("\r", "\n"))
    if not is_shallow(text):
        return (ProseView(tag="p", children=[ProseView(text=text)]),)
    options = ExtensionOptions(strikethrough=True, table=True)
    safe = _TAG.sub(LESS, text)
    # The tree is made by recursion, so its depth is known first.
    html = markdown_to_html(safe, options)
    if not has_few_cells(text) or not is_bounded(html, text) or html.count("<") > 2 * ELEMENTS:
        raise Invalid(rule="elements")
    return tuple(_views(parse_document(safe, options).children))


def _views(nodes: Sequence[AstNode]) -> list[ProseView]:
    return [view for node in nodes for view in _node_views(node)]


def _node_views(node: AstNode) -> Iterator[ProseView]:
    """The elements of a node; for an image its description."""
    value = cast("object", node.node_value)  # pyright: ignore[reportUnknownMemberType] - of any type
    if isinstance(value, comrak.Image):
        yield from _views(node.children)
    elif isinstance(value, comrak.SoftBreak):
        yield ProseView(text="\n")
    elif isinstance(value, comrak.Code | comrak.CodeBlock):
        code = ProseView(tag="code", children=[_text(value.value.literal)])
        yield code if isinstance(value, comrak.Code) else ProseView(tag="pre", children=[code])
    elif isinstance(value, comrak.Link):
        yield from _link(value.value.url, _views(node.children))
    elif isinstance(value, comrak.Table):
        yield _table(node)
    elif tag := _tag(value):
        yield ProseView(tag=tag, children=_views(node.children))
    else:
        yield _text(str(getattr(value, "value", "")))


def _text(text: str) -> ProseView:
    return ProseView(text=text.replace(LESS, "<"))


def _tag(value: object) -> Tag:
    """The element of a node that is one by its kind alone, or none."""
    if isinstance(value, comrak.Heading):
        return HEADS[: value.value.level][-1]
    if isinstance(value, comrak.List):
        return "ol" if value.value.list_type is comrak.ListType.Ordered else "ul"
    return TAGS.get(type(value).__name__, "")


def _table(node: AstNode) -> ProseView:
    """A table with its first row as head."""
    head, *body = (_row(row, "td" if number else "th") for number, row in enumerate(node.children))
    parts = [ProseView(tag="thead", children=[head])]
    return ProseView(tag="table", children=[*parts, ProseView(tag="tbody", children=body)] if body else parts)


def _row(row: AstNode, tag: Tag) -> ProseView:
    return ProseView(tag="tr", children=[ProseView(tag=tag, children=_views(cell.children)) for cell in row.children])


def _link(address: str, children: list[ProseView]) -> Iterator[ProseView]:
    """A link, or only its words if the address is not allowed."""
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
