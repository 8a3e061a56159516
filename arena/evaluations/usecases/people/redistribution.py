"""Redistribution of items: annotators below the thresholds of an evaluation are left out, and others get their items.

Withdrawals are final, so there are no thresholds by default.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from arena.adapters.store.engine import Database
from arena.evaluations.domain.errors import EvaluationClosed
from arena.evaluations.domain.schemas.evaluation_reports import EXCLUSIONS, AnnotatorView
from arena.evaluations.domain.terms import LEAST_CHECKED, LEAST_CONSISTENCY
from arena.evaluations.store import annotations, annotators
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.evaluations import EvaluationRow
from arena.evaluations.usecases.people.annotators import leave_out, take_back
from arena.evaluations.usecases.reports import report_columns
from arena.evaluations.usecases.reports.columns import ReportColumns
from arena.evaluations.usecases.reports.people import annotators_of

CHECK_INTERVAL: Final = timedelta(minutes=1)
"""Least time between two checks of an evaluation, as each reads all of it."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Minimum quality of an annotator, each checked once there are enough answers.

    Attributes:
        consistency: Share of the most frequent answer among repeats; with two attempts up to 0.5 lets everybody pass.
        repeats: Fewest answers to repeated items for checking consistency.
        right: Share of answers that no consensus contradicts.
        judged: Fewest answers to items with a consensus for checking that.
        doubtful: Whether those who answer like a random clicker are left out, too.
    """

    consistency: float = LEAST_CONSISTENCY
    repeats: int = LEAST_CHECKED
    right: float = 0.5
    judged: int = LEAST_CHECKED
    doubtful: bool = True


async def redistribute(
    database: Database, name: str, records: Sequence[AnnotatorView], limits: Thresholds, now: datetime
) -> list[tuple[str, str, int]]:
    """Leave out annotators of a report below the thresholds: label, reason, and number of withdrawn annotations.

    Raises:
        EvaluationNotFound: There is none of this name.
        EvaluationClosed: It is closed.
    """
    return [
        (label, reason, await take_back(database, name, label, reason, now))
        for label, reason in below_limits(records, limits)
    ]


def below_limits(records: Sequence[AnnotatorView], limits: Thresholds) -> list[tuple[str, str]]:
    """Label and reason of each annotator of a report who is below a threshold.

    If all are, none is named: then the questions are hard or the thresholds are wrong, and nobody would be left.
    """
    reasons = [(record.label, reason) for record in records if (reason := _reason(record, limits))]
    return reasons if len(reasons) < len(records) else []


def too_few(records: Sequence[AnnotatorView], limits: Thresholds) -> list[tuple[str, str]]:
    """Label and reason of each annotator who would be below a threshold, but has too few answers for it."""
    eager = replace(limits, repeats=2, judged=2)
    return [
        (record.label, reason)
        for record in records
        if not _reason(record, limits) and (reason := _reason(record, eager))
    ]


def _reason(annotator: AnnotatorView, limits: Thresholds) -> str:
    if annotator.repeats >= limits.repeats and (annotator.consistency or 0) < limits.consistency:
        figures = annotator.consistency or 0, annotator.repeats, limits.consistency
        return _sentence("consistency", *figures)
    share = 1 - annotator.wrong / annotator.judged if annotator.judged else 1.0
    if annotator.judged >= limits.judged and share < limits.right:
        return _sentence("right", share, annotator.judged, limits.right)
    return EXCLUSIONS["random"] if annotator.doubtful and limits.doubtful else ""


def _sentence(rule: str, share: float, answers: int, limit: float) -> str:
    return EXCLUSIONS[rule].format(share=f"{share:.2f}", answers=answers, limit=f"{limit:.2f}")


class QualityCheck(NamedTuple):
    """Number of the last annotation at a check, and the time of the check."""

    last: int
    at: datetime


@dataclass(slots=True)
class QualityChecks:
    """The last check of each evaluation by id; a new process checks all of them once."""

    last: dict[int, QualityCheck] = field(default_factory=dict[int, QualityCheck])

    def is_due(self, evaluation_id: int, newest: int, now: datetime) -> bool:
        """Whether there are more annotations than at the last check, and that is at least `CHECK_INTERVAL` ago."""
        check = self.last.get(evaluation_id, QualityCheck(0, now - CHECK_INTERVAL))
        return newest > check.last and now - check.at >= CHECK_INTERVAL


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationToCheck:
    """An evaluation with annotations since the last check; `linked` are the annotators who may be left out."""

    name: str
    protocol: str
    limits: Thresholds
    last: int
    linked: frozenset[str]
    log: ReportColumns


class Exclusion(NamedTuple):
    """An annotator who was left out, the reason, and the number of withdrawn annotations."""

    evaluation: str
    label: str
    reason: str
    annotations: int


async def redistribute_due(
    database: Database, checks: QualityChecks, *, executor: Executor, now: datetime, guard: Callable[[Session], None]
) -> list[Exclusion]:
    """Check every open evaluation with thresholds and new annotations, and leave out annotators below the thresholds.

    Only people with a link are left out, and no reviewers, whose items are disputed. `guard` runs in each transaction
    that withdraws; if it raises, nothing is withdrawn.
    """
    results: list[Exclusion] = []
    for number in await database.read(_due_evaluations, checks, now):
        evaluation = await database.read(_read_evaluation, number)
        records = await asyncio.get_running_loop().run_in_executor(
            executor, annotators_of, evaluation.protocol, evaluation.log
        )
        below = below_limits(records, evaluation.limits)
        for label, reason in ((label, reason) for label, reason in below if label in evaluation.linked):
            # An evaluation that was closed during the check keeps its annotations, and the round goes on.
            with suppress(EvaluationClosed):
                withdrawn = await database.write(_withdraw, guard, evaluation.name, label, reason, now)
                results.append(Exclusion(evaluation.name, label, reason, withdrawn))
        checks.last[number] = QualityCheck(evaluation.last, now)
    return results


def _due_evaluations(session: Session, checks: QualityChecks, now: datetime) -> list[int]:
    numbers = {row.id: annotations.last_number(session, row.id) for row in stored.with_thresholds(session)}
    return [number for number, newest in numbers.items() if checks.is_due(number, newest, now)]


def _read_evaluation(session: Session, number: int) -> EvaluationToCheck:
    row = stored.by_id(session, number)
    return EvaluationToCheck(
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
    """The thresholds of an evaluation; doubtful annotators are left to the operator."""
    return Thresholds(consistency=row.least_consistency or 0, right=row.least_right or 0, doubtful=False)


def _withdraw(
    session: Session, guard: Callable[[Session], None], name: str, label: str, reason: str, now: datetime
) -> int:
    guard(session)
    return leave_out(session, name, label, reason, now)
