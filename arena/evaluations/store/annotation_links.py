"""Holders of an annotation link, and the networks that they worked from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import bindparam, insert, select

from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store.tables import AnnotatorNetworkRow, AnnotatorRow, EvaluationRow

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


class Annotator(NamedTuple):
    """An annotator, locked until the end of the transaction, and the terms of their evaluation."""

    id: int
    evaluation_id: int
    voter_key: str | None
    reviewer: bool
    revoked_at: datetime | None
    name: str
    protocol: str
    state: EvaluationState
    per_item: int
    overlap: int
    repeats: float
    seed: int


_ANNOTATOR: Final = (
    select(
        *(AnnotatorRow.id, AnnotatorRow.evaluation_id, AnnotatorRow.voter_key, AnnotatorRow.reviewer),
        *(AnnotatorRow.revoked_at, EvaluationRow.name, EvaluationRow.protocol, EvaluationRow.state),
        *(EvaluationRow.per_item, EvaluationRow.overlap, EvaluationRow.repeats, EvaluationRow.seed),
    )
    .join_from(AnnotatorRow, EvaluationRow, EvaluationRow.id == AnnotatorRow.evaluation_id)
    .where(AnnotatorRow.link == bindparam("link"))
    .with_for_update(of=AnnotatorRow)
)


def holder(session: Session, link: str) -> Annotator | None:
    """The annotator with this link's digest."""
    row = session.connection().execute(_ANNOTATOR, {"link": link}).first()
    return Annotator._make(row) if row else None


def note_network(session: Session, who: Annotator, network: str) -> None:
    """Remember that an annotator worked from a network."""
    session.execute(insert(AnnotatorNetworkRow).values(annotator_id=who.id, digest=network))
