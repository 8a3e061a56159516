"""The forms of marks, and what kind each is, by the words in its name instead of a list of models."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MARK_LENGTH: Final = 128
"""Most characters of a mark."""
STARTS: Final = ("<", "[", "◁", "]", "&")
"""The first characters of all marks: text without them has none."""
_START: Final = re.compile(f"[{re.escape(''.join(STARTS))}]")

_NAME: Final = r"[^\W\d][\w.:=▁-]{0,47}"
_PREFIX: Final = r"(?:[\w.-]{1,20}:)?"
_ATTRIBUTES: Final = r"(?:[ \t][^<>&\n]{0,60})?"
_LESS: Final = "(?:<|&lt;)"
"""The sign that begins a mark, also as servers that escape HTML send it."""
_MORE: Final = "(?:>|&gt;)"
_WEAK: Final = (
    r"reason(?:ing)?|reflection|scratch_?pad|inner_(?:monologue|thoughts)|chain_of_thought|details type=\"reasoning\""
)
"""Words of tags of reasoning that are also words of other markup; some are of prompts, and of no model's template."""
_THINK: Final = rf"{_PREFIX}(?:(?:ant)?think(?:ing)?|thoughts?|{_WEAK})(?::[\w.-]{{1,20}})?"
_CALL: Final = rf"{_PREFIX}(?:tool_calls?|function_calls?|TOOLCALL)"
_TURN: Final = (
    rf"(?:start|begin|end)_of_[a-z]{{2,12}}|s|{_PREFIX}(?:bos|eos)|(?:reserved|unused|SPECIAL)_?\d{{1,6}}|pad|eo[dmpt]"
)
_SQUARE: Final = (
    r"\[/?(?:INST|THINK|TOOL_CALLS)\]|\[(?:[BE]OS|EO[DMT]|PAD|unused\d{1,3})\]"
    r"|\[e~\[|\]~b\](?:ai|user|system|developer|tool|root)\n|\]~!b\[|\]![pd]~\[|\]<\]\w[\w ]{0,30}\[>\["
)
MARK: Final = re.compile(
    rf"{_LESS}\|/?{_NAME}\|?{_MORE}|{_LESS}{_NAME}\|{_MORE}"
    rf"|</?｜\w{{1,12}}｜\w{{1,24}}{_ATTRIBUTES}>|<｜/?[\w.▁ -]{{1,48}}｜>"
    rf"|{_LESS} ?/? ?(?i:{_THINK}){_ATTRIBUTES}{_MORE}|{_LESS}/?{_CALL}{_MORE}"
    rf"|</?(?:{_TURN}|answer|response)>|<function=[\w.:-]{{1,48}}>|{_SQUARE}|<</?SYS>>|◁/?think▷"
)
_MORE_SO_FAR: Final = "(?:&g?t?)?"
_PARTIAL: Final = re.compile(
    rf"{_LESS}\|?/?[\w.:=▁-]{{0,48}}\|?{_MORE_SO_FAR}|{_LESS} ?/? ?(?:[a-zA-Z][\w.:]{{0,40}} ?)?{_MORE_SO_FAR}"
    rf"|{_LESS} ?/? ?(?i:{_THINK})[ \t][^<>&\n]{{0,60}}{_MORE_SO_FAR}|<details [a-z=\"]{{0,16}}|&l?t?"
    rf"|</?｜/?[\w.▁ -]{{0,48}}(?:｜(?:\w{{1,24}}{_ATTRIBUTES})?)?"
    r"|<</?[SY]{0,3}>?|\[/?(?:[A-Z_]{0,10}|u[nused]{0,5}\d{0,3}|e~?)|◁/?[think]{0,5}"
    r"|\](?:~(?:b(?:\][a-z]{0,9})?|!b?)?|!(?:[pd]~?)?|<(?:\](?:\w[\w ]{0,30}(?:\[>?)?)?)?)?"
)


class MarkKind(StrEnum):
    """Meaning of a mark. `THINK` and `CALL` open, `THOUGHT` and `CALLED` close; `FRAME` begins a part of the answer."""

    THINK = "think"
    THOUGHT = "thought"
    CHANNEL = "channel"
    CALL = "call"
    CALLED = "called"
    TURN_START = "turn_start"
    TURN_END = "turn_end"
    FRAME = "frame"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class AnswerMark:
    """A mark in an answer; `line` is its line, from 1, and `is_cut` whether it was certain to be none of the answer."""

    text: str
    kind: MarkKind
    line: int
    is_cut: bool


