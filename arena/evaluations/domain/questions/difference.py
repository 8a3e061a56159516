"""The difference of two versions of a set, question by question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from arena.domain.schemas.questions import QuestionView


@dataclass(frozen=True, slots=True)
class Difference:
    """Ids of questions that came, went or changed, the changed ones with the names of their changed fields."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: Mapping[str, tuple[str, ...]]

    def __str__(self) -> str:
        return f"{len(self.added)} added, {len(self.removed)} removed, {len(self.changed)} changed"


def difference(old: Iterable[QuestionView], new: Iterable[QuestionView]) -> Difference:
    """Compare two versions; questions are the same by their id, wherever they stand."""
    before, after = ({question.id: question for question in version} for version in (old, new))
    return Difference(
        added=tuple(name for name in after if name not in before),
        removed=tuple(name for name in before if name not in after),
        changed={
            name: fields
            for name, question in after.items()
            if name in before and (fields := _changed(before[name], question))
        },
    )


def _changed(old: QuestionView, new: QuestionView) -> tuple[str, ...]:
    return tuple(field for field in type(old).model_fields if getattr(old, field) != getattr(new, field))
