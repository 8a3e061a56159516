"""Entries of files with answers: a question and the answers to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from arena.adapters.row_files.rows import Unusable, shown
from arena.domain.text import UNSTORABLE, well_formed
from arena.evaluations.usecases.sets.formats.fields import Fields


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """A model's texts, one for each turn, and their scores by the name of the scorer."""

    model: str
    texts: list[str]
    scores: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class Entry:
    """A question and answers to it; without `turns` the question is in another file; `facts` are its other fields."""

    name: str | None
    turns: list[str]
    answers: list[FileAnswer]
    facts: Fields = field(default_factory=dict[str, object])


Line = tuple[int, Entry | Unusable]
"""The line or number of an entry in its file, and the entry or why it is unusable."""


def require_text(value: object, field: str) -> str:
    """A text that is not blank and that databases accept.

    Raises:
        Unusable: It is not, is missing, or no text.
    """
    if not isinstance(value, str) or not value.strip():
        problem = "missing" if value is None else f"no text: {shown(value)}"
        raise Unusable(f"{field}: {problem}", rule="missing", column=field)
    if well_formed(value) != value:
        raise Unusable(f"{field}: {UNSTORABLE}: {shown(value)}", rule="characters", column=field)
    return value


def message_text(content: object, field: str) -> str:
    """The text of a message, which is a string, a list of parts, or `{"answer": …}`.

    Raises:
        Unusable: There is none.
    """
    if isinstance(content, dict):
        fields = cast("dict[str, object]", content)
        content = fields.get("answer", fields.get("content"))
    if isinstance(content, list):
        parts = [cast("dict[str, object]", part) for part in cast("list[object]", content) if isinstance(part, dict)]
        content = "\n".join(str(part.get("text") or "") for part in parts if part.get("type") == "text")
    return require_text(content, field)
