"""Votes, and the reveal after them."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field, StrictInt

from arena.domain.schemas.base import Wire
from arena.domain.terms import (
    Criterion,
    Outcome,
    Reason,
    Side,
)

SEEN_LIMIT: Final = 4_000
"""Most characters of a page's shown text."""


class ShownAnswers(Wire):
    """The number of the turn and of the generation whose answers somebody judges; another one is refused if given."""

    turn: Annotated[StrictInt, Field(ge=1)] | None = None
    generation: Annotated[StrictInt, Field(ge=0)] | None = None

    def are(self, turn: int, generation: int) -> bool:
        """Whether these are the answers of this turn and generation, as far as that was given."""
        return self.turn in {None, turn} and self.generation in {None, generation}


ANY_ANSWERS: Final = ShownAnswers()
"""The newest answers, whichever they are."""


class VoteRequest(ShownAnswers):
    """A vote; `seen` has the text that each web page showed, which is searched for names and not stored."""

    outcome: Outcome
    seen: dict[Side, Annotated[str, Field(max_length=SEEN_LIMIT)]] = Field(default_factory=dict[Side, str])


class CompetitorView(Wire):
    """The public identity of an endpoint."""

    name: str
    owner: str
    licence: str | None = None
    link: str | None = None
    demo: bool = False


class RevealView(Wire):
    """The identities of both sides; exists only after the vote was committed.

    `excluded` is the reason for which the operator has excluded the vote since; `published`: the newest leaderboard is
    younger than the vote. `promise` is a signed note that the transparency log will have the leaf with this hash within
    ten minutes. `shared`, for the voter alone who reads it again: the battle has a link.
    """

    outcome: Outcome
    a: CompetitorView
    b: CompetitorView
    counted: bool
    reason: str | None = None
    excluded: str | None = None
    published: bool = False
    promise: str | None = None
    shared: bool = False


class CrowdView(Wire):
    """Numbers of other people by their last earlier vote on this pair, by the sides of this battle."""

    a: int = 0
    b: int = 0
    tie: int = 0
    both_bad: int = 0


class ThoughtView(Wire):
    """The reasoning of one turn by side, without sides that sent none."""

    number: int
    thoughts: dict[Side, str]


class ReasoningView(Wire):
    """The reasoning of a voted battle, if the operator publishes it."""

    turns: list[ThoughtView]


class RemarkView(Wire):
    """A voter's remarks on one answer."""

    reasons: list[Reason] = Field(default=[])
    stars: dict[Criterion, Annotated[StrictInt, Field(ge=1, le=3)]] = Field(default={})


class RemarksView(Wire):
    """Remarks on one or both sides, as sent and as stored."""

    a: RemarkView | None = None
    b: RemarkView | None = None
