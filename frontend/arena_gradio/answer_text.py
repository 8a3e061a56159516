"""Answers as Markdown that Gradio shows without raw HTML, without images and without links.

An answer must not load anything, cover the page or lead away before the vote. The page's policy and Gradio's sanitiser
stand behind this. Renderers differ in where code begins and ends; so only what is code for each of them stays as it
is, and after the first fence about which they could differ nothing counts as code.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE: Final = re.compile(
    r"^(?P<indent>[ \t]*)(?P<marks>(?:(?:[-+*>]|\d{1,9}[.)])[ \t]*)*)(?P<ticks>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*$",
    re.MULTILINE,
)
"""Any line that could begin fenced code, in a list or a quotation too."""
_NO_LINK: Final = r"(?!\]\(|!\[|\]\[|://|www\.|\\\(|\\\[)[^<>\n`@]"
_FORMULA: Final = rf"\$\$(?:{_NO_LINK})+?\$\$|\\\((?:{_NO_LINK})+?\\\)|\\\[(?:{_NO_LINK})+?\\\]"
"""Formulae on one line, with nothing in them that a renderer could take for a link, for HTML or for another formula."""
_CODE: Final = r"(?<!`)(?P<ticks>`{1,8})(?!`)[^`\n]+(?<!`)(?P=ticks)(?!`)"
_DELIMITERS: Final = (("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]"), ("\\begin", "\\end"))
"""Begin and end of formulae. For Gradio one may begin or end within code, and then the rest of that is no code."""
_CODE_IN_LINE: Final = re.compile(_CODE)
_FORMULAE: Final = re.compile(_FORMULA)
_CODE_OR_FORMULAE: Final = re.compile(f"{_CODE}|{_FORMULA}")
_NAME: Final = re.compile(r"[\w .+#-]*")
"""Names of fenced code; Gradio breaks the line of its fence at a formula's beginning."""
_DIAGRAM: Final = re.compile(r"([`~]{3,}[^\S\n]*mermaid)", re.IGNORECASE)
"""Gradio draws such code as a diagram, whose nodes can be links and in which HTML is no text."""
_BLANK_LINE: Final = re.compile(r"(\n[ \t]*\n)")
_TABLE_RULE: Final = re.compile(r"^[\s\d.)>*+|:-]*-[\s|:-]*$", re.MULTILINE)
"""A line between a table's head and its rows. In a table a stroke ends the cell, in the middle of code too."""
_MAX_FENCE_INDENT: Final = 3
_ENTITIES: Final = str.maketrans({"<": "&lt;", ">": "&gt;", "[": "&#91;", "]": "&#93;", "@": "&#64;"})
_QUOTE: Final = re.compile(r"^(?P<marks>(?:[ \t]*&gt;)+)", re.MULTILINE)
_ADDRESS: Final = re.compile(r"(?P<start>https?|ftp|mailto|www)(?P<mark>[:.])", re.IGNORECASE)


def closed(answer: str) -> str:
    """The Markdown of an answer without anything outside code and formulae that could be HTML, a link or an image."""
    text = answer.replace("\r\n", "\n").replace("\r", "\n")
    closed_text = _without_code(text) if _has_crossing_formula(text) else _closed_around_fences(text)
    return _DIAGRAM.sub(r"\1-source", closed_text)


def _has_crossing_formula(text: str) -> bool:
    """Whether delimiters of one kind stand within a piece of code and also elsewhere."""
    pieces = [text[start:stop] for start, stop in _code(text)]
    kinds = [kind for kind in map(set, _DELIMITERS) if any(delimiter in text for delimiter in kind)]
    counts = [(sum(map(text.count, kind)), [sum(map(piece.count, kind)) for piece in pieces]) for kind in kinds]
    return any(0 < count < total for total, of_pieces in counts for count in of_pieces)


