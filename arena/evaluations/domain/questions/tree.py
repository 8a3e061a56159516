"""The tree of a set: area, category, task, with the numbers of questions that are there and that are planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.domain.schemas.questions import TreeNodeView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena.domain.schemas.questions import PlannedPlaceView

Place = tuple[str, ...]
"""Area, category and task of a question; blank where it has none."""


def tree(counts: Mapping[Place, int], plan: Sequence[PlannedPlaceView] = ()) -> list[TreeNodeView]:
    """Sum the number of questions of each place up to its category and area, in the order of `counts`, then the plan.

    Levels that a branch has no names for are left out. A planned place without a question is a node too.
    """
    numbers = {place: (count, 0) for place, count in counts.items()}
    for task in plan:
        place = (task.area, task.category or "", task.task or "")
        present, planned = numbers.get(place, (0, 0))
        numbers[place] = (present, planned + task.questions)
    return _nodes(numbers)


def _nodes(numbers: Mapping[Place, tuple[int, int]]) -> list[TreeNodeView]:
    branches: dict[str, dict[Place, tuple[int, int]]] = {}
    for (first, *rest), both in numbers.items():
        branches.setdefault(first, {})[tuple(rest)] = both
    return [
        TreeNodeView(
            name=name,
            questions=sum(present for present, _ in below.values()),
            planned=sum(planned for _, planned in below.values()),
            children=_nodes(below) if any(map(any, below)) else [],
        )
        for name, below in branches.items()
    ]
