"""The vote gate: its effects and audit files, and objections to it."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from arena.domain.schemas.base import Wire

TEXT_LIMIT = 2_000
"""Longest objection or answer in characters."""


class GatedRatingView(Wire):
    """One model's rating and interval with the gate, its rating without, and the number of votes with less weight."""

    name: str
    bt: float | None
    bt_low: float | None
    bt_high: float | None
    bt_without: float | None
    votes: int


class AuditWeekView(Wire):
    """A closed week: the last vote and decision of the run that closed it, and when its audit file is published."""

    week: str
    published: date
    last_vote: int
    last_decision: int


class IntegrityView(Wire):
    """The state of the vote gate; before its first run there is no `method`.

    `reasons` counts votes with less weight among all judged `votes`, `this_week` those among the `week_votes` of the
    last vote's week. Below 20 `networks` or 1,000 votes of `established` voters boards are `preliminary`. `undecided`
    models are contested: some votes push them, and the gate cannot know which side is honest, so that all count; their
    `bounds` are the points by which that may move them.
    """

    method: str | None = None
    last_vote: int = 0
    last_decision: int = 0
    judged_at: datetime | None = None
    awake: bool = False
    preliminary: list[str] = Field(default=[])
    undecided: list[str] = Field(default=[])
    bounds: dict[str, float] = Field(default={})
    networks: int = 0
    established: int = 0
    reasons: dict[str, int] = Field(default={})
    this_week: dict[str, int] = Field(default={})
    votes: int = 0
    week_votes: int = 0
    rows: list[GatedRatingView] = Field(default=[])
    weeks: list[AuditWeekView] = Field(default=[])


class DecisionView(Wire):
    """A decision as the operator sees it; `finding` has division, model and z, `first_votes` some of its `votes`."""

    number: int
    weight: float
    reason: str
    method: str
    by: str
    votes: int
    first_votes: list[int]
    finding: dict[str, object] | None
    created_at: datetime


class VoterAdviceView(Wire):
    """The tests of one voter: p-values of the sequence of their votes and of the longest run for one side."""

    first: int
    votes: int
    improbable: float
    one_sided: float


class VotersView(Wire):
    """Voters for the operator to look at, among those `tested`; some are honest, so the tests have no consequence."""

    tested: int = 0
    rows: list[VoterAdviceView] = Field(default=[])


class TextRequest(Wire):
    """The text of an objection or of its answer."""

    text: Annotated[str, Field(min_length=1, max_length=TEXT_LIMIT)]


class ObjectionView(Wire):
    """An owner's objection, and the operator's answer if there is one."""

    number: int
    endpoint: str
    text: str
    created_at: datetime
    answer: str | None = None
    answered_at: datetime | None = None


class GateEffectView(Wire):
    """The effect of the gate on one endpoint; `notable` if its rating moves by more than half of its interval."""

    row: GatedRatingView | None = None
    notable: bool = False
    objections: list[ObjectionView] = Field(default=[])
