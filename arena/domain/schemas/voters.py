"""A voter's own history and personal leaderboard."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.terms import (
    BattleState,
    BotVerdict,
    NotCounted,
    Outcome,
)


class MyBattleView(Wire):
    """One row of a voter's own history; names and outcome are present after the vote.

    `reason` says why its vote is not counted, `excluded` why the operator has excluded it. `shared` is the token of its
    link; `listed`: it is on the page of the two models.
    """

    id: str
    state: BattleState
    prompt: str
    turns: int
    created_at: datetime
    outcome: Outcome | None = None
    a: str | None = None
    b: str | None = None
    counted: bool | None = None
    reason: NotCounted | None = None
    excluded: str | None = None
    shared: str | None = None
    listed: bool = False


class MyBattlesView(Wire):
    """A page of history, newest first; `next` is the `before` of the next page."""

    battles: list[MyBattleView]
    next: str | None = None


class MyChatView(Wire):
    """One row of a voter's own chats."""

    id: str
    state: BattleState
    prompt: str
    turns: int
    created_at: datetime
    models: list[str]


class MyChatsView(Wire):
    """A voter's own chats, newest first."""

    chats: list[MyChatView]


class MyModelView(Wire):
    """One model's results in the voter's own counted votes; a tie of either kind is half a point."""

    name: str
    battles: int
    wins: int
    ties: int
    losses: int
    both_bad: int
    points: float


class MyBoardView(Wire):
    """A voter's personal board; empty until there are `needed` counted votes."""

    votes: int
    needed: int
    rows: list[MyModelView]


PAYLOAD_LIMIT = 4_000
"""Longest payload in characters."""


class BotCheckView(Wire):
    """The verdict of today (UTC) and, unless the check is passed or off, a challenge in ALTCHA's format."""

    mode: Literal["off", "observe", "require"]
    verdict: BotVerdict
    challenge: dict[str, object] | None = None


class BotCheckRequest(Wire):
    """The answer to a challenge: base64 of the challenge and its solution as JSON, as ALTCHA's libraries make it."""

    payload: Annotated[str, Field(min_length=1, max_length=PAYLOAD_LIMIT)]
