"""Queries about annotators: their links, labels and networks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from arena.evaluations.store.tables.annotations import AnnotatorNetworkRow, AnnotatorRow
from arena.evaluations.store.tables.evaluations import EvaluationRow


class Annotator(NamedTuple):
    """An annotator, locked until the end of the transaction, with the settings of their evaluation."""

    id: int
    evaluation_id: int
    voter_key: str | None
    reviewer: bool
    hints: bool
    areas: list[str]
    revoked_at: datetime | None
    name: str
    protocol: str
    per_item: int
    overlap: int
    repeats: float
    attempts: int
    seed: int


_ANNOTATOR: Final = (
    select(
        *(AnnotatorRow.id, AnnotatorRow.evaluation_id, AnnotatorRow.voter_key, AnnotatorRow.reviewer),
        *(AnnotatorRow.hints, AnnotatorRow.areas, AnnotatorRow.revoked_at),
        *(EvaluationRow.name, EvaluationRow.protocol),
        *(EvaluationRow.per_item, EvaluationRow.overlap, EvaluationRow.repeats, EvaluationRow.attempts),
        EvaluationRow.seed,
    )
    .join_from(AnnotatorRow, EvaluationRow, EvaluationRow.id == AnnotatorRow.evaluation_id)
    .where(AnnotatorRow.link == bindparam("link"))
    .with_for_update(of=AnnotatorRow)
)


def holder(session: Session, link: str) -> Annotator | None:
    """The annotator whose link has this digest."""
    row = session.connection().execute(_ANNOTATOR, {"link": link}).first()
    return Annotator._make(row) if row else None


def add_network(session: Session, annotator: Annotator, network: str) -> None:
    """Store a network from which an annotator works."""
    session.execute(insert(AnnotatorNetworkRow).values(annotator_id=annotator.id, digest=network))


_NUMBER: Final = re.compile(r"[0-9]{1,9}")
"""Labels like those that `new_labels` makes."""


def labels(session: Session, evaluation_id: int) -> dict[str, int]:
    """All annotators of an evaluation by label."""
    query = select(AnnotatorRow.label, AnnotatorRow.id).where(AnnotatorRow.evaluation_id == evaluation_id)
    rows = session.execute(query.order_by(AnnotatorRow.id))
    return {row.label: row.id for row in rows}


def teams(session: Session, evaluation_id: int) -> list[str]:
    """The team of each annotator in the order of `labels`, or how they joined; with a suffix if they get no hints."""
    return [
        (annotator.team or ("public" if annotator.voter_key else "invited" if annotator.link else "file"))
        + ("" if annotator.hints else ", no hints")
        for annotator in annotators(session, evaluation_id)
    ]


def new_labels(session: Session, evaluation_id: int, number: int) -> list[str]:
    """Labels for this number of new annotators: the next numbers of the evaluation, whose row is locked then."""
    total = EvaluationRow.last_annotator + number
    statement = update(EvaluationRow).where(EvaluationRow.id == evaluation_id).values(last_annotator=total)
    last_number = session.execute(statement.returning(EvaluationRow.last_annotator)).scalar_one()
    return [str(entry) for entry in range(last_number - number + 1, last_number + 1)]


def reserve_labels(session: Session, evaluation_id: int, labels: Iterable[str]) -> None:
    """Count on from the highest number among these labels, so that new annotators get none of them."""
    highest = max((int(label) for label in labels if _NUMBER.fullmatch(label)), default=0)
    lower = EvaluationRow.id == evaluation_id, EvaluationRow.last_annotator < highest
    session.execute(update(EvaluationRow).where(*lower).values(last_annotator=highest))


def add_annotator(session: Session, evaluation_id: int, label: str, now: datetime, **fields: object) -> AnnotatorRow:
    """Add an annotator."""
    defaults: dict[str, object] = {"link": None, "voter_key": None, "reviewer": False, "team": "", "hints": True}
    defaults |= {"areas": [], "revoked_at": None}
    row = AnnotatorRow(evaluation_id=evaluation_id, label=label, created_at=now, **(defaults | fields))
    session.add(row)
    session.flush()
    return row


def of_voter(session: Session, evaluation_id: int, voter_key: str) -> AnnotatorRow | None:
    """The annotator of an evaluation with this voter key."""
    conditions = AnnotatorRow.evaluation_id == evaluation_id, AnnotatorRow.voter_key == voter_key
    return session.scalar(select(AnnotatorRow).where(*conditions))


def annotators(session: Session, evaluation_id: int) -> Sequence[AnnotatorRow]:
    """All annotators of an evaluation, in the order in which they joined."""
    query = select(AnnotatorRow).where(AnnotatorRow.evaluation_id == evaluation_id)
    return session.scalars(query.order_by(AnnotatorRow.id)).all()


def networks(session: Session, evaluation_id: int) -> dict[int, int]:
    """The number of daily network digests by annotator."""
    query = select(AnnotatorNetworkRow.annotator_id, func.count()).join(AnnotatorRow)
    rows = query.where(AnnotatorRow.evaluation_id == evaluation_id).group_by(AnnotatorNetworkRow.annotator_id)
    return dict(session.execute(rows).all())
