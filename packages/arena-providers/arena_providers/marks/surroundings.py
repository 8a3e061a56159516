"""The surroundings of a mark: the code and the words before it, and what follows it."""

from __future__ import annotations

import re
from enum import StrEnum, auto
from typing import Final

from arena_providers.marks.grammar import MARK, partial_start

TAIL: Final = 200
"""Characters before a mark in which a word may speak of it."""
_HEAD: Final = 120
"""Characters of a line in which a fence is looked for."""
_UNREAD: Final = 65_536
"""Characters that are kept before they are read."""
_GAP: Final = 16
"""White space after a mark that is looked through."""
_RUN: Final = 4
"""Marks after a mark that are looked through."""

_BACKTICKS: Final = re.compile(r"`+")
_FENCE: Final = re.compile(r"[\s>]*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(`{3,}|~{3,})(.*)")
_SPACE: Final = re.compile(rf"\s{{0,{_GAP}}}")
_SENTENCE_ENDS: Final = frozenset(".!?…。！？)]}）】》」”’*~|；;>%")
_QUOTES: Final = frozenset("\"'“‘「『(（《【<`=:：,，、")
_OPENED: Final = re.compile(r"(?:^|[\s(\[{=,:])[\"']$|\\[nrt]$")
"""A quotation mark that opens, or a line end within a string of code."""
_QUOTED_SENTENCE: Final = re.compile(r"[.!?…。！？][\"'‘’“”]\s*$")
"""The end of a sentence that somebody says."""
_COLONS: Final = (":", "：")
_CODE_INDENT: Final = " " * 4
"""The beginning of a line of code that no fence surrounds."""
_HAN: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CONTINUING: Final = frozenset("是为為用表標标和与與或及会會在就这這那则則来來后後之的")
"""Characters that go on with a sentence whose subject is the mark."""


_OBJECT: Final = re.compile(
    r"(?:\b(?:an?|the|is|are|was|be|by|with|to|of|as|in|on|at|for|from|via|using|between|and|or|than|until|through|then"
    r"|(?:that|called|named|tokens?|tags?|marks?|markers?|symbols?|emits?|writes?|uses?|adds?|sends?|prints?|means?"
    r"|outputs?|inserts?|appends?|produces?|generates?|sees?|reads?|expects?|comes?|puts?))"
    r"|[是为為用叫作即写寫和与與或加在以到把的])[ \t]{1,3}$",
    re.IGNORECASE,
)
"""The end of a text whose sentence is not whole without the mark that follows."""
_OBJECT_TAIL: Final = 24
_PREDICATE: Final = re.compile(
    r"[ \t]{1,3}(?:is|are|was|and|or|has|marks?|means?|opens?|begins?|starts?|closes?|ends?|tells?|wraps?|stands"
    r"|tags?|tokens?|encloses?|denotes?|indicates?|signals?|separates?|serves|comes|belongs|should|can|will|must)\b"
    r"|[ \t]{1,3}[|=/–—(]|[,:;)!?]|[ \t]{0,3}(?:标签|標籤|标记|標記|表示|用于|用於|是[^的否不])"
)
"""The beginning of a sentence about the mark before it."""
_PREDICATE_LENGTH: Final = 16
_STRUCK_LENGTH: Final = 200
"""Characters in which the end of a struck text is looked for."""
_WORD_SO_FAR: Final = re.compile(r"[ \t]*[^\W\d_]*")


class Before(StrEnum):
    """Kinds of text before a mark."""

    NOTHING = auto()
    LINE = auto()
    SENTENCE = auto()
    WORD = auto()
    """A letter or digit without a space between, which no sentence about a mark has."""
    OBJECT = auto()
    """A word after which a sentence needs the mark to be whole."""
    INTRODUCED = auto()
    """A colon, or a line that a colon introduces or that is indented like code."""
    MENTION = auto()
    """A space, a quotation mark or a character of a script without spaces."""


class After(StrEnum):
    """Kinds of text after a mark."""

    END = auto()
    LINE = auto()
    MARK = auto()
    SENTENCE = auto()
    """A new sentence, or text without a space between."""
    MENTION = auto()
    """The rest of a sentence about the mark, or a quotation mark."""


