"""Models of ties, fitted to the votes of a snapshot."""

from __future__ import annotations

from typing import Literal

from arena.domain.schemas.base import Wire


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
