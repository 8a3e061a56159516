"""Further tables of a snapshot: refits, majorities, models of ties, and the grounded model."""

from __future__ import annotations

from typing import Literal

from arena.domain.schemas.base import Wire


class RefitView(Wire):
    """One competitor's Bradley-Terry rating by another fit, and by the standard fit (`plain`) of the same votes."""

    name: str
    component: int
    rank: int
    rank_low: int
    rank_high: int
    bt: float
    bt_low: float | None
    bt_high: float | None
    plain: float
    plain_rank: int


class RefitTableView(Wire):
    """The fit of all votes on pairs with a recorded probability, weighted by its inverse.

    It describes the votes beside the board and takes them as independent, so its intervals, and the best and worst
    ranks by them, hold at one look; no sentence is made from them.
    """

    votes: int
    rows: list[RefitView]


class MajoritiesView(Wire):
    """The majorities of the votes; ties of either kind count for neither model.

    `winner` has a majority over every other model (Condorcet), and every other model over `loser`; either may not
    exist. `decided` pairs have a majority, `even` ones have met without one, `unmet` ones have not met. Of the
    `triples` of models with three decided pairs, `cycles` are intransitive.
    """

    votes: int
    winner: str | None
    loser: str | None
    decided: int
    even: int
    unmet: int
    triples: int
    cycles: int


class TieModelView(Wire):
    """One model of ties; with `both_bad`, votes that both are bad count as ties, else they are left out.

    `ties` is the share of ties, `parameter` Davidson's nu or Rao and Kupper's theta, and `error` the standard error of
    its logarithm; `even` and `apart` are the probabilities of a tie at a difference of 0 and of 200 points. `loss` is
    minus the log-likelihood per vote.
    """

    model: Literal["davidson", "rao_kupper"]
    both_bad: bool
    votes: int
    ties: float
    parameter: float
    error: float
    even: float
    apart: float
    loss: float


class TieModelsView(Wire):
    """All models of ties."""

    votes: int
    rows: list[TieModelView]


class GroundedRowView(Wire):
    """The strength of one model in log-odds with its standard error; below 0, neither answer is preferred to it."""

    name: str
    strength: float
    error: float


class GroundedView(Wire):
    """The grounded model of ties, whose zero follows from the votes that both are bad.

    `bar` is that zero as a rating; rows are the models of the largest component, the best first. `threshold` is the
    parameter of ties, and `loss` minus the log-likelihood per vote.
    """

    votes: int
    bar: float
    threshold: float
    loss: float
    rows: list[GroundedRowView]
