"""The method of the published numbers, and their digest."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.labels.label_sets import LABELS
from arena.domain.merged_hosts import HOSTS
from arena.domain.terms import JsonObject
from arena_rating import (
    METHOD_BY_CLUSTER,
    Anchor,
    EloParameters,
    Leaderboard,
    LeaderboardParameters,
    compute,
    rank_bounds,
)
from arena_rating.board.rows import RATE_BOUNDS
from arena_rating.leaderboard import fields_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor

    from arena.usecases.ranking.heads import Head
    from arena_rating import Comparisons
    from arena_rating.elo import Share

QUICK: Final = 20_000_000
"""Votes × orders of a quick snapshot, which takes a tenth of a second on two cores."""
PARTS: Final = 100_000_000
"""Votes × orders of each further table of a snapshot."""
FEWEST_ORDERS: Final = 20
FEWEST: Final = 30
"""Minimum votes of a part (a further table of a snapshot)."""
FIRST_METHOD: Final = "elo-orders+bradley-terry"
"""The name of the method of version 0.1.0."""
_CLUSTERED: Final = frozenset(
    {
        *("elo_low", "elo_high", "bt_independent_low", "bt_independent_high", "design_effect", "clusters"),
        *("points_per_battle_error", "win_rate_error", "carena_rate_error", "preliminary", "borrowed"),
    }
)
"""Fields that the method of version 0.1.0 did not have."""
UNLISTED: Final = "unlisted"
"""Key in a snapshot's parameters for the unlisted competitors, left out with their votes."""


@dataclass(frozen=True, slots=True)
class Method:
    """The parameters of every rating and the seed of the random orders."""

    parameters: LeaderboardParameters = field(default_factory=LeaderboardParameters)
    seed: int = 0

    def record(self) -> JsonObject:
        """Parameters and seed as JSON values, as a snapshot stores them; earlier ones did not name their method."""
        record = json.loads(json.dumps(asdict(self)))
        if self.parameters.method == METHOD_BY_CLUSTER:
            del record["parameters"]["method"]
        return record

    def widened(self, widening: float) -> Method:
        """The method with errors by cluster `widening` times as large."""
        return replace(self, parameters=replace(self.parameters, widening=widening))

    def quick(self, votes: int) -> Method:
        """The method of a quick snapshot of so many `votes`."""
        return self._within(QUICK, votes)

    def of_parts(self, votes: int) -> Method:
        """The method of the further tables of a snapshot of so many `votes`."""
        return self._within(PARTS, votes)

    def _within(self, work: int, votes: int) -> Method:
        """The method with fewer orders for many `votes`, by `work`; the larger standard error is published with it."""
        elo = self.parameters.elo
        orders = min(elo.orders, max(FEWEST_ORDERS, work // max(votes, 1)))
        return replace(self, parameters=replace(self.parameters, elo=replace(elo, orders=orders)))


def fit(log: Comparisons, method: Method, executor: Executor | None = None, share: Share | None = None) -> Leaderboard:
    """All published numbers, computed from the columns alone; the same log and method give the same bits anywhere.

    `executor` runs the orders in other processes or machines, which open the log by `share`.
    """
    return compute(log, method.parameters, seed=method.seed, executor=executor, share=share)


def parameters_of(stored: JsonObject) -> LeaderboardParameters:
    """The parameters from their stored form."""
    rest = {name: value for name, value in stored.items() if name not in {"elo", "anchor", UNLISTED, LABELS, HOSTS}}
    rest.setdefault("method", METHOD_BY_CLUSTER)
    anchor = Anchor(**stored["anchor"]) if stored.get("anchor") else None
    return LeaderboardParameters(elo=EloParameters(**stored["elo"]), anchor=anchor, **rest)


def unlisted_of(stored: JsonObject) -> list[str]:
    """Names of the competitors left out of a snapshot."""
    return list(stored.get(UNLISTED, ()))


def digest(board: Leaderboard, head: Head, unlisted: Sequence[str] = (), method: str | None = None) -> str:
    """SHA-256 of the canonical JSON of the numbers, their method, and the part of the log they were computed from.

    `method` is the name of the stored method; the first one has other fields, which `board` does not tell.
    """
    omission = {UNLISTED: list(unlisted)} if unlisted else {}
    record = independent_record(board) if method == FIRST_METHOD else board.record()
    return digest_of({"board": record, "head": head.record(), **omission})


def independent_record(board: Leaderboard) -> dict[str, object]:
    """The numbers by the method of version 0.1.0, with intervals and ranks for independent votes."""
    labels = np.array([row.component for row in board.rows], np.int64)
    low = np.array([row.bt_independent_low for row in board.rows], np.float64)
    high = np.array([row.bt_independent_high for row in board.rows], np.float64)
    best, worst = rank_bounds(low, high, labels)
    rows = [
        {
            **{name: value for name, value in fields_of(row).items() if name not in _CLUSTERED | set(RATE_BOUNDS)},
            "rank_low": int(best[index]),
            "rank_high": int(worst[index]),
            "bt_low": row.bt_independent_low,
            "bt_high": row.bt_independent_high,
        }
        for index, row in enumerate(board.rows)
    ]
    return {
        **{name: value for name, value in board.record().items() if name not in _CLUSTERED},
        "rows": rows,
        "parameters": {
            name: value for name, value in asdict(board.parameters).items() if name not in {"widening", "method"}
        },
        "method": FIRST_METHOD,
    }


def digest_of(content: Mapping[str, object]) -> str:
    """SHA-256 of the canonical JSON of `content`."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