def _code(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each piece of code, fenced or in a line."""
    end = 0
    while (fence := _FENCE.search(text, end)) and (stop := _fence_end(text, fence)) is not None:
        yield from (match.span() for match in _CODE_IN_LINE.finditer(text, end, fence.start()))
        yield fence.start(), stop
        end = stop
    yield from (match.span() for match in _CODE_IN_LINE.finditer(text, end))


def _closed_around_fences(text: str) -> str:
    pieces, end = list[str](), 0
    while fence := _FENCE.search(text, end):
        before, stop = text[end : fence.start()], _fence_end(text, fence)
        if stop is None or (_is_deep(fence) and _has_stray_tick(before)):
            return "".join([*pieces, _closed(before), _without_code(text[fence.start() :])])
        # Before the line has ended, a renderer may take what stands behind the fence for text.
        body = text[fence.end() : stop]
        pieces += [_closed(before), _without_code(fence[0]), _without_code(body) if _is_deep(fence) else body]
        end = stop
    return "".join([*pieces, _closed(text[end:])])


def _fence_end(text: str, fence: re.Match[str]) -> int | None:
    """The position behind fenced code; none where renderers could differ about it."""
    indent, ticks = fence["indent"], fence["ticks"]
    if fence["marks"] or "\t" in indent or not _NAME.fullmatch(fence[0].lstrip(" ")[len(ticks) :]):
        return None
    last = re.compile(rf"^(?P<indent>[ \t]*){ticks}[`~]*[ \t]*$", re.MULTILINE).search(text, fence.end())
    if not indent:
        last = re.compile(rf"^(?P<indent> {{0,3}}){ticks}[`~]*[ \t]*$", re.MULTILINE).search(text, fence.end())
        return len(text) if last is None else last.end() if _is_plain_end(last[0], ticks) else None
    if last is None or last["indent"] != indent or not _is_plain_end(last[0], ticks):
        return None
    body = text[fence.end() + 1 : last.start()]
    if any(line.strip(" ") and not line.startswith(indent) for line in body.split("\n")):
        return None
    return None if _is_deep(fence) and ("`" in body or "`" in fence[0].lstrip(" `")) else last.end()


def _is_plain_end(line: str, ticks: str) -> bool:
    return not line.strip(" ").strip(ticks[0])


def _is_deep(fence: re.Match[str]) -> bool:
    """Whether a fence is code in a list alone, and elsewhere text or indented code."""
    return len(fence["indent"]) > _MAX_FENCE_INDENT


def _closed(text: str) -> str:
    return "".join(_closed_paragraph(paragraph) for paragraph in _BLANK_LINE.split(text))


def _closed_paragraph(text: str) -> str:
    return _closed_around(_FORMULAE if _has_stray_tick(text) else _CODE_OR_FORMULAE, text)


def _without_code(text: str) -> str:
    return _closed_around(_FORMULAE, text)


def _has_stray_tick(text: str) -> bool:
    """Whether any code of a text could begin or end elsewhere than it seems: over two lines, escaped or in a table."""
    code = [match[0] for match in _CODE_OR_FORMULAE.finditer(text) if match["ticks"]]
    has_cells = _TABLE_RULE.search(text) is not None and any("|" in piece for piece in code)
    return has_cells or "\\`" in text or "`" in _CODE_OR_FORMULAE.sub("", text)


def _closed_around(verbatim: re.Pattern[str], text: str) -> str:
    matches = list(verbatim.finditer(text))
    bounds = [0, *(position for match in matches for position in match.span()), len(text)]
    pieces = [text[start:end] for start, end in pairwise(bounds)]
    return "".join(_plain(piece) if index % 2 == 0 else piece for index, piece in enumerate(pieces))


def _plain(text: str) -> str:
    plain = text.replace("&", "&amp;").translate(_ENTITIES)
    quoted = _QUOTE.sub(lambda match: match["marks"].replace("&gt;", ">"), plain)
    return _ADDRESS.sub(lambda match: f"{match['start']}&#{ord(match['mark'])};", quoted)
