"""Answered battles without a vote, inserted in bulk."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import insert

from arena.adapters.store.tables import BattleRow, ReplyRow, TurnRow
from arena.domain.terms import BattleState, Finish, Side, TurnState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

PIECE: Final = 2_000
PROMPT: Final = "Explain in a few words why the sky is blue, and what would be another colour on Mars."
ANSWER: Final = (
    "## Short answer\n\nAir scatters **blue** light more strongly than red light.\n\n"
    "- Short waves are scattered most (Rayleigh).\n- Our eyes see less violet than blue.\n\n"
) + "On the way through the air the light is turned aside again and again before it reaches the eye. " * 8
"""About a thousand characters, with headings, lists and bold text, which style control counts."""


async def add(database: Database, voters: Sequence[str], models: Sequence[int], now: datetime) -> list[str]:
    """Insert one battle for each of these voter keys between two of the endpoints `models`; returns their ids."""
    for start in range(0, len(voters), PIECE):
        await database.write(_add, start, voters[start : start + PIECE], models, now)
    return [id_of(number) for number in range(len(voters))]


def id_of(number: int) -> str:
    """Return the id of the battle with this number."""
    return f"{number:032d}"


def _add(session: Session, start: int, voters: Sequence[str], models: Sequence[int], now: datetime) -> None:
    keys = {id_of(number): key for number, key in enumerate(voters, start)}
    pairs = {id_of(number): _pair(number, models) for number in range(start, start + len(voters))}
    session.execute(insert(BattleRow), [_battle(battle, key, pairs[battle], now) for battle, key in keys.items()])
    turns = session.execute(
        insert(TurnRow).returning(TurnRow.id, TurnRow.battle_id), [_turn(battle, now) for battle in keys]
    ).all()
    session.execute(
        insert(ReplyRow),
        [
            _reply(turn, side, endpoint)
            for turn, battle in turns
            for side, endpoint in zip(Side, pairs[battle], strict=True)
        ],
    )


def _pair(number: int, models: Sequence[int]) -> tuple[int, int]:
    first, apart = number % len(models), number // len(models) % (len(models) - 1) + 1
    return models[first], models[(first + apart) % len(models)]


def _battle(battle_id: str, key: str, pair: tuple[int, int], now: datetime) -> dict[str, object]:
    return {
        "id": battle_id,
        "voter_key": key,
        "endpoint_a_id": pair[0],
        "endpoint_b_id": pair[1],
        "probability": 1.0,
        "state": BattleState.OPEN,
        "language": "en",
        "created_at": now,
    }


def _turn(battle_id: str, now: datetime) -> dict[str, object]:
    return {
        "battle_id": battle_id,
        "number": 1,
        "prompt": PROMPT,
        "state": TurnState.READY,
        "started_at": now,
        "deadline_at": now + timedelta(seconds=20),
        "ended_at": now,
    }


def _reply(turn: int, side: Side, endpoint: int) -> dict[str, object]:
    return {
        "turn_id": turn,
        "endpoint_id": endpoint,
        "generation": 0,
        "side": side,
        "text": ANSWER,
        "finish": Finish.STOP,
        "total_ms": 1,
    }
