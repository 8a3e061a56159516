"""Fenced code in a text, line by line: where it begins and ends, also where models indent it wrongly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPENING: Final = re.compile(r"([ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?=[^`]*$)|~{3,})")
_INDENTATION: Final = re.compile(r"[ \t]*")
_CLOSING: Final = re.compile(r"[ \t>]*(`{3,}|~{3,})[ \t]*$")


class LineRun(NamedTuple):
    """Lines of running text, or of code with its fences."""

    text: str
    is_code: bool


@dataclass(slots=True)
class FenceScan:
    """The state after a number of lines: within code its fence and the width of what stands before it."""

    mark: str = ""
    width: int = 0
    is_quoted: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the next line is code or closes it."""
        return bool(self.mark)

    def read(self, line: str) -> bool:
        """Read a line without its end; whether it belongs to fenced code."""
        if self.is_open and not (self.is_quoted and not line.lstrip().startswith(">")):
            closing = _CLOSING.match(line)
            if closing and closing[1][0] == self.mark[0] and len(closing[1]) >= len(self.mark):
                self.mark = ""
            return True
        opening = _OPENING.match(line)
        self.mark = opening[2] if opening else ""
        if opening:
            self.width, self.is_quoted = len(opening[1].expandtabs(4)), ">" in opening[1]
        return self.is_open

    def parts(self, text: str) -> Iterator[LineRun]:
        """The parts of a text; lines of code stand at least as far in as their fence, so that its list goes on."""
        lines: list[str] = []
        within = False
        for line in text.splitlines(keepends=True):
            width = self.width if self.is_open and not self.is_quoted else 0
            is_code = self.read(line.rstrip("\n"))
            if is_code != within and lines:
                yield LineRun("".join(lines), within)
                lines = []
            lines.append(_indented(line, width) if is_code else line)
            within = is_code
        if lines:
            yield LineRun("".join(lines), within)


def _indented(line: str, width: int) -> str:
    """A line with at least so many columns before its text; blank lines stay."""
    if not line.strip():
        return line
    start = _INDENTATION.match(line)
    columns = len(start[0].expandtabs(4)) if start else 0
    return line if columns >= width else " " * (width - columns) + line
