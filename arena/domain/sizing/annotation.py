"""Effort and cost of people who annotate, before they begin (TencentLLMEval, section 2.4.2).

Its example: one person judges about 300 questions a day, and three judge each, so that 10,000 questions take 50 people
two days.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PER_DAY: Final = 300
"""Judgements of one person in a day."""


@dataclass(frozen=True, slots=True)
class AnnotationEffort:
    """Judgements, days of one person and of all at once, and the cost in the currency of the pay; None without one."""

    judgements: int
    person_days: float
    days: float
    cost: float | None
    cost_per_day: float | None
    cost_per_item: float | None


def annotation_effort(
    items: int, per_item: int = 3, *, people: int = 1, per_day: float = PER_DAY, pay: float | None = None
) -> AnnotationEffort:
    """Estimate the effort of `per_item` judgements of each item; `pay` is what one person costs a day."""
    judgements = items * per_item
    days = judgements / per_day
    return AnnotationEffort(
        judgements=judgements,
        person_days=days,
        days=days / people,
        cost=None if pay is None else days * pay,
        cost_per_day=None if pay is None else people * pay,
        cost_per_item=None if pay is None else per_item / per_day * pay,
    )
