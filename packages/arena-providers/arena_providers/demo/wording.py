"""A given sentence in other words: more formal, by listed replacements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from arena_providers.demo.script import find_alone, script

if TYPE_CHECKING:
    from arena_providers.demo.script import Answer, Question

_LONGEST: Final = 400
"""Most characters of a text that is reworded."""
_HASTY: Final = re.compile(
    r"(?i)\b(?:(?:do|does|did|is|are|was|were|has|have|had|ca|wo|could|would|should)nt|ive|youve|weve|im|its|thats|youre|theyre)\b"
)
"""Contractions without their apostrophe, which no listed replacement makes formal."""


def reword(question: Question) -> Answer | None:
    """A more formal wording of the text after the colon, if it has words that the script knows a better form of."""
    head, body = question.parts
    if not body or len(body) > _LONGEST or not find_alone(script().work["formal"], head):
        return None
    text, changes = body, 0
    for pattern, formal in script().formal:
        text, count = pattern.subn(formal, text)
        changes += count
    if not changes or _HASTY.search(text) or script().work["sorry"].search(text):
        return None
    text = re.sub(r"(^|[.!?]\s+)([a-z])", lambda match: match[1] + match[2].upper(), text.strip())
    text = text.replace(",", "，") if question.zh else text
    text += "" if text[-1:] in ".!?。！？" else "。" if question.zh else "."
    return question.say("formal", text=text)
