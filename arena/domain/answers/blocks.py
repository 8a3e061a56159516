"""The blocks of an answer, found line by line, so that those of a growing answer stay what they are.

A block is closed once it is certain that the next one begins, by its first character behind a blank line and otherwise
by its first line: for every prefix of a text, its closed blocks are the first blocks of the text. Each is rendered from
its own source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from arena.domain.answers.bounds import FIRST, FIRST_INK, MAX_BLOCKS, MAX_CHARACTERS, clean
from arena.domain.answers.fences import FenceScan
from arena.domain.answers.markdown import block_html, source_html
from arena.domain.answers.render_budget import RenderBudget

_END: Final = re.compile("\r\n|[\n\u0085\u2028\u2029]|\r(?=.)", re.DOTALL)
"""The end of a line; a final carriage return may be half of one."""
_LIST: Final = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_RULE: Final = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_HEADING: Final = re.compile(r"#{1,6}[ \t]")
_FENCE: Final = re.compile(r"`{3}|~{3}")


class Block(NamedTuple):
    """A closed block: its place in the answer, and the characters after which it was closed."""

    start: int
    end: int
    closed_at: int


@dataclass(slots=True)
class BlockScan:
    """The closed blocks of a growing answer, and where the open one starts."""

    closed: list[Block] = field(default_factory=list[Block])
    start: int = 0
    _read: int = 0
    _looked: int = 0
    """Where the end of the line that begins at `_read` was sought in vain."""
    _fence: FenceScan = field(default_factory=FenceScan)
    _has_text: bool = False
    """Whether the open block has more than blank lines."""
    _is_blank: bool = False
    """Whether the last line was blank."""
    _has_list: bool = False
    """Whether a list has begun in the open block, which may go on behind a blank line."""
    _was_code: bool = False
    """Whether the open block is fenced code that has ended."""

    @property
    def bound(self) -> int:
        """The characters of the answer behind which all is shown as it was written."""
        return self.start if self._is_full else MAX_CHARACTERS

    @property
    def _is_full(self) -> bool:
        return len(self.closed) >= MAX_BLOCKS

    def grow(self, text: str, *, is_whole: bool = False) -> None:
        """Read the complete lines of an answer, which begins with what was read before; if it is whole, all lines."""
        limit = min(len(text), MAX_CHARACTERS)
        while not self._is_full and (end := _END.search(text, max(self._read, self._looked), limit)) is not None:
            line = text[self._read : end.start()]
            self._close_before(line)
            self._line(clean(line), end.end(), end.end() + (end[0] == "\r"))
        if self._is_full:
            return
        self._looked = limit - 1
        self._close_before(text[self._read : limit])
        if (is_whole or len(text) > limit) and self._read < limit:
            self._line(clean(text[self._read : limit]), limit, limit)
        if len(text) > limit or is_whole:
            self._close_rest(len(text), limit)

    def _close_rest(self, length: int, limit: int) -> None:
        """Close the last block; it, or what is beyond the bound, may be followed by nothing else."""
        if self.start < limit and self._has_text:
            self._close(limit, min(length, limit + 1))

    def _close_before(self, line: str) -> None:
        """Close the block before a line whose first character tells already that another one begins."""
        if not (self._has_text and (self._is_blank or self._was_code)) or self._fence.is_open:
            return
        first = (FIRST_INK if self._was_code else FIRST).search(line)
        if first and (self._was_code or not (first[0].isspace() or (self._has_list and _could_mark(first[0])))):
            self._close(self._read, self._read + first.end())

    def _line(self, line: str, end: int, complete_at: int) -> None:
        """Read a line up to `end`, which is complete once so many characters of the answer are there."""
        was_open = self._fence.is_open
        is_code = self._fence.read(line)
        if self._has_text and not was_open and line.strip() and self._begins(line, is_code):
            self._close(self._read, complete_at)
        if line.strip():
            self._has_text = True
            self._has_list = self._has_list or (not is_code and bool(_LIST.match(line)) and not _RULE.match(line))
            self._was_code = is_code and not self._fence.is_open and line[:1] in "`~"
        self._is_blank = not line.strip()
        self._read = end

    def _begins(self, line: str, is_code: bool) -> bool:  # noqa: FBT001 - what the fence says of this line
        """Whether a line begins a block of the answer, where its first character did not tell."""
        if line[0].isspace():
            return False
        if (is_code and _FENCE.match(line)) or _HEADING.match(line):
            return True
        return self._is_blank and not (_LIST.match(line) and not _RULE.match(line))

    def _close(self, end: int, closed_at: int) -> None:
        """Close the open block, up to `end`; what follows the last that is rendered is no block any more."""
        if self._is_full:
            return
        self.closed.append(Block(self.start, end, closed_at))
        self.start = end
        self._has_text = self._has_list = self._was_code = self._is_blank = False


def _could_mark(character: str) -> bool:
    """Whether an item of a list may begin with a character."""
    return character in "-+*" or character.isdecimal()


def blocks(text: str) -> list[str]:
    """The HTML of a whole answer, block by block; what is beyond the bound is the last one, as it was written."""
    scan = BlockScan()
    scan.grow(text, is_whole=True)
    budget = RenderBudget()
    rendered = [block_html(text[block.start : block.end], budget) for block in scan.closed]
    rest = text[scan.bound :]
    return [*rendered, source_html(rest)] if rest.strip() else rendered


def answer_html(text: str) -> str:
    """The HTML of a whole answer."""
    return "".join(blocks(text))
