"""A framed school: attackers sink a model from the network of honest people, whose votes fall with theirs.

Nothing that is published tells them apart there, so that no procedure can do better than to leave out the school's
votes on that model: the move that this makes alone is the bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from arena_trust.integrity.cast_votes import UNKNOWN
from arena_trust.integrity.simulation.attack_kinds import Attack, Place
from arena_trust.integrity.simulation.attackers import Campaign, add_attack
from arena_trust.integrity.simulation.population import Population, draw_honest_votes
from arena_trust.integrity.simulation.trial import move, ratings, weigh_published
from benchmarks.results import Row, mean_row

SHARES: Final = (0.05, 0.1, 0.2)
"""Shares of the honest voters that the school is."""
CAMPAIGN: Final = Campaign(Attack.TARGETED, Place.MANY_NETWORKS, 100, sink=True)
_SCHOOL: Final = 10_000
_WORLD: Final = Population()


def schools(seeds: range) -> Iterator[Row]:
    """How far a model moves, gated and by the bound, and what others lose."""
    for share in SHARES:
        case = f"a school of {share:.0%}"
        undefended, gated, bound, lost = zip(*(framed(seed, share) for seed in seeds), strict=True)
        yield mean_row(case, "undefended, mean", undefended, "points")
        yield mean_row(case, "gated, mean", gated, "points", "≤ 3", worst=max(gated))
        yield mean_row(case, "the school's votes on the model left out, mean", bound, "points", worst=max(bound))
        yield mean_row(case, "weight lost by honest people elsewhere, mean", lost, "%")


def framed(seed: int, share: float) -> tuple[float, float, float, float]:
    """Moves undefended, gated and by the bound, in points, and the weight that others lose, in percent."""
    rng = np.random.default_rng([seed, 2])
    log = draw_honest_votes(_WORLD, np.random.default_rng([seed, 0]))
    voters = int(log.voter.max()) + 1
    pupil = np.isin(log.voter, rng.permutation(voters)[: round(share * voters)])
    log = replace(log, network=np.where(pupil, _SCHOOL, log.network).astype(np.int32))
    both, theirs = add_attack(_WORLD, log, CAMPAIGN, rng)
    school = theirs | (both.network == _SCHOOL)
    network, since = np.where(school, _SCHOOL, both.network), np.where(school, UNKNOWN, both.since)
    both = replace(both, network=network.astype(np.int32), since=since.astype(np.int32))
    target, before = CAMPAIGN.target_of(_WORLD.models), ratings(log)
    weight = weigh_published(both).weight
    left_out = np.where(school & ((both.left == target) | (both.right == target)), 0.0, 1.0)
    moves = [move(ratings(both, weights), before) for weights in (None, weight, left_out)]
    return moves[0], moves[1], moves[2], 100 * float((weight[~school] == 0).mean())
