"""Votes, and the reveal after them."""

from __future__ import annotations

from arena.domain.schemas.base import Wire
from arena.domain.terms import (
    Outcome,
    Side,
)


class VoteRequest(Wire):
    outcome: Outcome


class CompetitorView(Wire):
    """The public identity of an endpoint."""

    name: str
    owner: str
    licence: str | None = None
    link: str | None = None
    demo: bool = False


class RevealView(Wire):
    """The identities of both sides; exists only after the vote was committed.

    `promise` is a signed note: within ten minutes the transparency log will have the
    leaf with this hash.
    """

    outcome: Outcome
    a: CompetitorView
    b: CompetitorView
    counted: bool
    reason: str | None = None
    promise: str | None = None


class CrowdView(Wire):
    """Numbers of earlier counted votes on this pair, by the sides of this battle."""

    a: int = 0
    b: int = 0
    tie: int = 0
    both_bad: int = 0


class ThoughtView(Wire):
    """The reasoning of one turn by side; a side that sent none is left out."""

    number: int
    thoughts: dict[Side, str]


class ReasoningView(Wire):
    """The reasoning of a voted battle, where the operator shows it."""

    turns: list[ThoughtView]
