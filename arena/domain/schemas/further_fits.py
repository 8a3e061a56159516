"""Further tables of a snapshot: refits beside the usual ratings, majorities, models of ties, and the grounded one."""

from __future__ import annotations

from typing import Literal

from arena.domain.schemas.base import Wire


class RefitView(Wire):
    """One competitor's Bradley-Terry rating by another fit, and its usual one (`plain`) on the same votes."""

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
    """The fit of all votes whose pair was drawn with a known probability, each weighted by its inverse."""

    votes: int
    rows: list[RefitView]


class MajoritiesView(Wire):
    """The majorities of the votes; ties of either kind count for neither model.

    `winner` has a majority over every other model (Condorcet), every other one has one over `loser`; most boards have
    both, but neither needs to exist. `decided` pairs have a majority, `even` ones met without one, `unmet` ones never
    met. Of the `triples` of models with three decided pairs, `cycles` beat each other in a circle.
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

    `ties` is the share of ties, `parameter` Davidson's nu or Rao and Kupper's theta and `error` the standard error of
    its logarithm; `even` and `apart` are the chances of a tie between equals and at 200 points. `loss` is minus the
    log-likelihood per vote: the smaller fits better.
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
    """The strength of one model in natural units with its standard error; below 0 it is wanted less than neither."""

    name: str
    strength: float
    error: float


class GroundedView(Wire):
    """The grounded model of ties: where "as good as nothing" lies, by the votes that both are bad.

    `bar` is the rating of a model that is wanted no more than neither answer; rows are the models of the largest group,
    the best first. `threshold` is the parameter of ties, and `loss` minus the log-likelihood per vote.
    """

    votes: int
    bar: float
    threshold: float
    loss: float
    rows: list[GroundedRowView]
