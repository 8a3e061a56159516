"""One simulated attack: its effect without the gate and behind it, and its cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arena_rating import bradley_terry, pair_counts
from arena_trust.integrity.cast_votes import DAY
from arena_trust.integrity.gate import weigh_votes
from arena_trust.integrity.published_form import by_week, published_form
from arena_trust.integrity.simulation.attackers import draw_attack_votes, join_attacks
from arena_trust.integrity.simulation.population import Population, draw_honest_votes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.simulation.attackers import Campaign
    from arena_trust.integrity.verdicts import VoteWeights


@dataclass(frozen=True, slots=True)
class Trial:
    """Result of a trial; a move is the largest shift of a Bradley-Terry rating from the honest log's, in points.

    Attributes:
        attack: Kinds of the attacks.
        place: Slices of the attackers.
        bots: Number of attackers.
        hide: Share of attackers of the first attack that look like honest voters in every division.
        seed: Seed of the honest log.
        undefended: Move without the gate.
        defended: Move behind the gate.
        target: Shift of the first attack's target behind the gate.
        honest_lost: Share of the honest votes' weight that the gate takes.
        bots_left: Share of the attackers' weight that the gate leaves.
        neighbourhood_days: Cost of the attack: pairs of a neighbourhood and a day with votes of attackers.
    """

    attack: str
    place: str
    bots: int
    hide: float
    seed: int
    undefended: float
    defended: float
    target: float
    honest_lost: float
    bots_left: float
    neighbourhood_days: int


def trials(world: Population, campaigns: Sequence[Campaign], seed: int) -> Iterator[Trial]:
    """Trials of single attacks on one honest log."""
    honest = draw_honest_votes(world, np.random.default_rng([seed, 0]))
    for number, campaign in enumerate(campaigns, start=1):
        yield trial(world, honest, (campaign,), [seed, number])


def attacked_log(
    world: Population, honest: CastVotes, campaigns: Sequence[Campaign], seed: Sequence[int]
) -> tuple[CastVotes, NDArray[np.bool_]]:
    """The log of a trial, and whether each row is an attacker's."""
    rng = np.random.default_rng(seed)
    return join_attacks(honest, [draw_attack_votes(world, honest, campaign, rng) for campaign in campaigns])


def trial(world: Population, honest: CastVotes, campaigns: Sequence[Campaign], seed: Sequence[int]) -> Trial:
    """Trial of simultaneous attacks on an honest log; `seed` starts with that of the log."""
    log, is_attack = attacked_log(world, honest, campaigns, seed)
    honest_ratings, weight = ratings(honest), weigh_published(log).weight
    board = ratings(log, weight)
    cast = log.network[is_attack].astype(np.int64) * (int(log.second.max()) // DAY + 1) + log.second[is_attack] // DAY
    target = campaigns[0].target_of(len(log.names)) if campaigns else 0
    return Trial(
        attack=" and ".join(campaign.attack for campaign in campaigns),
        place=" and ".join(campaign.place for campaign in campaigns),
        bots=sum(campaign.attackers for campaign in campaigns),
        hide=campaigns[0].hide if campaigns else 0.0,
        seed=seed[0],
        undefended=move(ratings(log), honest_ratings),
        defended=move(board, honest_ratings),
        target=round(float(board[target] - honest_ratings[target]), 4),
        honest_lost=round(1 - float(weight[~is_attack].mean()), 4),
        bots_left=round(float(weight[is_attack].mean()), 4) if is_attack.any() else 0.0,
        neighbourhood_days=len(np.unique(cast)),
    )


def weigh_published(log: CastVotes) -> VoteWeights:
    """The gate's verdict on a simulated log, from its published form alone."""
    return weigh_votes(published_form(by_week(log)).log)


def ratings(log: CastVotes, weight: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Bradley-Terry ratings [m] in points; nan without a counted vote."""
    return bradley_terry(pair_counts(log.comparisons(weight))).rating


def move(after: NDArray[np.float64], before: NDArray[np.float64]) -> float:
    """The largest shift of a model's rating, in points."""
    return round(float(np.nanmax(np.abs(after - before))), 4)
