"""Endpoints as the public sees them."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.schemas.leaderboard import LeaderboardRowView
from arena.domain.schemas.votes import CompetitorView
from arena.domain.terms import (
    EndpointState,
)


class AnswerSpreadView(Wire):
    """A figure of answers: its median, and `p90`, which nine of ten answers reach or better."""

    answers: int
    median: float
    p90: float


class VoidShareView(Wire):
    """The share of a model's rounds that ended without a result because it failed."""

    rounds: int
    share: float


class WeekView(Wire):
    """Speed and failures of a model in the seven days up to `as_of`, renewed once a day; null under 50 answers.

    `first_token` is in seconds from the call to the first text, `speed` in characters a second after it, both in
    battles with a vote or without a result and in chats. `void` is of these battles.
    """

    as_of: datetime
    first_token: AnswerSpreadView | None = None
    speed: AnswerSpreadView | None = None
    void: VoidShareView | None = None


class ModelView(CompetitorView):
    """Public facts about one endpoint by its owner; empty `languages` means any, `vision` that it accepts images.

    Prices are US dollars and `energy` kilowatt-hours, each per million tokens. `variants` counts the models and
    versions that its owner has had in battles, unlisted ones included; null for imported and practice models.
    """

    open_weights: bool | None = None
    billions: float | None = None
    context_tokens: int | None = None
    price_in: float | None = None
    price_out: float | None = None
    energy: float | None = None
    languages: list[str] = Field(default=[])
    vision: bool = False
    description_en: str | None = None
    description_zh: str | None = None
    state: EndpointState
    joined_at: datetime
    variants: int | None = None
    week: WeekView | None = None


class PlacementView(Wire):
    """One competitor's row on one board; `count` is the number of models ranked together with it, itself included."""

    category: str = ""
    language: str = ""
    row: LeaderboardRowView
    count: int


class MeetingView(Wire):
    """A competitor's head-to-head record against one opponent."""

    opponent: str
    battles: int
    wins: int
    losses: int
    ties: int
    both_bad: int


class VersionView(Wire):
    """One version of a model, which is a competitor of its own."""

    name: str
    version: int
    state: EndpointState
    joined_at: datetime


class ModelResultsView(ModelView):
    """Public facts about one endpoint and its results; `failed` of its last `answered` calls failed.

    `versions` has all public ones of the model, newest first, `same_as` the models that serve the same weights, as both
    owners or an operator confirm. The counts of calls are as of `as_of` and updated in steps, so that they reveal no
    battle without a vote.
    """

    versions: list[VersionView]
    standings: list[PlacementView]
    meetings: list[MeetingView]
    answered: int
    failed: int
    as_of: datetime | None = None
    same_as: list[str] = Field(default=[])
