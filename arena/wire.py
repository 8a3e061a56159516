"""What crosses HTTP: requests, views and events. Unknown fields are refused.

`BattleView` and `BattleEvent` have no field for an endpoint, provider, vendor id, usage or timing; the names of a
battle exist only in `Reveal`, which is built from a stored vote and from nothing else.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from arena.terms import BattleState, EndpointState, Outcome, Side, TurnState


class Wire(BaseModel):
    """A frozen message that knows all its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# Requests


class PromptRequest(Wire):
    prompt: str


class VoteRequest(Wire):
    outcome: Outcome


# Battles


class TurnView(Wire):
    """One prompt and what has been shown of its two answers so far."""

    number: int
    prompt: str
    state: TurnState
    generation: int = 0
    answers: dict[Side, str] = {}


class BattleView(Wire):
    """All that a voter may know before the vote."""

    id: str
    state: BattleState
    turns: list[TurnView]
    outcome: Outcome | None = None


class Delta(Wire):
    """The next piece of one side's answer."""

    side: Side
    text: str


class SideDone(Wire):
    side: Side


class TurnReady(Wire):
    number: int


class TurnFailed(Wire):
    code: str
    title: str


class Closing(Wire):
    """The server is going away; come back after `retry_ms` milliseconds."""

    retry_ms: int


BattleEvent = Delta | SideDone | TurnReady | TurnFailed | Closing
"""What a stream carries; the SSE event name is the class name in snake case."""


# Reveal


class Competitor(Wire):
    """The public face of an endpoint."""

    name: str
    owner: str
    licence: str | None = None
    link: str | None = None
    demo: bool = False


class Reveal(Wire):
    """Who was who; exists only after the vote was committed."""

    outcome: Outcome
    a: Competitor
    b: Competitor
    counted: bool
    reason: str | None = None


# Models and leaderboard


class ModelView(Competitor):
    """Public facts about one endpoint."""

    description_en: str | None = None
    description_zh: str | None = None
    state: EndpointState
    joined_at: datetime


class SnapshotView(Wire):
    """How and from what a leaderboard was computed."""

    id: int
    method: str
    parameters: dict[str, Any]
    seed: int
    code_version: str
    last_vote: int
    last_exclusion: int
    votes: int
    digest: str
    created_at: datetime


class LeaderboardRow(Wire):
    """One competitor's line.

    Ratings are in Elo points; `elo_error` is the standard error of the mean over orders,
    `order_spread` the standard deviation over orders; `bt_low` and `bt_high` bound a 95 % interval.
    """

    name: str
    owner: str
    licence: str | None = None
    link: str | None = None
    demo: bool = False
    rank: int
    rank_low: int
    rank_high: int
    elo: float
    elo_error: float
    order_spread: float
    bt: float | None
    bt_low: float | None
    bt_high: float | None
    component: int = 0
    points: float
    points_per_battle: float
    win_rate: float
    carena_rate: float
    battles: int
    wins: int
    draws: int
    losses: int
    both_bad: int


class PairRow(Wire):
    """The record of two competitors against each other; `fraction` is a's share of the decided battles."""

    a: str
    b: str
    battles: int
    a_wins: int
    b_wins: int
    ties: int
    both_bad: int
    fraction: float | None


class Standings(Wire):
    """The numbers of one leaderboard; what a snapshot stores and its digest covers."""

    rows: list[LeaderboardRow]
    pairs: list[PairRow]


class LeaderboardView(Standings):
    """The newest snapshot as the public sees it."""

    snapshot: SnapshotView


class Snapshot(Wire):
    """Tells open pages that a newer leaderboard exists."""

    id: int


class StatusView(Wire):
    """What a page needs to know before anything is asked."""

    endpoints: int
    votes: int
    accepting: bool


class Problem(Wire):
    """An error as RFC 9457 problem details."""

    type: Literal["about:blank"] = "about:blank"
    title: str
    status: int
    code: str
    detail: str | None = None
    retry_after: int | None = None
    reveal: Reveal | None = None
