"""Thresholds of annotators: whoever falls below them is left out, and others get the items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.evaluations.usecases.people.annotators import take_back

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from arena.adapters.store.engine import Database
    from arena.evaluations.domain.schemas.evaluations import AnnotatorView


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least that an annotator has to reach, each once there is enough to judge by.

    Attributes:
        consistency: Share of hidden repeats answered alike; 0 lets everybody pass.
        repeats: Answers to repeated items from which consistency counts.
        right: Share of answers that a consensus of the others does not contradict.
        judged: Answers to items with a consensus from which that counts.
        doubtful: Whether who answers like a random clicker is below, too.
    """

    consistency: float = 0.5
    repeats: int = 10
    right: float = 0.5
    judged: int = 10
    doubtful: bool = True


async def redistribute(
    database: Database, name: str, records: Sequence[AnnotatorView], limits: Thresholds, now: datetime
) -> list[tuple[str, str, int]]:
    """Leave out whoever of a report is below the thresholds: label, reason, and the number of withdrawn annotations.

    Raises:
        EvaluationNotFound: There is none of this name.
        EvaluationNotOpen: It is closed.
    """
    return [
        (label, reason, await take_back(database, name, label, reason, now)) for label, reason in below(records, limits)
    ]


def below(records: Sequence[AnnotatorView], limits: Thresholds) -> Iterator[tuple[str, str]]:
    """Label of everybody who is below a threshold, with the reason."""
    for each in records:
        if reason := _reason(each, limits):
            yield each.label, reason


def _reason(each: AnnotatorView, limits: Thresholds) -> str:
    if each.repeats >= limits.repeats and (each.consistency or 0) < limits.consistency:
        return f"consistency {each.consistency:.2f} over {each.repeats} answers, below {limits.consistency:.2f}"
    right = 1 - each.wrong / each.judged if each.judged else 1.0
    if each.judged >= limits.judged and right < limits.right:
        return f"{right:.2f} of {each.judged} answers as the others, below {limits.right:.2f}"
    return "answers like a random clicker" if each.doubtful and limits.doubtful else ""
