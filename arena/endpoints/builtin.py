"""The endpoints that nobody has to register, kept in step with what the operator wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from arena.store import endpoints
from arena.store.locks import one_at_a_time
from arena.store.tables import EndpointRow
from arena.terms import EndpointState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.providers.builtin import BuiltinEndpoint
    from arena.store.engine import Database

Demo = Literal["auto", "on", "off"]


async def settle_builtin(database: Database, builtin: Sequence[BuiltinEndpoint], mode: Demo, now: datetime) -> int:
    """Make the built-in endpoints active or retired as `mode` says; returns how many are active.

    `auto` has them until two real endpoints can meet, `on` always, `off` never.
    """
    return await database.write(_settle, builtin, mode, now)


def _settle(session: Session, builtin: Sequence[BuiltinEndpoint], mode: Demo, now: datetime) -> int:
    one_at_a_time(session, "settle")
    endpoints.retire_demo(session)
    if mode == "off" or (mode == "auto" and endpoints.has_pair(session)):
        return 0
    for each in builtin:
        _upsert(session, each, now)
    session.flush()
    return len(builtin)


def give_way(session: Session, mode: Demo) -> int:
    """After a real endpoint has joined: retire the built-in ones if their time is over; returns how many retired."""
    return endpoints.retire_demo(session) if mode == "auto" and endpoints.has_pair(session) else 0


def _upsert(session: Session, each: BuiltinEndpoint, now: datetime) -> None:
    row = endpoints.by_name(session, each.name)
    if row is None:
        row = EndpointRow(name=each.name, demo=True, weight=1.0, aliases=[], created_at=now)
        row.owner = endpoints.owner(session, each.owner, now)
        session.add(row)
    elif not row.demo or row.state in {EndpointState.PAUSED, EndpointState.SUSPENDED}:
        return
    row.state = EndpointState.ACTIVE
    row.dialect, row.url, row.wire_model = each.dialect, "", each.wire_model
    row.system_prompt, row.temperature, row.max_tokens = each.system_prompt, each.temperature, each.max_tokens
    row.licence, row.link = each.licence, each.link
    row.description_en, row.description_zh = each.description_en, each.description_zh
