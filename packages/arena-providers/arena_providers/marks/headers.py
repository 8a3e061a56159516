"""Text that belongs to a mark and follows it: the header of a message, or the name of its part."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from arena_providers.marks.grammar import MarkKind

CHANNEL: Final = "<|channel|>"
"""The mark before the name of a channel."""
FINAL: Final = "final"
"""The channel of the answer itself."""
_OPEN: Final = "<|open|>"
_CLOSE: Final = "<|close|>"
_SEP: Final = "<|sep|>"
_THINK: Final = "think"
_USER: Final = "user"
_SELF: Final = "self"
_CALLS: Final = frozenset({"tools", "call", "argument"})
MESSAGES: Final = (CHANNEL, "<|message|>", " to=")
"""Beginnings of what follows the role of a message in the same turn."""
_RECIPIENT: Final = re.compile(r"to=([\w.:-]+)")
_CHANNEL_ENDS: Final = ("<|end|>", "<|eom|>", "<|eot|>", "<|return|>", "<|call|>", "<|start|>", CHANNEL)
_NAME: Final = re.compile(r"\w+")
_TO: Final = r" ?to=[\w.:-]{1,60}"
_ROLE: Final = re.compile(r"(?i:assistant|model|user|system|developer|tool)(?:\n|(?=<)|(?= to=))")
_CHANNEL: Final = re.compile(
    r"\s{0,2}\w{0,20}[^<>\n]{0,80}(?:<\|channel\|>\w{0,20} ?)?(?:<\|constrain\|>\s?\w{0,20}\s{0,2})?<\|message\|>"
)
_PART: Final = re.compile(r"\w{1,20}[^<>\n]{0,80}<\|sep\|>")
_THOUGHT: Final = re.compile(r"thought(?:\n|(?=\W))")
_FORMS: Final = {MarkKind.TURN_START: (_ROLE, 14), MarkKind.CHANNEL: (_CHANNEL, 210), MarkKind.OTHER: (_THOUGHT, 9)}
"""The form that follows each kind of mark, and the characters that show it."""
_WORDS: Final = ("analysis", "commentary", FINAL)
_BARE: Final = re.compile(
    rf"(?:(?:{'|'.join(_WORDS)})(?:{_TO})?|{_TO}(?:<\|channel\|>\w{{1,20}})?)"
    r"(?: ?<\|constrain\|>\w{0,20})? ?<\|message\|>"
)
_BARE_PART: Final = re.compile(
    rf"(?:(?:{'|'.join(_WORDS)})(?: ?(?:t|to|to=[\w.:-]{{0,60}})?)?"
    r"|(?:t|to|to=[\w.:-]{0,60})(?:<[|a-z]{0,9}>?\w{0,20})?)"
    r"(?: ?<[|a-z]{0,11}>?\w{0,20})? ?(?:<[|a-z]{0,9})?"
)
_SKIPPED: Final = re.compile(r"analysis[^\W\d_a-z]")
"""The beginning of an answer of Harmony whose control tokens the server has left out."""
_THOUGHT_PHRASES: Final = tuple(f"Here{verb} my thought process:" for verb in (" is", "'s", "’s"))
"""Phrases with which some models begin their reasoning, since their template has no mark for it."""
_SKIPPED_ENDS: Final = ("assistantfinal",)
_RESPONSE_PHRASES: Final = tuple(f"Here{verb} my response:" for verb in (" is", "'s", "’s"))
_BEGINNINGS: Final = (*_WORDS, *_THOUGHT_PHRASES)


def attached(text: str, mark: str, kind: MarkKind, *, is_last: bool) -> str | None:
    """The part of `text` that follows its first mark and belongs to it; None if more text is needed."""
    if kind not in _FORMS or (kind is MarkKind.OTHER and not mark.startswith("<unused")):
        return ""
    form, length = (_PART, 110) if mark in (_OPEN, _CLOSE) else _FORMS[kind]
    if match := form.match(text, len(mark)):
        rest = text[match.end() :]
        is_cut = kind is MarkKind.TURN_START and any(part.startswith(rest) and part != rest for part in MESSAGES)
        return None if is_cut and not is_last else match[0]
    return "" if is_last or len(text) > len(mark) + length else None


def bare_header(text: str, *, is_last: bool) -> bool | None:
    """Whether `text` begins with a header of a channel without its first mark; None if more text is needed."""
    if _BARE.match(text):
        return True
    is_part = _BARE_PART.fullmatch(text) is not None or any(word.startswith(text) for word in _BEGINNINGS)
    return None if is_part and not is_last else False


def unmarked_ends(text: str, *, is_asked: bool) -> tuple[str, ...]:
    """The ends of reasoning that `text` may begin with, without any mark; empty if it begins with none.

    `is_asked` says that the question asks for thoughts, so that a phrase which announces some is the answer's own.
    """
    if _SKIPPED.match(text):
        return _SKIPPED_ENDS
    return _RESPONSE_PHRASES if text.startswith(_THOUGHT_PHRASES) and not is_asked else ()


def unmarked_beginning(text: str) -> str:
    """The word or phrase that may begin reasoning in `text`."""
    return next((phrase for phrase in _THOUGHT_PHRASES if text.startswith(phrase)), _WORDS[0])


class Header(NamedTuple):
    """Meaning of a header: reasoning, a call or the answer comes after it, up to one of the marks `ends`."""

    kind: MarkKind
    ends: tuple[str, ...] = ()


def header_of(mark: str, header: str) -> Header:
    """The meaning of the header that follows a mark of a channel or a part; one without a header has none."""
    name = _NAME.search(header)
    word = name[0] if name else ""
    if mark in (_OPEN, _CLOSE):
        return _part_of(word, is_open=mark == _OPEN)
    to = _RECIPIENT.search(header)
    if not to and word != FINAL:
        return Header(MarkKind.THINK, _CHANNEL_ENDS) if header else Header(MarkKind.OTHER)
    if to and to[1] != _USER:
        return Header(MarkKind.THINK if to[1] == _SELF else MarkKind.CALL, _CHANNEL_ENDS)
    return Header(MarkKind.CHANNEL)


def _part_of(word: str, *, is_open: bool) -> Header:
    """The meaning of the mark before the name of a part."""
    close = f"{_CLOSE}{word}{_SEP}"
    if word == _THINK:
        return Header(MarkKind.THINK, (close, _OPEN)) if is_open else Header(MarkKind.THOUGHT)
    return Header(MarkKind.CALL, (close,)) if is_open and word in _CALLS else Header(MarkKind.OTHER)
