"""One simulated attack: what it moves without the gate, what is left of it behind the gate, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from arena_rating import bradley_terry, pair_counts
from arena_trust.integrity.gate import REASONS, weigh_votes
from arena_trust.integrity.published_form import share_of
from arena_trust.integrity.simulation.attackers import Campaign, add_attack
from arena_trust.integrity.simulation.population import DAY, Population, draw_honest_votes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes

_AGE = REASONS.index("age")


@dataclass(frozen=True, slots=True)
class Trial:
    """Moves are the largest shifts of any model's Bradley-Terry rating, in points.

    Attributes:
        attack: Way of voting.
        place: Slice in which the attackers can be found.
        bots: Number of attackers.
        hide: Share of them that look like honest voters everywhere.
        seed: Seed of the log.
        undefended: Move of the board that counts all votes alike.
        defended: Move of the gate's board; before the attack, too, it is the gate's.
        defended_from_plain: Move from the honest board that counts all votes alike to the gate's board under attack:
            with what the age rule does to honest votes.
        target_undefended: Shift of the target alone.
        target_defended: The same behind the gate.
        unnoticed: Move behind age rule and caps alone, if the pooled test noticed nothing: what they bound.
        neighbourhood_days: The attack's cost: neighbourhoods times days on which attackers voted from them.
        honest_decided: Share of the honest votes that weigh less for another reason than age.
        honest_sample: Kish's effective share of the honest votes under all weights.
        bots_left: Share of the attackers' votes that is left, by weight.
    """

    attack: str
    place: str
    bots: int
    hide: float
    seed: int
    undefended: float
    defended: float
    defended_from_plain: float
    target_undefended: float
    target_defended: float
    unnoticed: float
    neighbourhood_days: int
    honest_decided: float
    honest_sample: float
    bots_left: float


def trials(world: Population, campaigns: Sequence[Campaign], seed: int) -> Iterator[Trial]:
    """Attack one honest log in several ways."""
    honest = draw_honest_votes(world, np.random.default_rng([seed, 0]))
    plain, guarded = ratings(honest), ratings(honest, weigh_votes(honest, share=share_of(honest)).weight)
    for number, campaign in enumerate(campaigns, start=1):
        log, theirs = add_attack(world, honest, campaign, np.random.default_rng([seed, number]))
        yield _trial(campaign, seed, log, theirs, plain, guarded)


def ratings(log: CastVotes, weight: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Bradley-Terry ratings by model, in points; nan without a vote that counts."""
    return bradley_terry(pair_counts(log.comparisons(weight))).rating


def _trial(
    campaign: Campaign,
    seed: int,
    log: CastVotes,
    theirs: NDArray[np.bool_],
    plain: NDArray[np.float64],
    guarded: NDArray[np.float64],
) -> Trial:
    verdict, target = weigh_votes(log, share=share_of(log)), campaign.target_of(len(log.names))
    open_board, board = ratings(log), ratings(log, verdict.weight)
    cast = log.network[theirs].astype(np.int64) * (int(log.second.max()) // DAY + 1) + log.second[theirs] // DAY
    own = verdict.weight[~theirs]
    values: dict[str, float] = {
        "undefended": _move(open_board, plain),
        "defended": _move(board, guarded),
        "defended_from_plain": _move(board, plain),
        "target_undefended": float(open_board[target] - plain[target]),
        "target_defended": float(board[target] - guarded[target]),
        "unnoticed": _move(ratings(log, verdict.by_rules), guarded),
        "honest_decided": float(((own < 1) & (verdict.reason[~theirs] != _AGE)).mean()),
        "honest_sample": float(own.sum() ** 2 / max(1e-9, (own**2).sum()) / len(own)),
        "bots_left": float(verdict.weight[theirs].mean()) if theirs.any() else 0.0,
    }
    rounded: dict[str, Any] = {name: round(value, 4) for name, value in values.items()}
    return Trial(
        attack=campaign.attack.value,
        place=campaign.place.value,
        bots=campaign.attackers,
        hide=campaign.hide,
        seed=seed,
        neighbourhood_days=len(np.unique(cast)),
        **rounded,
    )


def _move(after: NDArray[np.float64], before: NDArray[np.float64]) -> float:
    return float(np.nanmax(np.abs(after - before)))
