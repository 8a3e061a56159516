"""Queries about operators with their own keys, and about the acts of all operators."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from arena.adapters.store import log_leaves
from arena.adapters.store.tables.people import ActRow, OperatorRow
from arena_trust.tlog.leaves import NONCE, LeafKind, act_leaf

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.domain.api_keys import KeyDigest
    from arena.domain.operators import Act, Operator


def add(session: Session, name: str, role: str, key: KeyDigest, now: datetime) -> None:
    """Store a new operator."""
    row = OperatorRow(name=name, role=role, key_id=key.id, key_digest=key.digest, created_at=now, withdrawn_at=None)
    session.add(row)
    session.flush()


def by_key_id(session: Session, key_id: str) -> OperatorRow | None:
    """The operator whose key has this id."""
    return session.scalar(select(OperatorRow).where(OperatorRow.key_id == key_id))


def list_all(session: Session) -> Sequence[OperatorRow]:
    """All operators by name, including those whose key is withdrawn."""
    return session.scalars(select(OperatorRow).order_by(OperatorRow.name)).all()


def withdraw(session: Session, name: str, now: datetime) -> bool:
    """Delete the key of an operator; False if there is no such operator with a key."""
    query = update(OperatorRow).where(OperatorRow.name == name, OperatorRow.key_id.is_not(None))
    statement = query.values(key_id=None, key_digest=None, withdrawn_at=now).returning(OperatorRow.id)
    return session.execute(statement).first() is not None


def add_act(session: Session, operator: Operator, act: Act, now: datetime) -> None:
    """Append an act, and its leaf in the transparency log, which has only a digest of it."""
    row = ActRow(
        created_at=now,
        who=operator.name,
        via=operator.via,
        role=operator.role.value,
        kind=act.kind.value,
        target=act.target,
        why=act.why,
        nonce=secrets.token_bytes(NONCE),
    )
    session.add(row)
    session.flush()
    log_leaves.add(session, LeafKind.ACT, **act_leaf(row.number, now, facts(row), row.nonce))


def facts(row: ActRow) -> tuple[str, ...]:
    """The texts of an act in the order of its digest."""
    return row.who, row.via, row.role, row.kind, row.target, row.why


def acts(session: Session, limit: int | None = None, before: int | None = None) -> Sequence[ActRow]:
    """The newest acts, or the newest ones numbered below `before`, newest first."""
    query = select(ActRow).order_by(ActRow.number.desc()).limit(limit)
    return session.scalars(query if before is None else query.where(ActRow.number < before)).all()
