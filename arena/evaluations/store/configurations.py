"""Queries about configurations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from arena.evaluations.store.tables.evaluations import ConfigurationRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session


def newest(session: Session, name: str) -> ConfigurationRow | None:
    """The newest version of a configuration."""
    query = select(ConfigurationRow).where(ConfigurationRow.name == name)
    return session.scalar(query.order_by(ConfigurationRow.version.desc()).limit(1))


def count(session: Session, endpoint_id: int) -> int:
    """How many versions all configurations of an endpoint have."""
    query = select(func.count()).select_from(ConfigurationRow).where(ConfigurationRow.endpoint_id == endpoint_id)
    return session.scalar(query) or 0


def every(session: Session) -> Sequence[ConfigurationRow]:
    """The newest version of each configuration, by name."""
    last = select(func.max(ConfigurationRow.id)).group_by(ConfigurationRow.name)
    return session.scalars(
        select(ConfigurationRow).where(ConfigurationRow.id.in_(last)).order_by(ConfigurationRow.name)
    ).all()
