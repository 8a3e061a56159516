"""Changes to a given text that need no understanding: case, order, points, and counts of words or letters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from arena_providers.demo.script import is_alone, script

if TYPE_CHECKING:
    from arena_providers.demo.script import Answer, Question

_LONGEST: Final = 600
"""Most characters of a text that is changed."""
_QUOTED: Final = re.compile(r"[“\"]([^“”\"]{2,600})[”\"]")
_WORD: Final = re.compile(r"\b(?:word|string) (?!order|count|by|for)([a-z]{2,30})\W*$", re.IGNORECASE)
_COLON: Final = re.compile(r":(?!\d|//) ?|\n+")
_CLAUSE: Final = re.compile(r"[,;，；、.。!?！？\n]+\s*")
_MARKS: Final = re.compile(r"[<>*_`{}\[\]|\\#~]")
"""Signs that Markdown would read."""

_FURTHER: Final = re.compile(
    r"[,.;]\s*(?:再|然后|并|(?:and )?then\b|and (?:make|translate|reverse|count|sort|turn)\b)", re.IGNORECASE
)
"""A second request behind the text."""
_UNORDERED: Final = re.compile(r"[\d\u3400-\u9fff]")
"""Signs of words that have no place in the alphabet."""


def edit_text(question: Question) -> Answer | None:
    """The given text as the request wants it, or how long it is."""
    head, body = _parts(question)
    kinds = [name for name, pattern in script().edits.items() if pattern.search(head)]
    is_editable = bool(body) and len(body) <= _LONGEST and not _MARKS.search(body) and not _FURTHER.search(body)
    if len(kinds) != 1 or not is_editable or not is_alone(script().edits[kinds[0]].sub(" ", head)):
        return None
    match kinds[0]:
        case "words":
            return question.say("words_counted", count=len(body.split()))
        case "signs":
            return question.say("signs_counted", count=sum(map(str.isalnum, body)))
        case "bullets":
            return _list(question, body)
        case "alphabetical" if _UNORDERED.search(body):
            return None
        case kind:
            return question.say("edited", text=" ".join(_change(kind, body).split()))


def _parts(question: Question) -> tuple[str, str]:
    """The request and the text, which stands between quotation marks or after a colon."""
    if match := _QUOTED.search(question.whole) or _WORD.search(question.whole):
        return f"{question.whole[: match.start()]} {question.whole[match.end() :]}", match[1]
    head, *body = _COLON.split(question.whole, maxsplit=1)
    return head, "".join(body)


def _list(question: Question, body: str) -> Answer | None:
    points = [point for part in _CLAUSE.split(body) if (point := part.strip())]
    if len(points) <= 1:
        return None
    numbered = "\n".join(f"{number}. {point}" for number, point in enumerate(points, 1))
    return question.say("listed", text="\n".join(f"- {point}" for point in points), numbered=numbered)


def _change(kind: str, body: str) -> str:
    match kind:
        case "upper":
            return body.upper()
        case "lower":
            return body.lower()
        case "reversed":
            return body[::-1]
        case _:
            return ", ".join(sorted(re.split(r"[,、\s]+", body.strip()), key=str.lower))
