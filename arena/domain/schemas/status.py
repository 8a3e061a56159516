"""The state of the service."""

from __future__ import annotations

from datetime import date, datetime

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.terms import Part


class NeighbourhoodsView(Wire):
    """Activity of neighbourhoods of addresses (/24 or /48) on this day (UTC), for the operator.

    `share` is the share of the busiest one in the votes that could count; `alarm`: it has most of them.
    """

    day: date
    neighbourhoods: int
    battles: int
    votes: int
    most_votes: int
    share: float
    alarm: bool


class LogView(Wire):
    """State of the transparency log, for the operator.

    `size` leaves of the log named `origin` are signed, the last of them at `signed_at`. `waiting` is the age in seconds
    of the oldest promised vote that is not among them; `late`: it is too old. Nothing is signed while there are
    `unlogged` votes, rows without a leaf; `first_unlogged` has the numbers of a few.
    """

    origin: str | None
    size: int
    signed_at: datetime | None
    waiting: int
    late: bool
    unlogged: int
    first_unlogged: list[int]


class LoopView(Wire):
    """State of a loop of background work, for the operator.

    It has a pass every `period` seconds. `age` is the time in seconds since the last pass that succeeded, which took
    `seconds`; None if none has. The board is older while votes wait that it lacks: then it has the age of the oldest.
    `worked_at` is the end of the last one that found something to do. `failure` is why the passes since then failed,
    empty if none has; `late`: the last success is longer ago than it may be, which is ten periods for most loops.
    """

    name: str
    period: float
    seconds: float
    age: float | None
    worked_at: datetime | None
    failure: str
    late: bool


class StatusView(Wire):
    """State of the service for pages: whether prompts are accepted, and which terms apply."""

    endpoints: int
    votes: int
    accepting: bool
    closed: list[Part] = Field(default=[])
    """The parts that the operator has closed, until they are opened again."""
    terms: int = 0
    """The version of the terms to accept; 0 if there is none."""
    board: bool = True
    """Whether a leaderboard has been computed."""
    practice: bool = False
    """Whether the arena's own practice models answer, because fewer than two real ones are active."""
    mixed: bool = False
    """Whether a real model answers beside them."""
    vision: bool = False
    """Whether at least two models accept images."""
    vision_endpoints: int = 0
    """The number of models that accept images."""


class SustainedRateView(Wire):
    """The share of the models that sustain a rate of release."""

    rate: int
    share: float


class PaceView(Wire):
    """The clock of all battles on this day: units per second on each side, and times in seconds.

    A Han, kana or Hangul character counts two units, any other one. Text begins at `start` at the earliest; with a
    `segment` above 0 it is released in pieces of so many seconds, once both sides have them. `by_hand`: the operator
    has set the rate. `sustained` has this rate and the others to choose from; it is empty without measured speeds.
    `slow` has the models of the slower class of speed, which are paired with each other more often.
    """

    rate: int
    start: float
    segment: float
    by_hand: bool
    sustained: list[SustainedRateView]
    slow: list[str]
