"""Parameters of a board, and the names of the procedures that have computed boards."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from arena_rating.bradley_terry import PRIOR
from arena_rating.clusters import MIN_CLUSTERS, MIN_SEPARATE
from arena_rating.elo import EloParameters
from arena_rating.errors import BadParameters

METHOD: Final = "elo-orders+clustered-bt+claims+borrowing"
"""Name of the procedure in `compute`; a changed procedure gets a new name."""
METHOD_BY_CATEGORY: Final = "elo-orders+clustered-bt+claims"
"""The procedure before: the board of a category is that of its votes alone; wider intervals below 20 clusters."""
METHODS_WITH_CLAIMS: Final = frozenset({METHOD, METHOD_BY_CATEGORY})
"""Procedures whose statements about differences hold at all looks."""
METHOD_BY_LOOK: Final = "elo-orders+clustered-bt+rate-intervals"
"""The procedure before that: best and worst ranks that hold at one look."""
METHOD_BY_CLUSTER: Final = "elo-orders+clustered-bradley-terry"
"""The first by cluster: errors of rates without correction and intervals, Elo intervals whether settled or not."""
METHODS: Final = METHODS_WITH_CLAIMS | {METHOD_BY_LOOK, METHOD_BY_CLUSTER}
"""All procedures by cluster."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A competitor with a fixed rating, in points, which makes tables of different days comparable."""

    name: str
    rating: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.rating):
            raise BadParameters("the anchor's rating must be finite")


@dataclass(frozen=True, slots=True)
class LeaderboardParameters:
    """Parameters of `compute`. Bradley-Terry uses init, base and scale of `elo`; prior and level as in `bradley_terry`.

    `anchor` shifts all Elo and Bradley-Terry ratings of its component, with their intervals, so that the anchor has its
    rating in both; errors, spreads and ranks do not change. Other components, and a log in which the anchor has no
    battle, stay centred at `elo.init`. `widening` multiplies the errors by cluster; see `measure_widening`. `method` is
    `METHOD`, or another name of `METHODS` to compute an earlier board again.
    """

    elo: EloParameters = field(default_factory=EloParameters)
    prior: float = PRIOR
    level: float = 0.95
    anchor: Anchor | None = None
    widening: float = 1.0
    method: str = METHOD

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise BadParameters(f"there is no method {self.method!r}")
        if not (math.isfinite(self.widening) and self.widening >= 1):
            raise BadParameters("widening must be finite and at least 1")

    @property
    def min_separate(self) -> int:
        """Clusters below which intervals are never narrower than those of independent votes."""
        return MIN_SEPARATE if self.method == METHOD else MIN_CLUSTERS
