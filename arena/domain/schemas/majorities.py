"""Majorities between pairs of models."""

from __future__ import annotations

from arena.domain.schemas.base import Wire


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
