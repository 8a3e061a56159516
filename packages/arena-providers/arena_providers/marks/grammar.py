"""The forms of marks, and what kind each is, by the words in its name instead of a list of models."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MARK_LENGTH: Final = 64
"""Most characters of a mark."""
STARTS: Final = ("<", "[", "◁")
"""The first characters of all marks: text without them has none."""

_NAME: Final = r"[^\W\d][\w.:=▁-]{0,47}"
_THINK: Final = r"(?:[\w.-]{1,20}:)?(?:think|thinking|thought|thoughts)"
_CALL: Final = r"(?:[\w.-]{1,20}:)?(?:tool_calls?|function_calls?)"
_TURN: Final = r"(?:start|begin|end)_of_[a-z]{2,12}|s|(?:[\w.-]{1,20}:)?(?:bos|eos)|(?:reserved|unused)_?\d{1,6}"
MARK: Final = re.compile(
    rf"<\|/?{_NAME}\|?>|<{_NAME}\|>|<｜/?[\w.▁ -]{{1,48}}｜>|</?(?:{_THINK}|{_CALL}|{_TURN})>"
    r"|\[/?(?:INST|THINK)\]|\[/?TOOL_CALLS\]|<</?SYS>>|◁/?think▷"
)
_PARTIAL: Final = re.compile(
    r"<\|?/?[\w.:=▁-]{0,48}\|?|<｜/?[\w.▁ -]{0,48}｜?|<</?[SY]{0,3}>?|\[/?[A-Z_]{0,10}|◁/?[think]{0,5}"
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
    (MarkKind.CALL, re.compile(r"tool|function|python_tag|plugin")),
    (MarkKind.THINK, re.compile(r"think|thought")),
    (MarkKind.CHANNEL, re.compile(r"^(?:channel|message|constrain)$")),
    (MarkKind.TURN_END, re.compile(r"(?:^|_)(?:end|eo[tmds]|sep)(?:_|$)|^end|:eos$|^(?:return|call|stop)$")),
    (
        MarkKind.TURN_START,
        re.compile(
            r"^(?:im_start|start|startoftext|turn|s|inst|sys)$|(?:^|_)(?:user|assistant|system|human|model|bot)$|header"
            r"|^(?:start|begin)_of_(?:turn|text|role|sentence)(?:_token)?$|(?:^|:)bos(?:_token)?$"
        ),
    ),
    (MarkKind.FRAME, re.compile(r"(?:^|_)(?:start|begin)(?:_|$)")),
)
_CLOSERS: Final = {MarkKind.THINK: MarkKind.THOUGHT, MarkKind.CALL: MarkKind.CALLED, MarkKind.CHANNEL: MarkKind.THOUGHT}


def kind_of(mark: str) -> MarkKind:
    """The kind of a mark."""
    name = mark.strip("<>[]◁▷|｜/").lower().replace("▁", "_").replace(" ", "_")
    closes = mark[1] == "/" or mark[2:3] == "/" or (mark.endswith("|>") and "<|" not in mark)
    kind = next((kind for kind, words in _WORDS if words.search(name)), MarkKind.OTHER)
    if kind in _CLOSERS:
        is_end = closes or (kind is not MarkKind.CHANNEL and re.search(r"(?:^|_)end|end(?:_|$)", name) is not None)
        return _CLOSERS[kind] if is_end else MarkKind.THINK if mark == "<|channel>" else kind
    return MarkKind.TURN_END if closes and kind is MarkKind.TURN_START else kind


def closer_of(mark: str) -> str:
    """The mark that closes this one."""
    for opening, closing in (("start", "end"), ("START", "END"), ("begin", "end"), ("BEGIN", "END")):
        if opening in mark:
            return mark.replace(opening, closing)
    if mark.startswith("<|") and not mark.endswith("|>"):
        return f"<{mark[2:-1]}|>"
    width = 2 if mark[1] in "|｜<" else 1
    return f"{mark[:width]}/{mark[width:]}"


def partial_start(text: str, start: int = 0) -> int:
    """Where in `text` a mark may begin that the next text completes; its length if nowhere."""
    at = max(start, len(text) - MARK_LENGTH)
    while at < len(text):
        if text[at] in STARTS and _PARTIAL.fullmatch(text, at):
            return at
        at += 1
    return at
