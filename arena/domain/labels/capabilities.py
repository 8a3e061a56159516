"""Capabilities of a prompt: those of SuperCLUE's ten that rules find, the surest first.

This is version 2 of the rules. Each rule of its file, and each label of version 1 that matches, gives points; labels
with enough of them hold. Where none has enough, the one with the most holds alone, so that few prompts have no label.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.domain.labels.categories import RULES as EARLIER
from arena.domain.labels.categories import Category
from arena.domain.labels.rule_files import readable, rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arena.domain.labels.rule_files import Group

FILE: Final = Path(__file__).with_name("capabilities.txt")
SAMPLE: Final = 400
"""Characters that are read at either end of a long prompt."""
ENOUGH: Final = 3
"""Points with which a label holds beside others, if they are half of what the surest label has."""
ENOUGH_CODE: Final = 5
"""The same for code: problems of mathematics and requests for texts use its words too, so one sign is not enough."""
KNOWN: Final = 3
"""Points of a label whose rules of version 1 match; of one that version 1 tries last, one less."""


def capabilities_of(prompts: Sequence[str]) -> tuple[Category, ...]:
    """The capabilities that a conversation asks for, by its first prompt."""
    if not prompts:
        return ()
    plain, kinds = readable(prompts[0], SAMPLE)
    matches = {label: _matching(groups, plain, kinds) for label, groups in rules(EARLIER).ordered}
    results = {label: _matching(groups, plain, kinds) for label, groups in rules(FILE).ordered}
    points = {label: sum(values) + _before(label, matches) for label, values in results.items()}
    highest = max(points.values())
    labels = [label for label, value in points.items() if value >= max(_enough(label), highest / 2)]
    labels = labels or [max(points, key=points.__getitem__)]
    if highest <= 0:
        return (Category.DIALOGUE,) if len(prompts) > 1 else ()
    return tuple(Category(label) for label in sorted(labels, key=lambda label: -points[label]))


def _enough(label: str) -> int:
    return ENOUGH_CODE if label == Category.CODE else ENOUGH


def _before(label: str, matches: dict[str, list[int]]) -> int:
    if not matches[label]:
        return 0
    return KNOWN - (label == Category.KNOWLEDGE)


def _matching(groups: Iterable[Group], plain: str, kinds: Sequence[str]) -> list[int]:
    """The points of the groups that match."""
    return [group.points for group in groups if group.kind in kinds and group.pattern.search(plain)]