class TextBefore:
    """The text of an answer up to a mark. Text is only kept by `add`, and read once a mark asks."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._unread = 0
        self._line = ""
        self._span = 0
        self._fence = ""
        self.tail = ""
        """The last characters."""
        self.lines = 1
        """The number of the current line."""
        self.is_empty = True

    def add(self, text: str) -> None:
        """Note text that was shown or could be."""
        self._pieces.append(text)
        self._unread += len(text)
        if self._unread > _UNREAD:
            # Backticks may go on in the next piece.
            plain = "".join(self._pieces).rstrip("`")
            rest = "".join(self._pieces)[len(plain) :]
            self._pieces = [plain]
            self.read()
            self._pieces, self._unread = [rest], 0

    def read(self) -> None:
        """Read what was added since; the attributes hold for it then."""
        text = "".join(self._pieces)
        self._pieces.clear()
        self._unread = 0
        if not text:
            return
        *lines, last = text.split("\n")
        for line in lines:
            self._read_part(line)
            self._end_line()
        self._read_part(last)
        self.tail = (self.tail + text)[-TAIL:]
        self.is_empty = self.is_empty and not text.strip()

    @property
    def in_fence(self) -> bool:
        """Whether the next character stands in a block of code that the current line does not close."""
        return bool(self._fence) and not self.closes_fence

    @property
    def closes_fence(self) -> bool:
        """Whether the current line has nothing but the end of a block of code."""
        line = self._line.strip()
        return bool(self._fence) and len(line) >= len(self._fence) and not line.strip(self._fence[0])

    @property
    def in_span(self) -> bool:
        """Whether the next character stands after a backtick that the line has not closed yet."""
        return not self._fence and self._span > 0

    def before(self) -> Before:
        """The kind of text that the next character follows."""
        line = self.tail.rpartition("\n")[2]
        if self.is_empty:
            return Before.NOTHING
        if not line.strip():
            is_introduced = line.startswith(_CODE_INDENT) or self.tail.rstrip()[-1:] in _COLONS
            return Before.INTRODUCED if is_introduced else Before.LINE
        if self.closes_fence:
            return Before.SENTENCE
        last = line.rstrip()[-1]
        if last in _COLONS or _OPENED.search(line):
            return Before.INTRODUCED if last in _COLONS else Before.MENTION
        if last in _SENTENCE_ENDS or _QUOTED_SENTENCE.search(line):
            return Before.SENTENCE
        is_word = not line[-1].isspace() and last not in _QUOTES and not _HAN.match(last)
        is_object = _OBJECT.search(line[-_OBJECT_TAIL:]) is not None
        return Before.WORD if is_word else Before.OBJECT if is_object else Before.MENTION

    def _read_part(self, text: str) -> None:
        self._line += text[: _HEAD - len(self._line)]
        for run in map(len, _BACKTICKS.findall(text)):
            self._span = 0 if self._span == run else self._span or run

    def _end_line(self) -> None:
        if self.closes_fence:
            self._fence = ""
        elif not self._fence and (match := _FENCE.fullmatch(self._line)) and "`" not in match[2]:
            self._fence = match[1]
        self._line, self._span = "", 0
        self.lines += 1


def after(text: str, end: int, *, is_last: bool) -> After | None:
    """The kind of text after a mark that ends at `end`; None if the text that decides it has not arrived."""
    first: After | None = None
    for _ in range(_RUN):
        space = _SPACE.match(text, end)
        gap, at = (space[0], space.end()) if space else ("", end)
        if at == len(text) and (is_last or len(gap) < _GAP):
            return After.END if is_last else None
        if not is_last and partial_start(text, at) == at:
            return None
        mark = MARK.match(text, at)
        first = first or (After.LINE if "\n" in gap else After.MARK if mark else _text_after(gap, text[at : at + 1]))
        if not mark:
            break
        end = mark.end()
    return first


def is_struck(text: str, end: int, *, is_last: bool) -> bool | None:
    """Whether `</s>` closes the mark before `end` within its line and text follows, as in HTML; None as `is_subject`.

    Where nothing follows, the marks are those around an answer.
    """
    at = text.find("</s>", end, end + _STRUCK_LENGTH)
    line = text[end : at if at >= 0 else end + _STRUCK_LENGTH]
    if at < 0 or "\n" in line:
        return False if is_last or "\n" in line or len(line) == _STRUCK_LENGTH else None
    follows = after(text, at + 4, is_last=is_last)
    return None if follows is None else follows in (After.MENTION, After.SENTENCE)


def is_subject(text: str, end: int, *, is_last: bool) -> bool | None:
    """Whether a sentence about a mark, or a run of them, goes on after its `end`; None if that has not arrived."""
    for _ in range(_RUN):
        mark = MARK.match(text, end)
        end = mark.end() if mark else end
    if not is_last and len(text) < end + _PREDICATE_LENGTH and _WORD_SO_FAR.fullmatch(text, end):
        return None
    return _PREDICATE.match(text, end) is not None


def _text_after(gap: str, letter: str) -> After:
    """The kind of text that a letter in the same line begins."""
    if letter in _CONTINUING or not letter.isalnum():
        return After.SENTENCE if letter and letter in "*#`|${[" else After.MENTION
    is_sentence = not gap or letter.isupper() or letter.isdigit() or _HAN.match(letter) is not None
    return After.SENTENCE if is_sentence else After.MENTION
