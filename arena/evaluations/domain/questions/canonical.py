"""The one spelling of a set as a file: JSON lines with the facts first. Equal sets have equal bytes."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arena.domain.schemas.questions import QuestionView, SetFactsView

FORMAT: Final = "arena-questions/1"
"""The first line's `format`."""


def lines(facts: SetFactsView, questions: Iterable[QuestionView]) -> Iterator[bytes]:
    """Write a set as lines: keys sorted, nothing that is empty, UTF-8, no spaces."""
    yield _line({"format": FORMAT, **facts.model_dump()})
    for question in questions:
        yield _line(question.model_dump())


def digest(facts: SetFactsView, questions: Iterable[QuestionView]) -> str:
    """Name a set by the SHA-256 of its file, which `sha256sum` gives as well."""
    result = hashlib.sha256()
    for line in lines(facts, questions):
        result.update(line)
    return result.hexdigest()


def _line(fields: dict[str, object]) -> bytes:
    present = {name: value for name, value in fields.items() if value not in (None, "", [])}
    return json.dumps(present, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
