"""The reveal of a battle, built only from its stored vote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import endpoints
from arena.domain.schemas import CompetitorView, RevealView
from arena.domain.terms import Side

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.tables import EndpointRow, VoteRow


def of(session: Session, vote: VoteRow) -> RevealView:
    """The identities in a voted battle, and whether its vote counts."""
    sides = competitors(session, vote.endpoint_a_id, vote.endpoint_b_id)
    reason = vote.not_counted
    return RevealView(
        outcome=vote.outcome,
        a=competitor(sides[Side.A]),
        b=competitor(sides[Side.B]),
        counted=reason is None,
        reason=reason,
    )


def competitors(session: Session, a: int, b: int) -> dict[Side, EndpointRow]:
    """The two endpoints of a battle by side."""
    rows = endpoints.by_id(session, (a, b))
    return {Side.A: rows[a], Side.B: rows[b]}


def competitor(row: EndpointRow) -> CompetitorView:
    """The public identity of an endpoint."""
    return CompetitorView(name=row.name, owner=row.owner.name, licence=row.licence, link=row.link, demo=row.demo)
