"""LLMEval-2's JSON: the dialogues of many models about the same questions, with hints."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from arena.adapters.row_files.rows import mapping
from arena.evaluations.usecases.sets.formats.fields import Fields, listed, needed, parse_rows, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arena.evaluations.usecases.sets.formats.fields import Row


_NUMBERED: Final = re.compile(r"_\d+\Z|\A[^_]*\Z")
"""The number at the end of an id; or the whole of one that has none."""
_SUFFIX: Final = re.compile(r"(?i:[_ -](?:data|human|gpt|score))+\Z")
"""Words in the name of a file that are no part of its subject."""


def questions(rows: Iterable[Row], subject: str) -> Iterator[Row]:
    """Take each question once, from the first model's dialogue.

    Its id names the area (`Law_12`); where it does not, `subject` does, the name of the file.
    """
    seen: set[str] = set()

    def parse(row: dict[str, object]) -> Fields | None:
        name = needed(row, "question_uuid")
        if name in seen:
            return None
        fields = _fields(row, name, subject)
        seen.add(name)
        return fields

    return parse_rows(rows, parse)


def _fields(row: dict[str, Any], name: str, subject: str) -> Fields:
    dialog = [mapping(message) for message in listed(row, "dialog")]
    return {
        "id": name,
        "turns": [needed(message, "content") for message in dialog if message.get("role") == "user"],
        "area": (_NUMBERED.sub("", name) or _SUFFIX.sub("", subject)).replace("_", " "),
        "category": "objective" if row.get("type") == "A" else "subjective",
        "hint": text(row.get("hint")),
    }
