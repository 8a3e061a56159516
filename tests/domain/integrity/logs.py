"""Logs that the tests of the gate share."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from arena.domain.integrity.gate import judge
from arena.domain.integrity.simulation.attackers import Campaign, attacked
from arena.domain.integrity.simulation.terms import Attack, Place
from arena.domain.integrity.simulation.world import World, honest_votes
from arena_rating import bradley_terry, pair_counts


def honest(votes: int = 4_000, seed: int = 1, **world):
    return honest_votes(World(votes=votes, **world), np.random.default_rng(seed))


def under_attack(attackers: int, place=Place.NETWORK, attack=Attack.TARGETED, votes=10_000, seed=1, **campaign):
    """The honest log, the log with attackers in it, and which rows are theirs."""
    log, state = begun(votes, seed)
    rng = np.random.default_rng()
    rng.bit_generator.state = state
    return log, *attacked(World(votes=votes), log, Campaign(attack, place, attackers, **campaign), rng)


@cache
def begun(votes: int, seed: int):
    """An honest log that several attacks share, and how its random numbers go on."""
    rng = np.random.default_rng(seed)
    return honest_votes(World(votes=votes), rng), rng.bit_generator.state


judged = cache(judge)
"""What the gate says of a log that is the same object: of the honest part of an attacked one, mostly."""


def ratings(log, weight=None):
    """Bradley-Terry ratings by model."""
    return bradley_terry(pair_counts(log.comparisons(weight))).rating


def move(log, weight, before):
    """The largest shift of a rating, in points."""
    return float(np.abs(ratings(log, weight) - before).max())


def relabelled(log, rng):
    """The same votes with other names and numbers for models, voters and all labels."""

    def shuffled(codes):
        names = rng.permutation(5 * (int(codes.max()) + 2))[: int(codes.max()) + 1]
        return np.where(codes < 0, codes, names[codes]).astype(np.int32)

    place = rng.permutation(len(log.names))
    names = tuple(f"renamed {number}" for number in place.argsort())
    labels = {field: shuffled(getattr(log, field)) for field in ("voter", "network", "language", "check")}
    sides = {field: place[getattr(log, field)].astype(np.int32) for field in ("left", "right")}
    return replace(log, names=names, **labels, **sides)
