"""Queries about the signed checkpoints of the transparency log; rows are added and read, never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from arena.adapters.store import log_leaves
from arena.adapters.store.tables import CheckpointRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session


def newest(session: Session, origin: str) -> CheckpointRow | None:
    """The largest checkpoint of a log."""
    query = select(CheckpointRow).where(CheckpointRow.origin == origin)
    return session.scalar(query.order_by(CheckpointRow.size.desc()).limit(1))


def of_size(session: Session, origin: str, size: int) -> CheckpointRow | None:
    """The checkpoint of a log at one size."""
    return session.scalar(select(CheckpointRow).where(CheckpointRow.origin == origin, CheckpointRow.size == size))


def with_leaf(session: Session, origin: str, leaf: int) -> CheckpointRow | None:
    """The smallest checkpoint that has the leaf of this number."""
    query = select(CheckpointRow).where(CheckpointRow.origin == origin, CheckpointRow.last_leaf >= leaf)
    return session.scalar(query.order_by(CheckpointRow.size).limit(1))


def index(session: Session, origin: str, leaf: int) -> int:
    """The place in the log of the leaf of this number, counted from the last checkpoint without it."""
    before = below_leaf(session, origin, leaf)
    # The first place has the leaf that names the log.
    start, size = (before.last_leaf, before.size - 1) if before else (0, 0)
    return size + log_leaves.between(session, start, leaf)


def sizes(session: Session, origin: str) -> Sequence[int]:
    """All sizes at which a log was signed, in order."""
    query = select(CheckpointRow.size).where(CheckpointRow.origin == origin)
    return session.scalars(query.order_by(CheckpointRow.size)).all()


def below_leaf(session: Session, origin: str, leaf: int) -> CheckpointRow | None:
    """The largest checkpoint that does not have the leaf of this number yet."""
    query = select(CheckpointRow).where(CheckpointRow.origin == origin, CheckpointRow.last_leaf < leaf)
    return session.scalar(query.order_by(CheckpointRow.size.desc()).limit(1))
