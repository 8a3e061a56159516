"""Sets of questions as values: their file, the difference between two versions, and their tree."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.domain.schemas.questions import PlannedPlaceView, QuestionView, SetFactsView, TreeNodeView

FORMAT: Final = "arena-questions/1"
"""The first line's `format`."""
Place = tuple[str, ...]
"""Area, category and task of a question; blank where it has none."""


def lines(facts: SetFactsView, questions: Iterable[QuestionView]) -> Iterator[bytes]:
    """Write a set as JSON lines in UTF-8 with sorted keys, without empty fields and spaces."""
    yield _line({"format": FORMAT, **facts.model_dump()})
    for question in questions:
        yield _line(question.model_dump())


def digest(facts: SetFactsView, questions: Iterable[QuestionView]) -> str:
    """The SHA-256 of a set's file, as `sha256sum` prints it."""
    result = hashlib.sha256()
    for line in lines(facts, questions):
        result.update(line)
    return result.hexdigest()


def _line(fields: dict[str, object]) -> bytes:
    content = {name: value for name, value in fields.items() if value not in (None, "", [])}
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class Difference:
    """Ids of added, removed and changed questions; the changed ones with the names of the changed fields."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: Mapping[str, tuple[str, ...]]

    def __str__(self) -> str:
        return f"{len(self.added)} added, {len(self.removed)} removed, {len(self.changed)} changed"


def difference(old: Iterable[QuestionView], new: Iterable[QuestionView]) -> Difference:
    """Compare two versions; questions are matched by id, not by position."""
    previous, following = ({question.id: question for question in version} for version in (old, new))
    return Difference(
        added=tuple(name for name in following if name not in previous),
        removed=tuple(name for name in previous if name not in following),
        changed={
            name: fields
            for name, question in following.items()
            if name in previous and (fields := _changed_fields(previous[name], question))
        },
    )


def _changed_fields(old: QuestionView, new: QuestionView) -> tuple[str, ...]:
    return tuple(field for field in type(old).model_fields if getattr(old, field) != getattr(new, field))


def tree(counts: Mapping[Place, int], plan: Sequence[PlannedPlaceView] = ()) -> list[TreeNodeView]:
    """Sum the numbers of questions by task, category and area, in the order of `counts`, then of the plan.

    Blank levels are left out. A planned place without a question is a node too.
    """
    numbers = {place: (count, 0) for place, count in counts.items()}
    for task in plan:
        place = (task.area, task.category or "", task.task or "")
        count, goal = numbers.get(place, (0, 0))
        numbers[place] = (count, goal + task.questions)
    return _nodes(numbers)


def _nodes(numbers: Mapping[Place, tuple[int, int]]) -> list[TreeNodeView]:
    branches: dict[str, dict[Place, tuple[int, int]]] = {}
    for (name, *place), count in numbers.items():
        branches.setdefault(name, {})[tuple(place)] = count
    return [
        TreeNodeView(
            name=name,
            questions=sum(count for count, _ in branch.values()),
            planned=sum(goal for _, goal in branch.values()),
            children=_nodes(branch) if any(map(any, branch)) else [],
        )
        for name, branch in branches.items()
    ]
