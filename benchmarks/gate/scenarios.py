"""Scenarios: an honest log of some kind, and one or two crews of attackers in it, drawn at random."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from arena_trust.integrity.cast_votes import CastVotes
from arena_trust.integrity.simulation.attack_kinds import Attack, Place, Quota
from arena_trust.integrity.simulation.attackers import Campaign, draw_attack_votes
from arena_trust.integrity.simulation.population import Population, draw_honest_votes, in_time
from benchmarks.gate.spots import Spot, Where, settled, shared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

T = TypeVar("T")
SIZES: Final = (10, 25, 50, 100, 200, 500)
BATTLES: Final = (15, 30, 60)
"""Mean numbers of battles of an attacker; the number of attackers is lower or higher by as much."""
OPEN: Final = {Where.NETWORK, Where.SOME_NETWORKS, Where.MORE_NETWORKS, Where.LANGUAGE, Where.CHECK}
"""Kinds of spots in which there may be any share of honest people."""
SHARES: Final = (0.01, 0.03, 0.05)
MIXED: Final = 0.25
"""Share of scenarios with two crews."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Attackers with one aim at one spot."""

    campaign: Campaign
    spot: Spot


@dataclass(frozen=True, slots=True)
class Scenario:
    """An attack on a log of some kind; without crews there is none."""

    world: Population
    crews: tuple[Crew, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The honest log, the one with attackers among it, and which rows are theirs."""

    honest: CastVotes
    both: CastVotes
    theirs: NDArray[np.bool_]


def scenario(rng: np.random.Generator, votes: int = 10_000) -> Scenario:
    """Draw a scenario: every way of voting, number, spread of quotas and spot is about as frequent."""
    world = Population(
        votes=votes,
        votes_per_voter=_one(rng, (5.0, 10.0, 20.0)),
        voters_per_network=_one(rng, (2.0, 5.0, 20.0)),
        clickers=_one(rng, (0.05, 0.15, 0.25)),
        quota=_one(rng, tuple(Quota)),
        days=_one(rng, (7, 30, 60)),
    )
    crews = 2 if rng.random() < MIXED else 1
    size = _one(rng, SIZES)
    return Scenario(world, tuple(crew(rng, world, size / crews) for _ in range(crews)))


def crew(rng: np.random.Generator, world: Population, size: float) -> Crew:
    """Draw attackers with about 30 times `size` battles."""
    where, battles = _one(rng, tuple(Where)), _one(rng, BATTLES)
    campaign = Campaign(
        attack=_one(rng, tuple(Attack)),
        place=Place.NETWORK,
        attackers=max(3, round(size * 30 / battles)),
        battles=battles,
        target=int(rng.integers(0, world.models)),
        sink=_one(rng, (False, True)),
        quota=_one(rng, tuple(Quota)),
    )
    return Crew(campaign, Spot(where, _one(rng, SHARES) if where in OPEN else 0.0))


def drawn(chosen: Scenario, rng: np.random.Generator) -> Drawn:
    """Draw the log of a scenario."""
    honest = draw_honest_votes(chosen.world, rng)
    networks, voters = int(honest.network.max()) + 1, int(honest.voter.max()) + 1
    plans: list[tuple[int, int]] = []
    for crew in chosen.crews:
        plans.append((networks, crew.campaign.attackers))
        networks += voters + crew.campaign.attackers
        honest = shared(honest, crew.spot, plans[-1], rng)
    parts = [honest]
    for crew, plan in zip(chosen.crews, plans, strict=True):
        votes = draw_attack_votes(chosen.world, honest, crew.campaign, rng)
        votes = replace(votes, voter=votes.voter - int(honest.voter.max()) - 1)
        placed = settled(votes, honest, crew.spot, plan, rng)
        parts.append(replace(placed, voter=(placed.voter + voters).astype(np.int32)))
        voters += crew.campaign.attackers
    columns = [name for name in CastVotes.__dataclass_fields__ if name != "names"]
    both = replace(honest, **{name: np.concatenate([getattr(part, name) for part in parts]) for name in columns})
    order = np.argsort(both.second, kind="stable")
    return Drawn(honest, in_time(both), (np.arange(len(both)) >= len(honest))[order])


def _one(rng: np.random.Generator, values: Sequence[T]) -> T:
    return values[int(rng.integers(0, len(values)))]
