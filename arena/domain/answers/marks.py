"""Marks: what Markdown must not see in running text is replaced by marks, and put back as HTML when it is rendered.

Formulae, the few elements that answers may use, addresses and every other `<` are taken out of a block, outside code,
by one linear scan. If Markdown regards a place as code after all, the mark becomes what was written there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import Final

from arena.domain.answers.bounds import MAX_FORMULA
from arena.domain.answers.render_budget import RenderBudget

LESS: Final = "\ue000"
"""Stands for `<`."""
COLON: Final = "\ue001"
"""Stands for a colon behind a bracket, so that no line is the definition of a link, which would vanish."""
_INSERT: Final = ("\ue002", "\ue003")
_FORMULA: Final = ("\ue004", "\ue005")
INSERTS: Final = re.compile(f"{_INSERT[0]}(\\d{{1,6}}){_INSERT[1]}|{LESS}|{COLON}")
FORMULAE: Final = re.compile(f"{_FORMULA[0]}(\\d{{1,6}}){_FORMULA[1]}")
_ALL: Final = re.compile(f"[\ue002\ue004](\\d{{1,6}})[\ue003\ue005]|{LESS}|{COLON}")


@dataclass(frozen=True, slots=True)
class Formula:
    """Formula as it was written, and without its delimiters."""

    source: str
    latex: str
    display: bool


@dataclass(slots=True)
class Marks:
    """Marks of one block: formulae, and pieces of HTML with what was written."""

    budget: RenderBudget
    """Formulae and colours that the answer may yet have."""
    pieces: list[tuple[str, str] | Formula] = field(default_factory=list[tuple[str, str] | Formula])
    is_open: bool = False
    """Whether the block still grows."""
    _used: set[int] = field(default_factory=set[int])

    def insert(self, source: str, html: str) -> str:
        """The mark of a piece of HTML."""
        self.pieces.append((source, html))
        return f"{_INSERT[0]}{len(self.pieces) - 1}{_INSERT[1]}"

    def formula(self, formula: Formula) -> str:
        """The mark of a formula; beyond the bound, the formula as text."""
        if not self.budget.take_formula():
            return self.insert(formula.source, escape(formula.source))
        self.pieces.append(formula)
        return f"{_FORMULA[0]}{len(self.pieces) - 1}{_FORMULA[1]}"

    def source(self, text: str) -> str:
        """A text with what was written in place of its marks."""
        return _ALL.sub(self._source, text)

    def html(self, text: str) -> str:
        """HTML with the pieces in place of their marks; formulae stay marks."""
        return INSERTS.sub(self._html, text)

    def take(self, index: int) -> tuple[str, str] | Formula | None:
        """The piece that a mark stands for, once: character references can forge marks, and repeat them for nothing."""
        if index in self._used or index >= len(self.pieces):
            return None
        self._used.add(index)
        return self.pieces[index]

    def _source(self, match: re.Match[str]) -> str:
        if match[1] is None:
            return "<" if match[0] == LESS else ":"
        piece = self.pieces[int(match[1])] if int(match[1]) < len(self.pieces) else ""
        return piece.source if isinstance(piece, Formula) else piece[0] if piece else ""

    def _html(self, match: re.Match[str]) -> str:
        if match[1] is None:
            return "&lt;" if match[0] == LESS else ":"
        piece = self.take(int(match[1]))
        return piece[1] if isinstance(piece, tuple) else ""


_ELEMENTS: Final = {"b": "strong", "i": "em", "u": "em", "ins": "em", "s": "del"}
_PAIR: Final = re.compile(
    r"<(sub|sup|kbd|mark|b|strong|i|em|u|ins|s|del)>([^<\n]{1,200})</\1>", re.IGNORECASE | re.ASCII
)
_BREAK: Final = re.compile(r"<(br|hr) ?/?>", re.IGNORECASE)
_COMMENT: Final = 400
"""Characters of a comment that is left out."""
_FRAME: Final = re.compile(
    r"</?(?:table|thead|tbody|tfoot|tr|td|th|caption|h[1-6]|p|div|center|font|span|ul|ol|li|dl|dt|dd|blockquote|details"
    r"|summary|section|article|header|footer|figure|figcaption|small|big)(?:[ ][^<>\n]{0,300})?/?>",
    re.IGNORECASE | re.ASCII,
)
_ENDS_LINE: Final = re.compile(
    r"</(?:tr|h[1-6]|p|div|dt|dd|summary|caption|figcaption)>(?:\s*</?(?:thead|tbody|tfoot)>){0,3}\s*"
    r"(?=[^\s<]|<(?:tr|h[1-6]|p|div|dl|dt|dd)[ >])",
    re.IGNORECASE,
)
_ENDS_CELL: Final = re.compile(r"</t[dh]>\s*(?=<t[dh][ >])", re.IGNORECASE)
_ENDS_ENTRIES: Final = re.compile(r"(?:</li>\s*)?</[ou]l>\s*(?=[^\s<])", re.IGNORECASE)
_ENTRY: Final = re.compile(
    r"(?:</li>\s*)?(?:</?[ou]l(?: [^<>\n]{0,60})?>\s*){0,3}<li(?: [^<>\n]{0,60})?>\s*", re.IGNORECASE
)
_INDENT: Final = 80
"""Most white space before the first entry of a list."""
_REPLACED: Final = (
    *((_BREAK, None), (_ENDS_LINE, "<br>"), (_ENDS_CELL, " | ")),
    *((_ENTRY, "<br>• "), (_ENDS_ENTRIES, "<br>"), (_FRAME, "")),
)
"""Elements of HTML and what stands for them; None for the element itself."""
_NOTE: Final = re.compile(r"\[\^([\w-]{1,20})\](:?)")
_ADDRESS: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>`*$!\[\]\\|()\u2018-\u201f\u3000-\u303f\uff00-\uffef\ue000-\uf8ff]+"
)
_ANGLE: Final = re.compile(r"<(https?://[^\s<>]{1,2000})>")
_TARGET: Final = re.compile(r"\]\(<?[^\s)`<>]*")
_ENVIRONMENT: Final = re.compile(
    r"\\begin\{((?:equation|align|gather|multline|split|aligned|cases|[pbvB]?matrix)\*?)\}"
)
_TOKEN: Final = re.compile(r"`+|\\.|\$\$?|<|\](?=[(:])|\[\^|(?<![\w/])(?:https?://|www\.)", re.IGNORECASE | re.DOTALL)
_CLOSERS: Final = {"\\[": ("\\]", True), "\\(": ("\\)", False), "$$": ("$$", True)}
_QUOTED: Final = re.compile(r"\n[ \t]*>[ \t>]*")

_EAST_ASIAN: Final = "\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_INNER: Final = r"(?=\w)(?!_)([^*_\n`$<\\[\]]{1,200})"
_EMPHASIS: Final = (
    # Strong text that ends with punctuation or a space before a letter, which CommonMark leaves as marks.
    re.compile(rf"(?<![A-Za-z0-9/_*\\])(\*\*){_INNER}(?<=\W)\1(?=\w)"),
    re.compile(rf"(?<![A-Za-z0-9/_*\\])(__?){_INNER}(?<=[\w{_EAST_ASIAN}])\1(?=[{_EAST_ASIAN}])"),
)
"""Emphasis that people see and Markdown does not, most of it next to Chinese, Japanese and Korean text."""

_Handled = tuple[int, str] | None
"""The end of a token with what it becomes, or None if it is text."""


def marked(text: str, marks: Marks) -> str:
    """A paragraph, which is lines without a blank one, with marks."""
    for pattern in _EMPHASIS if "*" in text or "_" in text else ():
        text = pattern.sub(lambda match: _emphasis(match, marks), text)
    return _Scan(text, marks).run() if _TOKEN.search(text) else text


def _emphasis(match: re.Match[str], marks: Marks) -> str:
    name = "strong" if len(match[1]) == 2 else "em"
    return marks.insert(match[1], f"<{name}>") + match[2] + marks.insert(match[1], f"</{name}>")


class _Scan:
    """One pass over a paragraph."""

    def __init__(self, text: str, marks: Marks) -> None:
        self.text = text
        self.marks = marks
        self.absent: set[str] = set()
        """Delimiters that do not occur in the rest of the text, so that nobody looks for them again."""
        self.handlers: dict[str, Callable[[int, str], _Handled]] = {
            "`": self._code,
            "\\": self._escape,
            "$": self._dollars,
            "<": self._angle,
            "]": self._bracket,
            "[": self._note,
        }

    def run(self) -> str:
        pieces: list[str] = []
        done = place = 0
        while match := _TOKEN.search(self.text, place):
            start, token = match.start(), match[0]
            handled = self.handlers.get(token[0], self._address)(start, token)
            if handled is None and token == "<":  # noqa: S105 - a sign
                handled = start + 1, LESS
            if handled is not None:
                pieces += (self.text[done:start], handled[1])
                done = handled[0]
            place = max(match.end(), done)
        return "".join([*pieces, self.text[done:]])

    def _find(self, delimiter: str, start: int, limit: int) -> int:
        """The next place of a delimiter within `limit` characters, or -1."""
        if delimiter in self.absent:
            return -1
        place = self.text.find(delimiter, start, start + limit)
        if place < 0 and self.text.find(delimiter, start) < 0:
            self.absent.add(delimiter)
        return place

    def _code(self, start: int, run: str) -> _Handled:
        """Code stays as it is."""
        if run in self.absent:
            return None
        inner = start + len(run)
        closing = re.compile(f"(?<!`){run}(?!`)").search(self.text, inner)
        if closing is None:
            self.absent.add(run)
            return None
        return closing.end(), self.text[start : closing.end()]

    def _escape(self, start: int, token: str) -> _Handled:
        if token in _CLOSERS:
            closer, display = _CLOSERS[token]
            return None if closer in self.absent else self._formula(start, token, closer, display)
        named = _ENVIRONMENT.match(self.text, start)
        if named is None:
            return None
        closer = f"\\end{{{named[1]}}}"
        end = self._find(closer, named.end(), MAX_FORMULA)
        if end < 0:
            return None
        return self._formula_mark(start, end + len(closer), start, end + len(closer), display=True)

    def _dollars(self, start: int, token: str) -> _Handled:
        """`$x$` is a formula, `$5 and $10` is money: no space inside the dollars, no digit after them, one line."""
        if token == "$$":  # noqa: S105 - a delimiter
            return self._formula(start, token, token, display=True)
        text = self.text
        if (start and (text[start - 1].isalnum() or text[start - 1] in "_\\")) or text[start + 1 : start + 2].isspace():
            return None
        end = self._find("$", start + 2, MAX_FORMULA)
        while end > 0 and text[end - 1] == "\\":
            end = self._find("$", end + 1, MAX_FORMULA)
        inside = text[start + 1 : end] if end > 0 else ""
        if not inside or inside[-1].isspace() or "\n" in inside or "`" in inside or text[end + 1 : end + 2].isdigit():
            return None
        return self._formula_mark(start, end + 1, start + 1, end, display=False)

    def _formula(self, start: int, token: str, closer: str, display: bool) -> _Handled:  # noqa: FBT001 - of a table
        inner = start + len(token)
        end = self._find(closer, inner, MAX_FORMULA)
        if end < 0 or not self.text[inner:end].strip():
            return None
        return self._formula_mark(start, end + len(closer), inner, end, display=display)

    def _formula_mark(self, start: int, end: int, inner: int, inner_end: int, *, display: bool) -> tuple[int, str]:
        source = self.marks.source
        latex = _QUOTED.sub("\n", source(self.text[inner:inner_end]))
        return end, self.marks.formula(Formula(source(self.text[start:end]), latex, display))

    def _angle(self, start: int, _token: str) -> _Handled:
        """A few elements stay, frames go without their text, comments go, and addresses lose their angles."""
        text, marks = self.text, self.marks
        if pair := _PAIR.match(text, start):
            name = _ELEMENTS.get(pair[1].lower(), pair[1].lower())
            opening, closing = f"<{pair[1]}>", f"</{pair[1]}>"
            inside = _Scan(pair[2], marks).run()
            return pair.end(), marks.insert(opening, f"<{name}>") + inside + marks.insert(closing, f"</{name}>")
        for pattern, html in _REPLACED:
            if match := pattern.match(text, start):
                is_first = pattern is _ENTRY and start < _INDENT and not text[:start].strip()
                shown = "• " if is_first else f"<{match[1].lower()}>" if html is None else html
                return match.end(), marks.insert(match[0], shown)
        if text.startswith("<!--", start) and (end := self._find("-->", start + 4, _COMMENT)) > 0:
            return end + 3, marks.insert(text[start : end + 3], "")
        if link := _ANGLE.match(text, start):
            return link.end(), marks.insert(link[0], address(link[1]))
        return None

    def _bracket(self, start: int, _token: str) -> _Handled:
        if self.text[start + 1] == ":":
            return start + 2, f"]{COLON}"
        target = _TARGET.match(self.text, start)
        return (target.end(), target[0]) if target else None

    def _note(self, start: int, _token: str) -> _Handled:
        note = _NOTE.match(self.text, start)
        if note is None:
            return None
        return note.end(), self.marks.insert(note[0], f"<sup>{escape(note[1])}</sup>")

    def _address(self, start: int, _token: str) -> _Handled:
        match = _ADDRESS.match(self.text, start)
        if match is None:
            return None
        plain = match[0].rstrip(".,;:'\"?_~")
        return start + len(plain), self.marks.insert(plain, address(plain))


def address(plain: str) -> str:
    """An address as text; nothing in an answer can be followed."""
    return f'<span class="a-address">{escape(plain)}</span>'
