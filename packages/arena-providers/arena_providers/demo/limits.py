"""Lengths that a prompt asks for: a number of sentences, or words that an answer may have at most."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from arena_providers.demo.frames import count_of
from arena_providers.demo.script import script

if TYPE_CHECKING:
    from arena_providers.demo.script import Answer, Question

_SENTENCE: Final = re.compile(r"[^.!?。！？\n]+(?:[.!?](?=\d)[^.!?。！？\n]*)*(?:[.!?。！？]+[”\"’*)]*|$)")
_BLOCK: Final = re.compile(r"(?m)^(?:```|[-*>|#] |\d+\. )|\$\$")
"""The beginning of what is no prose: code, a list, a quotation, a table, a heading or a formula."""


class Limit(NamedTuple):
    """A number of sentences that an answer has, or of words or Han characters that it has at most."""

    number: int
    is_in_sentences: bool


def split_limit(question: Question) -> tuple[Question, Limit | None]:
    """A question without the length that it asks for, and that length."""
    match = script().limit.search(question.text)
    if match is None:
        return question, None
    text = f"{question.text[: match.start()]} {question.text[match.end() :]}".strip()
    sentences = match["sentences"] or match["zhsentences"]
    number = count_of(sentences or match["words"] or match["zhwords"]) or int(match["words"] or match["zhwords"] or 1)
    return replace(question, text=text, whole=text), Limit(number, sentences is not None)


def keep_limit(texts: Answer, limit: Limit | None) -> Answer | None:
    """Both texts as long as asked for, cut after a sentence, or nothing if one cannot be or both are the same.

    A frame is not cut: half a story is none.
    """
    if limit is None:
        return texts
    if any(text.endswith(mark) for text in texts for saying in _marks() for mark in saying):
        is_short = not limit.is_in_sentences and all(
            size_of(text.rpartition("\n\n")[0]) <= limit.number for text in texts
        )
        return texts if is_short else None
    short, thorough = (_cut(text, limit) for text in texts)
    return (short, thorough) if short and thorough and short != thorough else None


def _marks() -> tuple[Answer, Answer]:
    """Remarks below frames in English and Chinese."""
    frame = script().texts["frame"]
    return frame.en, frame.zh


def _cut(text: str, limit: Limit) -> str:
    prose = _BLOCK.split(text, maxsplit=1)[0].rstrip()
    if not prose or prose.endswith((":", "：")):
        return ""
    sentences = [match[0].strip() for match in _SENTENCE.finditer(prose) if match[0].strip()]
    if limit.is_in_sentences:
        return _join(sentences[: limit.number]) if len(sentences) >= limit.number else ""
    fitting = [end for end in range(1, len(sentences) + 1) if size_of(_join(sentences[:end])) <= limit.number]
    return _join(sentences[: max(fitting, default=0)])


def _join(sentences: list[str]) -> str:
    return ("" if any("\u4e00" <= sign <= "\u9fff" for sign in "".join(sentences)) else " ").join(sentences)


def size_of(text: str) -> int:
    """The number of words and Han characters of a text."""
    return len(re.findall(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+", text))
