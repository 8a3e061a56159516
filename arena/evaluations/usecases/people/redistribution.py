"""Redistribution of items: annotators below the thresholds of an evaluation are left out, and others get their items.

What is withdrawn stays withdrawn, so thresholds are chosen when an evaluation is created, and none is the default.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from arena.adapters.store.engine import Database
from arena.evaluations.domain.schemas.evaluation_reports import AnnotatorView
from arena.evaluations.store import annotations, annotators
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.evaluations import EvaluationRow
from arena.evaluations.usecases.people.annotators import leave_out, take_back
from arena.evaluations.usecases.reports import report_columns
from arena.evaluations.usecases.reports.people import annotators_of
from arena.evaluations.usecases.reports.report_columns import ReportColumns

PAUSE: Final = timedelta(minutes=1)
"""Time between two looks at an evaluation that grows, as each look reads all of it."""


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
        (label, reason, await take_back(database, name, label, reason, now))
        for label, reason in below_limits(records, limits)
    ]


def below_limits(records: Sequence[AnnotatorView], limits: Thresholds) -> Iterator[tuple[str, str]]:
    """Label of everybody who is below a threshold, with the reason."""
    for record in records:
        if reason := _reason(record, limits):
            yield record.label, reason


def _reason(annotator: AnnotatorView, limits: Thresholds) -> str:
    if annotator.repeats >= limits.repeats and (annotator.consistency or 0) < limits.consistency:
        return (
            f"consistency {annotator.consistency:.2f} over {annotator.repeats} answers, below {limits.consistency:.2f}"
        )
    share = 1 - annotator.wrong / annotator.judged if annotator.judged else 1.0
    if annotator.judged >= limits.judged and share < limits.right:
        return f"{share:.2f} of {annotator.judged} answers as the others, below {limits.right:.2f}"
    return "answers like a random clicker" if annotator.doubtful and limits.doubtful else ""


class Look(NamedTuple):
    """The last annotation that was there, and the time."""

    last: int
    at: datetime


@dataclass(slots=True)
class Looks:
    """The last look at each evaluation, by its row; a new process looks at all of them once."""

    last: dict[int, Look] = field(default_factory=dict[int, Look])

    def is_due(self, evaluation_id: int, newest: int, now: datetime) -> bool:
        """Whether there are more annotations than at the last look, and it is long enough ago."""
        previous = self.last.get(evaluation_id, Look(0, now - PAUSE))
        return newest > previous.last and now - previous.at >= PAUSE


@dataclass(frozen=True, slots=True, eq=False)
class GrownEvaluation:
    """An evaluation with annotations that nobody has looked at; `linked` are the people who may be left out."""

    name: str
    protocol: str
    limits: Thresholds
    last: int
    linked: frozenset[str]
    log: ReportColumns


class LeftOut(NamedTuple):
    """An annotator who was left out, why, and the number of annotations withdrawn."""

    evaluation: str
    label: str
    reason: str
    annotations: int


async def redistribute_grown(
    database: Database, looks: Looks, *, executor: Executor, now: datetime, guard: Callable[[Session], None]
) -> list[LeftOut]:
    """Look at every open evaluation with thresholds whose annotations have grown, and leave out whoever is below.

    Only people with a link are, and no reviewers, who get what others disagree about. `guard` runs in each transaction
    that withdraws; if it raises, nothing is withdrawn.
    """
    results: list[LeftOut] = []
    for number in await database.read(_due_evaluations, looks, now):
        evaluation = await database.read(_read_evaluation, number)
        records = await asyncio.get_running_loop().run_in_executor(
            executor, annotators_of, evaluation.protocol, evaluation.log
        )
        candidates = [record for record in records if record.label in evaluation.linked]
        for label, reason in below_limits(candidates, evaluation.limits):
            withdrawn = await database.write(_withdraw, guard, evaluation.name, label, reason, now)
            results.append(LeftOut(evaluation.name, label, reason, withdrawn))
        looks.last[number] = Look(evaluation.last, now)
    return results


def _due_evaluations(session: Session, looks: Looks, now: datetime) -> list[int]:
    numbers = {row.id: annotations.last_number(session, row.id) for row in stored.with_thresholds(session)}
    return [number for number, newest in numbers.items() if looks.is_due(number, newest, now)]


def _read_evaluation(session: Session, number: int) -> GrownEvaluation:
    row = stored.by_id(session, number)
    return GrownEvaluation(
        name=row.name,
        protocol=row.protocol,
        limits=_limits(row),
        last=annotations.last_number(session, row.id),
        linked=frozenset(
            annotator.label
            for annotator in annotators.annotators(session, row.id)
            if annotator.link is not None and annotator.revoked_at is None and not annotator.reviewer
        ),
        log=report_columns.read_columns(session, row),
    )


def _limits(row: EvaluationRow) -> Thresholds:
    """The thresholds of an evaluation; doubt is advice to a person, and withdraws nothing."""
    return Thresholds(consistency=row.least_consistency or 0, right=row.least_right or 0, doubtful=False)


def _withdraw(
    session: Session, guard: Callable[[Session], None], name: str, label: str, reason: str, now: datetime
) -> int:
    guard(session)
    return leave_out(session, name, label, reason, now)
