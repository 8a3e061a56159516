"""Capabilities of a prompt, of SuperCLUE's ten, by version 2 of the rules.

Each matching rule of `capabilities.txt`, and each matching label of version 1, gives points to a label. A prompt has
the labels with enough points, else the one with the most, so that few prompts have none.
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
MIN_POINTS: Final = 3
"""Points that a label needs, besides half of the most points of any label."""
MIN_CODE_POINTS: Final = 5
"""The same for code, whose words occur in mathematics and requests for texts too."""
KNOWN: Final = 3
"""Points of a label whose rules of version 1 match; one less for knowledge, which version 1 tries last."""


def capabilities_of(prompts: Sequence[str]) -> tuple[Category, ...]:
    """The capabilities for which a conversation asks by its first prompt, those with the most points first."""
    if not prompts:
        return ()
    plain, kinds = readable(prompts[0], SAMPLE)
    earlier = {label: _points(groups, plain, kinds) for label, groups in rules(EARLIER).ordered}
    results = {label: _points(groups, plain, kinds) for label, groups in rules(FILE).ordered}
    points = {label: sum(values) + _earlier_points(label, earlier) for label, values in results.items()}
    highest = max(points.values())
    labels = [label for label, value in points.items() if value >= max(_enough(label), highest / 2)]
    labels = labels or [max(points, key=points.__getitem__)]
    if highest <= 0:
        return (Category.DIALOGUE,) if len(prompts) > 1 else ()
    return tuple(Category(label) for label in sorted(labels, key=lambda label: -points[label]))


def _enough(label: str) -> int:
    return MIN_CODE_POINTS if label == Category.CODE else MIN_POINTS


def _earlier_points(label: str, earlier: dict[str, list[int]]) -> int:
    return KNOWN - (label == Category.KNOWLEDGE) if earlier[label] else 0


def _points(groups: Iterable[Group], plain: str, kinds: Sequence[str]) -> list[int]:
    """The points of the matching groups."""
    return [group.points for group in groups if group.kind in kinds and group.pattern.search(plain)]