_WORDS: Final = (
    (MarkKind.CALL, re.compile(r"tool|function|python_tag|plugin|(?:^|_)action(?:_|$)|^dsml")),
    (
        MarkKind.THINK,
        re.compile(r"think|thought|reason|reflection|scratch_?pad|monologue|^inner_(?:prefix|suffix)$|^unused1[67]$"),
    ),
    (MarkKind.CHANNEL, re.compile(r"^(?:channel|message|constrain|open|close)$")),
    (
        MarkKind.TURN_END,
        re.compile(
            r"(?:^|_)(?:end|eo[dmpst]|sep)(?:_|$)|^end|:eos$|^(?:return|call|stop|pad|unused10|special_12|e~|!p~)$"
        ),
    ),
    (
        MarkKind.TURN_START,
        re.compile(
            r"^(?:im_start|start|begin|startoftext|turn|s|inst|sys|unused9|special_1[01]|~!b)$|(?:^|_)(?:user|assistant|system|human|model|bot)$|header"
            r"|^(?:start|begin)_of_(?:turn|text|role|sentence)(?:_token)?$|(?:^|:)bos(?:_token)?$|^~b\]"
        ),
    ),
    (MarkKind.FRAME, re.compile(r"(?:^|_)(?:start|begin)(?:_|$)")),
)
MESSAGE_ENDS: Final = ("<|end|>", "<|end_message|>", "<|eom|>")
"""Marks that end a message, which may be one of reasoning."""
_PAIRS: Final = (
    ("start", "end"),
    ("START", "END"),
    ("begin", "end"),
    ("BEGIN", "END"),
    ("prefix", "suffix"),
    ("[unused16", "[unused17"),
)
_TAG_NAME: Final = re.compile(r"[ \t=]")
_OPENING_SPACE: Final = re.compile(r"^< ?(/?) ?")
_WEAK_TAG: Final = re.compile(rf"</?{_PREFIX}({_WEAK})", re.IGNORECASE)
END_MARGIN: Final = 10
"""Characters by which a mark in a text may be longer than in its plain form: spaces and escapes."""
_CLOSERS: Final = {MarkKind.THINK: MarkKind.THOUGHT, MarkKind.CALL: MarkKind.CALLED, MarkKind.CHANNEL: MarkKind.THOUGHT}


_END_WORD: Final = re.compile(r"(?:^|_)(?:end|suffix)|end(?:_|$)|^unused17$")


def _plain(mark: str) -> str:
    """A mark without escapes of HTML, and without spaces after its first sign."""
    return _OPENING_SPACE.sub(r"<\1", mark.replace("&lt;", "<").replace("&gt;", ">"))


def kind_of(mark: str) -> MarkKind:
    """The kind of a mark."""
    mark = _plain(mark)
    if mark.startswith("<unused"):
        return MarkKind.OTHER
    name = mark.strip("<>[]◁▷|｜/").lower().replace("▁", "_").replace(" ", "_")
    closes = mark[1] == "/" or mark[2:3] == "/" or (mark.endswith("|>") and "<|" not in mark)
    kind = next((kind for kind, words in _WORDS if words.search(name)), MarkKind.OTHER)
    if kind in _CLOSERS:
        is_end = closes or (kind is not MarkKind.CHANNEL and _END_WORD.search(name) is not None)
        return _CLOSERS[kind] if is_end else MarkKind.THINK if mark == "<|channel>" else kind
    return MarkKind.TURN_END if closes and kind is MarkKind.TURN_START else kind


def word_of(mark: str) -> str:
    """The word of a tag of reasoning that other markup has too; empty for other marks."""
    match = _WEAK_TAG.match(_plain(mark))
    return match[1].partition(" ")[0] if match else ""


def closer_of(mark: str) -> str:
    """The mark that closes this one."""
    for opening, closing in _PAIRS:
        if opening in mark and '="' not in mark:
            return mark.replace(opening, closing)
    if mark.startswith("<|") and not mark.endswith("|>"):
        return f"<{mark[2:-1]}|>"
    width = 2 if mark[1] in "|｜<" and not mark.startswith("<｜DSML") else 1
    name = _TAG_NAME.split(mark[width:-1], maxsplit=1)[0] + mark[-1]
    return f"{mark[:width]}/{name}"


def ends_of(mark: str) -> tuple[str, ...]:
    """The marks that end what this one opened: its own, and for one with bars also the ends of messages."""
    mark = _plain(mark)
    return (closer_of(mark), *(MESSAGE_ENDS if mark.startswith("<|") else ()))


def pattern_of(ends: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern of the marks that end something, in any case, with a space more and as escaped HTML."""
    forms = (re.escape(end[:-1]).replace("</", "< ?/ ?", 1) + " ?" + re.escape(end[-1:]) for end in ends)
    pattern = "|".join(form.replace("<", _LESS).replace(">", _MORE) for form in forms)
    return re.compile(pattern, re.IGNORECASE)


def partial_start(text: str, start: int = 0) -> int:
    """Where in `text` a mark may begin that the next text completes; its length if nowhere."""
    begin = max(start, len(text) - MARK_LENGTH)
    for sign in _START.finditer(text, begin):
        if _PARTIAL.fullmatch(text, sign.start()):
            return sign.start()
    return max(begin, len(text))
