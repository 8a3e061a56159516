"""Reasons why a board is preliminary: its order may still change much."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.divisions import YOUNG

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_NETWORKS: Final = 20
"""Neighbourhoods below which the gate has no reference."""
LEAST_ESTABLISHED: Final = 1_000
"""Votes of established voters below which the gate has no reference."""


class Preliminary(StrEnum):
    """Reason why a board is preliminary."""

    YOUNG = "young"  # votes come from several neighbourhoods, but too few
    ONE_NETWORK = "one_network"  # all votes come from one neighbourhood, as on loopback
    CLOSED = "closed"  # the operator calls the arena closed: a class, a company
    CONTESTED = "contested"  # so many votes push a model that the honest side is unknown
    NARROW_POOL = "narrow_pool"  # few models see images, or know the language, so that voters can guess the pair


def awake(networks: int, age: NDArray[np.float64]) -> bool:
    """Whether there are enough neighbourhoods and votes of established voters for a reference."""
    return networks >= LEAST_NETWORKS and int((age >= YOUNG).sum()) >= LEAST_ESTABLISHED


def preliminary(*, awake: bool, networks: int, closed: bool = False) -> list[Preliminary]:
    """Reasons why all boards are preliminary; `networks` is the largest number of neighbourhoods in a week."""
    if awake:
        return []
    if closed:
        return [Preliminary.CLOSED]
    return [Preliminary.YOUNG if networks > 1 else Preliminary.ONE_NETWORK]
