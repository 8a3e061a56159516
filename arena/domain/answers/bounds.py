"""Bounds on what the libraries get, and the characters that no answer shows.

Beyond a bound text is shown as it was written: every library here has inputs on which a small text costs seconds or
megabytes.
"""

from __future__ import annotations

import re
from typing import Final

MAX_CHARACTERS: Final = 60_000
"""Characters of an answer that are rendered."""
MAX_BLOCKS: Final = 2_000
"""Blocks of an answer that are rendered; each costs some 15 µs, however short it is."""
MAX_NESTING: Final = 16
"""Quotations and lists inside each other, by the marks at the start of a line."""
MAX_DEPTH: Final = 64
"""Elements inside each other in the renderer's output; the time of the sanitiser is quadratic in them."""
MAX_CELLS: Final = 10_000
"""Cells of a block: a renderer fills short rows of a table up to its width."""
MAX_GROWTH: Final = 12
"""Characters of HTML per character of a block, beyond a thousand; the densest Markdown, `*a*_b_`, has seven."""
MAX_FORMULAE: Final = 50
"""Formulae of an answer that are rendered."""
MAX_FORMULA: Final = 500
"""Characters of a formula."""
MAX_BRACES: Final = 20
"""Braces inside each other in a formula."""
MAX_CODE: Final = 4_000
"""Characters of code with colours."""
MAX_CODE_LINE: Final = 240
"""Characters of each of its lines; lexers take a time that is quadratic in the longest."""
MAX_CODE_LINES: Final = 400
"""Lines of it, for the same reason."""
MAX_CODE_WORDS: Final = 100
"""Words of it with nothing but spaces between them; the time of Java's lexer is quadratic in them."""
MAX_COLOURED: Final = 12_000
"""Characters of an answer with colours."""
MIN_COLOURED: Final = 200
"""Characters that a shorter piece of code counts for, by what a lexer costs to begin."""

_NEWLINES: Final = re.compile("\r\n?|[\u0085\u2028\u2029]")
_SIGNS: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ue000-\uf8ff"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
"""Control characters, bidirectional controls, private use, interlinear marks and tag characters."""
_UNWANTED: Final = re.compile(f"[{_SIGNS}]")
FIRST: Final = re.compile(f"[^{_SIGNS}]")
"""The first character that `clean` leaves of a line."""
FIRST_INK: Final = re.compile(rf"[^{_SIGNS}\s]")
"""The first that is no space, either."""
_LONE: Final = re.compile("[\ud800-\udfff]")
_LINE_START: Final = re.compile(r"^[ \t]*(?:(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t]*)+", re.MULTILINE)
_MARK: Final = re.compile(r"[>*+-]|\d[.)]")
_DELIMITERS: Final = re.compile(r"^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*\|[ \t|:-]*$", re.MULTILINE)
_TAG: Final = re.compile(r"<(/?)(?!br|hr|img|input)[a-z]")


def clean(text: str) -> str:
    """The text with plain newlines, and without characters that are invisible, turn text around or break encoding."""
    return _LONE.sub("\ufffd", _UNWANTED.sub("", _NEWLINES.sub("\n", text)))


def is_shallow(markdown: str) -> bool:
    """Whether a block is within the bound on quotations and lists inside each other."""
    return _nesting(markdown) <= MAX_NESTING


def has_few_cells(markdown: str) -> bool:
    """Whether a block is within the bound on cells of tables."""
    return _cells(markdown) <= MAX_CELLS


def is_bounded(html: str, markdown: str) -> bool:
    """Whether the renderer's output for a block is within the bounds on depth and size."""
    if len(html) > MAX_GROWTH * len(markdown) + 1_000:
        return False
    depth = 0
    for match in _TAG.finditer(html):
        depth += -1 if match[1] else 1
        if depth > MAX_DEPTH:
            return False
    return True


def _nesting(markdown: str) -> int:
    """The most marks of quotations and lists at the start of a line, with two columns of indentation as one."""
    deepest = 0
    for match in _LINE_START.finditer(markdown):
        start = match[0]
        indented = len(start) - len(start.lstrip())
        deepest = max(deepest, indented // 2 + len(_MARK.findall(start)))
    return deepest


def _cells(markdown: str) -> int:
    """The most cells that the tables of a block can have: the width of the widest in each line."""
    width = max((row.count("|") + 1 for row in _DELIMITERS.findall(markdown)), default=0)
    return width * (markdown.count("\n") + 1)
