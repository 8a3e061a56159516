"""Answered battles for votes over HTTP, of voters who already hold a valid cookie."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import cycle, islice
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from arena.adapters.store.engine import open_database
from arena.adapters.store.tables import BattleRow, EndpointRow, OwnerRow
from arena.domain.terms import EndpointState
from benchmarks.load import ready

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.orm import Session

MODELS: Final = 50
"""Imported models, which fill the board and are never drawn."""


async def seed(url: str, cookies: Mapping[str, str], count: int) -> dict[str, str]:
    """Insert `count` answered battles of the voters of `cookies` (battle → cookie); returns the same for them."""
    database = open_database(url)
    try:
        keys = await database.read(_keys, list(cookies))
        models = await database.write(_models)
        voters = list(islice(cycle((keys[battle], cookie) for battle, cookie in cookies.items()), count))
        ids = await ready.add(database, [key for key, _ in voters], models, datetime.now(UTC))
        return {battle: cookie for battle, (_, cookie) in zip(ids, voters, strict=True)}
    finally:
        database.close()


def _keys(session: Session, battles: list[str]) -> dict[str, str]:
    rows = session.execute(select(BattleRow.id, BattleRow.voter_key).where(BattleRow.id.in_(battles))).all()
    return {row.id: row.voter_key for row in rows}


def _models(session: Session) -> list[int]:
    owner, now = OwnerRow(name="load", created_at=datetime.now(UTC)), datetime.now(UTC)
    rows = [
        EndpointRow(
            name=f"model-{number}-7b",
            owner=owner,
            dialect="",
            url="",
            wire_model="",
            state=EndpointState.IMPORTED,
            created_at=now,
        )
        for number in range(MODELS)
    ]
    session.add_all(rows)
    session.flush()
    return [row.id for row in rows]
