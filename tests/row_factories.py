"""Rows of endpoints, battles and votes; a test gives only the columns that matter to it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from arena.adapters.store.tables.conversations import BattleRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.terms import BattleState, EndpointState, Outcome

START: Final = datetime(2026, 1, 1, tzinfo=UTC)


def endpoint_row(name: str, **columns: Any) -> EndpointRow:
    """An active endpoint with a scripted provider; `columns` must name its owner."""
    defaults = {"dialect": "scripted", "url": "", "wire_model": name, "state": EndpointState.ACTIVE}
    return EndpointRow(name=name, **defaults | {"created_at": START} | columns)


def battle_row(battle_id: str, a: int, b: int, **columns: Any) -> BattleRow:
    """An English battle between the endpoints with ids `a` and `b`, already voted on."""
    defaults = {"voter_key": "v", "state": BattleState.VOTED, "probability": 1.0, "language": "en", "created_at": START}
    return BattleRow(id=battle_id, endpoint_a_id=a, endpoint_b_id=b, **defaults | columns)


def vote_row(vote_id: str, a: int, b: int, **columns: Any) -> VoteRow:
    """A counted vote for the endpoint with id `a` against the one with id `b`."""
    defaults = {"outcome": Outcome.A, "voter_key": "v", "created_at": START}
    return VoteRow(id=vote_id, endpoint_a_id=a, endpoint_b_id=b, **defaults | columns)
