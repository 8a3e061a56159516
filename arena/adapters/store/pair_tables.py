"""Queries about the published pair table; only the newest is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, select

from arena.adapters.store.tables import PairTableRow

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.domain.terms import PairingRule


class Stamp(NamedTuple):
    """The snapshot that a table belongs to, its rule, and when it was computed."""

    snapshot: int
    rule: PairingRule
    made_at: datetime

    @classmethod
    def of(cls, row: PairTableRow) -> Stamp:
        """The stamp of this table."""
        return cls(row.snapshot_id, row.rule, row.made_at)


def stamp(session: Session) -> Stamp | None:
    """The stamp of the published table."""
    columns = PairTableRow.snapshot_id, PairTableRow.rule, PairTableRow.made_at
    found = session.execute(select(*columns).order_by(PairTableRow.snapshot_id.desc()).limit(1)).first()
    return Stamp(*found) if found else None


def newest(session: Session) -> PairTableRow | None:
    """The published table."""
    return session.scalar(select(PairTableRow).order_by(PairTableRow.snapshot_id.desc()).limit(1))


def replace(session: Session, row: PairTableRow | None) -> None:
    """Publish this table instead of the one before; with None there is none."""
    session.execute(delete(PairTableRow))
    if row is not None:
        session.add(row)
