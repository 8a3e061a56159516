"""Models of an evaluation that a judge does not judge, as it may favour them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.terms import UNNAMED_OWNER
from arena.evaluations.domain.terms import Relation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from arena.evaluations.store.tables.evaluations import EvaluationModelRow


def related_models(
    session: Session, judge: EndpointRow, models: Iterable[EvaluationModelRow]
) -> dict[EvaluationModelRow, Relation]:
    """The judge itself, models of its family, and those of its owner; models without a named owner share none."""
    relations = {model: _relation(session, judge, model) for model in models}
    return {model: relation for model, relation in relations.items() if relation}


def _relation(session: Session, judge: EndpointRow, model: EvaluationModelRow) -> Relation | None:
    row = session.get(EndpointRow, model.endpoint_id) if model.endpoint_id is not None else None
    if model.name == judge.name or (row and (row.url, row.wire_model) == (judge.url, judge.wire_model)):
        return Relation.SELF
    if row is None:
        return None
    if (row.family or row.name) == (judge.family or judge.name):
        return Relation.FAMILY
    is_owner = row.owner_id == judge.owner_id and judge.owner.name != UNNAMED_OWNER
    return Relation.OWNER if is_owner else None
