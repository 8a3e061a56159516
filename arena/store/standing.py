"""Queries about what the arena has seen of an endpoint since somebody let it in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import func, or_, select

from arena.store.tables import ChangeRow, FingerprintRow, ReplyRow, TurnRow
from arena.terms import EndpointState, Finish

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

_ITS_OWN: Final = (EndpointState.ACTIVE, EndpointState.PAUSED)


def admitted_at(session: Session, endpoint_id: int) -> datetime | None:
    """When an endpoint was last let into battles by somebody else than its owner; None if nobody wrote it down.

    A pause of the owner's counts for nothing: it must not wipe out what was seen before.
    """
    return session.scalar(
        select(func.max(ChangeRow.created_at)).where(
            ChangeRow.endpoint_id == endpoint_id,
            ChangeRow.after == EndpointState.ACTIVE,
            or_(ChangeRow.before.is_(None), ChangeRow.before.not_in(_ITS_OWN)),
        )
    )


def errors(session: Session, endpoint_id: int, *, but: Collection[str], limit: int) -> Sequence[str | None]:
    """How the newest calls since then ended, newest first: an error's kind, or None for an answer.

    Left out are errors of the kinds `but`, answers that a voter stopped, and those that ended with the other side's.
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
    """What an endpoint's answers are compared with: the first fingerprint since it was let in."""
    query = select(FingerprintRow).where(FingerprintRow.endpoint_id == endpoint_id, FingerprintRow.p_value.is_(None))
    since = admitted_at(session, endpoint_id)
    return session.scalar(
        (query if since is None else query.where(FingerprintRow.created_at >= since))
        .order_by(FingerprintRow.id.desc())
        .limit(1)
    )
