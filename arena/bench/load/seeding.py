"""Finished battles for votes over HTTP: each is held by a voter whom the arena has met, so that the cookie is real."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from typing import TYPE_CHECKING, Final

from sqlalchemy import insert, select

from arena.bench.load.casting import ANSWER, PROMPT
from arena.store.engine import open_database
from arena.store.tables import BattleRow, EndpointRow, OwnerRow, ReplyRow, TurnRow
from arena.terms import BattleState, EndpointState, Finish, Side, TurnState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.orm import Session

MODELS: Final = 50
"""Of the board, beside those that talk; nobody draws them."""
PIECE: Final = 2_000


async def seed(url: str, cookies: Mapping[str, str], count: int) -> dict[str, str]:
    """Add `count` finished battles of the voters of `cookies` (battle → cookie); returns the same for the new ones."""
    database = open_database(url)
    try:
        keys = await database.read(_keys, list(cookies))
        models = await database.write(_models)
        voters = list(islice(cycle((keys[battle], cookie) for battle, cookie in cookies.items()), count))
        for start in range(0, count, PIECE):
            await database.write(_battles, start, [key for key, _ in voters[start : start + PIECE]], models)
        return {_id(number): cookie for number, (_, cookie) in enumerate(voters)}
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


def _battles(session: Session, start: int, keys: list[str], models: list[int]) -> None:
    now = datetime.now(UTC)
    numbered = list(enumerate(keys, start))
    session.execute(insert(BattleRow), [_battle(number, key, models, now) for number, key in numbered])
    turns = session.execute(
        insert(TurnRow).returning(TurnRow.id, TurnRow.battle_id), [_turn(number, now) for number, _ in numbered]
    ).all()
    pairs = {_id(number): _pair(number, models) for number, _ in numbered}
    session.execute(
        insert(ReplyRow),
        [
            {
                "turn_id": turn,
                "endpoint_id": endpoint,
                "generation": 0,
                "side": side,
                "text": ANSWER,
                "finish": Finish.STOP,
                "total_ms": 1,
            }
            for turn, battle in turns
            for side, endpoint in zip(Side, pairs[battle], strict=True)
        ],
    )


def _battle(number: int, key: str, models: list[int], now: datetime) -> dict[str, object]:
    first, second = _pair(number, models)
    return {
        "id": _id(number),
        "voter_key": key,
        "endpoint_a_id": first,
        "endpoint_b_id": second,
        "probability": 1.0,
        "state": BattleState.OPEN,
        "language": "en",
        "created_at": now,
    }


def _turn(number: int, now: datetime) -> dict[str, object]:
    return {
        "battle_id": _id(number),
        "number": 1,
        "prompt": PROMPT,
        "state": TurnState.READY,
        "started_at": now,
        "deadline_at": now + timedelta(seconds=20),
        "ended_at": now,
    }


def _pair(number: int, models: list[int]) -> tuple[int, int]:
    first, apart = number % len(models), number // len(models) % (len(models) - 1) + 1
    return models[first], models[(first + apart) % len(models)]


def _id(number: int) -> str:
    return f"bench-{number:016d}"
