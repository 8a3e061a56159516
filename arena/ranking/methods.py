"""How the published numbers are computed, and the digest that pins them down."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from arena.rating import Anchor, EloParameters, Leaderboard, LeaderboardParameters, compute

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from arena.ranking.logs import Head
    from arena.rating import Comparisons

QUICK: Final = 100_000_000
"""Votes x orders of a first, quick snapshot: well under a second on two cores."""
FEWEST_ORDERS: Final = 20
FEWEST: Final = 30
"""Votes that a table beside the leaderboard needs before it says anything worth a page."""
UNLISTED: Final = "unlisted"
"""Beside the parameters a snapshot names the competitors that it leaves out with their votes."""


@dataclass(frozen=True, slots=True)
class Method:
    """The parameters of every rating and the seed of the random orders."""

    parameters: LeaderboardParameters = field(default_factory=LeaderboardParameters)
    seed: int = 0

    def record(self) -> dict[str, Any]:
        """Parameters and seed as a snapshot stores them."""
        return json.loads(json.dumps(asdict(self)))

    def quick(self, votes: int) -> Method:
        """The same method with fewer orders where `votes` are many; its larger standard error is shown with it."""
        elo = self.parameters.elo
        orders = min(elo.orders, max(FEWEST_ORDERS, QUICK // max(votes, 1)))
        return replace(self, parameters=replace(self.parameters, elo=replace(elo, orders=orders)))


def fit(log: Comparisons, method: Method, executor: Executor | None = None, folder: Path | None = None) -> Leaderboard:
    """Every published number from the columns alone; the same log and method give the same bits anywhere.

    `executor` spreads the orders over other processes or machines, which find the log in `folder`.
    """
    return compute(log, method.parameters, seed=method.seed, executor=executor, folder=folder)


def parameters_of(stored: Mapping[str, Any]) -> LeaderboardParameters:
    """The parameters as a snapshot has stored them."""
    rest = {name: value for name, value in stored.items() if name not in {"elo", "anchor", UNLISTED}}
    anchor = Anchor(**stored["anchor"]) if stored.get("anchor") else None
    return LeaderboardParameters(elo=EloParameters(**stored["elo"]), anchor=anchor, **rest)


def unlisted_of(stored: Mapping[str, Any]) -> list[str]:
    """Who was left out of a snapshot, by name."""
    return list(stored.get(UNLISTED, ()))


def digest(board: Leaderboard, head: Head, unlisted: Sequence[str] = ()) -> str:
    """SHA-256 over the canonical payload: the numbers, how they were computed, and from which part of the log."""
    left_out = {UNLISTED: list(unlisted)} if unlisted else {}
    return digest_of({"board": asdict(board), "head": asdict(head), **left_out})


def digest_of(covered: Mapping[str, Any]) -> str:
    """SHA-256 over the canonical JSON of anything."""
    canonical = json.dumps(covered, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
