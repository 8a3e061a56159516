"""Queries about an endpoint's errors and fingerprints since it was admitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import func, or_, select

from arena.adapters.store.tables import BattleRow, ChangeRow, FingerprintRow, ReplyRow, TurnRow
from arena.domain.terms import EndpointState, Finish

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

_OWNER_CHANGES: Final = (EndpointState.ACTIVE, EndpointState.PAUSED)


def admitted_at(session: Session, endpoint_id: int) -> datetime | None:
    """When an endpoint was last admitted to battles by somebody other than its owner; None if not recorded.

    A pause by the owner does not count: it must not erase the record before it.
    """
    return session.scalar(
        select(func.max(ChangeRow.created_at)).where(
            ChangeRow.endpoint_id == endpoint_id,
            ChangeRow.after == EndpointState.ACTIVE,
            or_(ChangeRow.before.is_(None), ChangeRow.before.not_in(_OWNER_CHANGES)),
        )
    )


def errors(
    session: Session, endpoint_id: int, *, but: Collection[str], limit: int, until: datetime | None = None
) -> Sequence[str | None]:
    """Results of the newest calls since admission, newest first: an error's kind, or None for an answer.

    With `until` only of battles that had ended by then, since acting on others could be noticed by their voters.
    Errors of the kinds `but`, stopped answers, and answers cancelled with the other side's are left out.
    """
    query = (
        select(ReplyRow.error)
        .join(TurnRow, TurnRow.id == ReplyRow.turn_id)
        .where(
            ReplyRow.endpoint_id == endpoint_id,
            or_(
                ReplyRow.error.not_in(but),
                ReplyRow.error.is_(None) & ReplyRow.finish.is_not(None) & (ReplyRow.finish != Finish.STOPPED),
            ),
        )
        .order_by(ReplyRow.id.desc())
        .limit(limit)
    )
    if until is not None:
        query = query.join(BattleRow, BattleRow.id == TurnRow.battle_id).where(BattleRow.ended_at <= until)
    since = admitted_at(session, endpoint_id)
    return session.scalars(query if since is None else query.where(TurnRow.started_at >= since)).all()


def fingerprints(session: Session, endpoint_id: int, limit: int) -> Sequence[FingerprintRow]:
    """The newest fingerprints of an endpoint, newest first."""
    return session.scalars(
        select(FingerprintRow)
        .where(FingerprintRow.endpoint_id == endpoint_id)
        .order_by(FingerprintRow.id.desc())
        .limit(limit)
    ).all()


def reference(session: Session, endpoint_id: int) -> FingerprintRow | None:
    """The reference of comparisons: an endpoint's first fingerprint since admission."""
    query = select(FingerprintRow).where(FingerprintRow.endpoint_id == endpoint_id, FingerprintRow.p_value.is_(None))
    since = admitted_at(session, endpoint_id)
    return session.scalar(
        (query if since is None else query.where(FingerprintRow.created_at >= since))
        .order_by(FingerprintRow.id.desc())
        .limit(1)
    )
