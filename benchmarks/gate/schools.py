"""A framed school: attackers sink a model from the network of honest people, whose votes are lost with theirs.

The published columns do not distinguish them, so no procedure does better than to leave out the school's votes on that
model; the move that this alone causes is the bound. Attackers vote honestly on other models, and more honest votes move
a board, too: for comparison, the move with honest votes in place of all of theirs is measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import UNKNOWN, CastVotes
from arena_trust.integrity.simulation.attack_kinds import Attack, Place
from arena_trust.integrity.simulation.attackers import Campaign, add_attack
from arena_trust.integrity.simulation.population import Population, draw_honest_votes
from arena_trust.integrity.simulation.trial import move, ratings, weigh_published
from benchmarks.results import Row, mean_row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SHARES: Final = (0.05, 0.1, 0.2)
"""Sizes of the school, as shares of the honest voters."""
CAMPAIGN: Final = Campaign(Attack.TARGETED, Place.MANY_NETWORKS, 100, sink=True)
_SCHOOL: Final = 10_000
_WORLD: Final = Population()


@dataclass(frozen=True, slots=True)
class Framing:
    """Result of a framing; moves are in points.

    Attributes:
        undefended: Move of the sunk model without the gate.
        gated: Move of the sunk model behind the gate.
        bound: Move of the sunk model if only the school's votes on it are left out.
        largest: Largest move of any model behind the gate.
        honest: Largest move of any model if the attackers' votes were honest.
        lost: Weight that people outside the school lose, in per cent.
    """

    undefended: float
    gated: float
    bound: float
    largest: float
    honest: float
    lost: float


def schools(seeds: range) -> Iterator[Row]:
    """Moves of models, gated and by the bound, and the weight that others lose."""
    for share in SHARES:
        case = f"a school of {share:.0%}"
        runs = [frame(seed, share) for seed in seeds]
        for name, goal in (("undefended", ""), ("gated", "≤ 3"), ("bound", "")):
            moves = [abs(getattr(run, name)) for run in runs]
            yield mean_row(case, f"move of the sunk model, {name}, mean", moves, "points", goal, worst=max(moves))
        yield mean_row(case, "its move with the sign, gated, mean", [run.gated for run in runs], "points")
        yield mean_row(case, "largest move of any model, gated, mean", [run.largest for run in runs], "points")
        yield mean_row(case, "the same by honest votes in place of the attack", [run.honest for run in runs], "points")
        yield mean_row(case, "weight lost by honest people elsewhere, mean", [run.lost for run in runs], "%")


def frame(seed: int, share: float) -> Framing:
    """Frame a school of this share of the voters."""
    log, votes, school = _log(seed, share, CAMPAIGN)
    _, school_alone, _ = _log(seed, share, replace(CAMPAIGN, identified=0.0))
    target, ratings_before, weight = CAMPAIGN.target_of(_WORLD.models), ratings(log), weigh_published(votes).weight
    left_out = np.where(school & ((votes.left == target) | (votes.right == target)), 0.0, 1.0)
    undefended_move, gated_move, bound_move = (
        ratings(votes, weights) - ratings_before for weights in (None, weight, left_out)
    )
    return Framing(
        *(float(moves[target]) for moves in (undefended_move, gated_move, bound_move)),
        largest=float(np.abs(gated_move).max()),
        honest=move(ratings(school_alone), ratings_before),
        lost=100 * float((weight[~school] == 0).mean()),
    )


def _log(seed: int, share: float, campaign: Campaign) -> tuple[CastVotes, CastVotes, NDArray[np.bool_]]:
    """The honest log, the log with the attack, and whether each of its rows is the school's."""
    rng = np.random.default_rng([seed, 2])
    log = draw_honest_votes(_WORLD, np.random.default_rng([seed, 0]))
    voters = int(log.voter.max()) + 1
    pupil = np.isin(log.voter, rng.permutation(voters)[: round(share * voters)])
    log = replace(log, network=np.where(pupil, _SCHOOL, log.network).astype(np.int32))
    votes, is_attack = add_attack(_WORLD, log, campaign, rng)
    school = is_attack | (votes.network == _SCHOOL)
    network, since = np.where(school, _SCHOOL, votes.network), np.where(school, UNKNOWN, votes.since)
    return log, replace(votes, network=network.astype(np.int32), since=since.astype(np.int32)), school
