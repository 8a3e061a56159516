"""The HTML document of an answer: a fenced block, or the answer itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT: Final = 256 * 1024
"""Bytes of a document in UTF-8."""
_WORDS: Final = frozenset({"html", "htm", "xhtml"})
# Possessive quantifiers, without backtracking: a line of 60,000 marks would take quadratic time.
_FENCE: Final = re.compile(r" {0,3}(?P<marks>`{3,}+|~{3,}+)[ \t]*+(?P<word>[\w+-]*+)[^\n`]*+", re.ASCII)
_START: Final = re.compile(r"\s*(?:<!--.{0,400}?-->\s*)?(?:<!doctype\s+html\b|<html[\s>])", re.IGNORECASE | re.DOTALL)
_BARE: Final = re.compile(r"^(?:<!doctype\s+html\b|<html[\s>])", re.IGNORECASE | re.MULTILINE)
_ROOT: Final = re.compile(r"<html[\s>]", re.IGNORECASE)
_DOCTYPE: Final = re.compile(r"<!doctype[^<>]*>(?:\s*<!--[^<>]*-->)*$", re.IGNORECASE)
_END: Final = "</html>"


class Missing(StrEnum):
    """Reason why an answer has no page."""

    NONE = "none"
    SEVERAL = "several"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class WebPage:
    """The source of a page; `cut` if its end is missing."""

    source: str
    cut: bool = False


@dataclass(slots=True)
class _Block:
    word: str
    lines: list[str]
    closed: bool = False

    @property
    def is_document(self) -> bool:
        return self.word in _WORDS or (not self.word and _START.match(self.source) is not None)

    @property
    def source(self) -> str:
        return "\n".join(self.lines)


def find_page(answer: str) -> WebPage | Missing:
    """The only document of an answer, without the prose around it, or the reason why there is none.

    A block with the language HTML may be a fragment, which browsers complete.
    """
    blocks = [block for block in _blocks(answer) if block.word or block.lines]
    pages = [(block.source, block.closed) for block in blocks if block.is_document and block.source.strip()]
    if not blocks:
        pages = list(_bare(answer))
    if len(pages) != 1:
        return Missing.SEVERAL if pages else Missing.NONE
    source, closed = pages[0]
    if len(source.encode()) > LIMIT:
        return Missing.LARGE
    return WebPage(source, cut=not closed or (bool(_ROOT.search(source)) and _END not in source.lower()))


def _blocks(answer: str) -> Iterator[_Block]:
    """The fenced blocks, the last one perhaps unclosed; none for an answer that begins as a document."""
    block, marks = None, ""
    for line in () if _START.match(answer) else answer.splitlines():
        fence = _FENCE.fullmatch(line)
        if block is None:
            if fence:
                block, marks = _Block(fence["word"].lower(), []), fence["marks"]
        elif fence and not fence["word"] and fence["marks"].startswith(marks):
            block.closed = True
            yield block
            block = None
        else:
            block.lines.append(line)
    if block is not None:
        yield block


def _bare(answer: str) -> Iterator[tuple[str, bool]]:
    """The documents of an answer without fences, and whether each is closed."""
    starts = [match.start() for match in _BARE.finditer(answer)]
    roots = [start for start in starts if not _follows_doctype(answer, start)]
    for start, end in pairwise([*roots, len(answer)]):
        text = answer[start:end]
        last = text.lower().rfind(_END)
        yield (text[: last + len(_END)], True) if last >= 0 else (text, False)


def _follows_doctype(answer: str, start: int) -> bool:
    """Whether the `<html>` that begins here belongs to a doctype before it."""
    before = answer[max(0, start - 400) : start].rstrip()
    return answer[start + 1] != "!" and _DOCTYPE.search(before) is not None
