"""The built-in endpoints, activated and retired by the operator's setting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from arena.adapters.store import endpoints, owners
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.engine.transactions import write_transaction
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.terms import EndpointState
from arena.usecases.endpoints.states import ARENA, Action, Step, because, move

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena_providers.base import BuiltinEndpoint

Demo = Literal["auto", "on", "off"]


@write_transaction
def settle_builtin(session: Session, builtin: Sequence[BuiltinEndpoint], mode: Demo, now: datetime) -> int:
    """Activate or retire the built-in endpoints by `mode`; returns the number of those that should be active.

    `auto` puts them on standby: they are drawn while fewer than two real endpoints can be. With `on` they are always
    drawn, with `off` never.
    """
    one_at_a_time(session, "settle")
    models = () if mode == "off" else builtin
    _retire(session, {endpoint.name for endpoint in models}, now)
    for entry in models:
        _upsert(session, entry, now, standby=mode == "auto")
    return len(models)


def _retire(session: Session, names: AbstractSet[str], now: datetime) -> None:
    for row in endpoints.active(session):
        if row.demo and row.name not in names:
            move(session, row, Action.RETIRE, _step(now))


def _step(now: datetime) -> Step:
    return Step(ARENA, because("builtin"), now)


def _upsert(session: Session, model: BuiltinEndpoint, now: datetime, *, standby: bool) -> None:
    row = endpoints.by_name(session, model.name)
    if row is None:
        row = EndpointRow(name=model.name, demo=True, weight=1.0, aliases=[], created_at=now)
        row.owner = owners.find_or_add(session, model.owner, now)
    elif not row.demo:
        return
    row.standby = standby
    if row.state in {EndpointState.PAUSED, EndpointState.SUSPENDED}:
        return
    row.dialect, row.url, row.wire_model = model.dialect, "", model.wire_model
    row.system_prompt, row.temperature, row.max_tokens = model.system_prompt, model.temperature, model.max_tokens
    row.languages = list(model.languages)
    row.licence, row.link = model.licence, model.link
    row.description_en, row.description_zh = model.description_en, model.description_zh
    session.add(row)
    if row.state is not EndpointState.ACTIVE:
        move(session, row, Action.RESUME if row.id else Action.REGISTER, _step(now))
