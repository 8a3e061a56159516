"""The tree of a set: area, category, task, with counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.domain.schemas.questions import TreeNodeView

if TYPE_CHECKING:
    from collections.abc import Mapping

Place = tuple[str, ...]
"""Area, category and task of a question; blank where it has none."""


def tree(counts: Mapping[Place, int]) -> list[TreeNodeView]:
    """Sum the number of questions of each place up to its category and area; the order is that of `counts`.

    Levels that a branch has no names for are left out.
    """
    branches: dict[str, dict[Place, int]] = {}
    for (first, *rest), count in counts.items():
        branches.setdefault(first, {})[tuple(rest)] = count
    return [
        TreeNodeView(name=name, questions=sum(below.values()), children=tree(below) if any(map(any, below)) else [])
        for name, below in branches.items()
    ]
