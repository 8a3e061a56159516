"""A vote as it is handed in, as it is judged, and as a row of the log."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.terms import TurnState

if TYPE_CHECKING:
    from datetime import datetime

    from arena.categories import Category
    from arena.store.casting import Standing
    from arena.terms import NotCounted, Outcome, Voter
    from arena.wire import Reveal


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote as it is handed in.

    `key` is the caller's Idempotency-Key: the same key with the same outcome gives the same answer again.
    """

    voter: Voter
    battle_id: str
    outcome: Outcome
    key: str | None
    now: datetime


@dataclass(frozen=True, slots=True)
class Judged:
    """What a vote on exactly these answers is about, and why it would not count.

    `answers` names the turn and how often it was asked; `style` measures the first answers and then the second ones.
    """

    answers: tuple[int, int]
    not_counted: NotCounted | None
    category: Category | None
    style: list[int]


@dataclass(frozen=True, slots=True)
class Done:
    """The reveal, whether this ballot may call the vote its own, and whether it was only now stored."""

    reveal: Reveal
    own: bool
    new: bool


def answers(number: int, generation: int, state: TurnState) -> tuple[int, int]:
    """Which answers a vote is about: a follow-up or another try makes them others, and so does their being unready."""
    return (number, generation if state is TurnState.READY else -1)


def new_ids(count: int) -> list[str]:
    """As many ids of votes, of 128 random bits each, in one question to the system."""
    drawn = secrets.token_bytes(16 * count)
    return [urlsafe_b64encode(drawn[start : start + 16]).rstrip(b"=").decode() for start in range(0, len(drawn), 16)]


def row(ballot: Ballot, judged: Judged, vote_id: str, battle: Standing) -> dict[str, Any]:
    """The line of the log."""
    waited = (ballot.now - battle.ready_at).total_seconds() if battle.ready_at else None
    return {
        "id": vote_id,
        "battle_id": ballot.battle_id,
        "outcome": ballot.outcome,
        "voter_key": ballot.voter.key,
        "idempotency_key": ballot.key,
        "endpoint_a_id": battle.sides[0],
        "endpoint_b_id": battle.sides[1],
        "language": battle.language,
        "category": judged.category,
        "style": judged.style,
        "turns": battle.turns,
        "seconds": None if waited is None else max(0.0, waited),
        "not_counted": judged.not_counted,
        "created_at": ballot.now,
    }
