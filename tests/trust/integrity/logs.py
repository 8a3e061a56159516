"""Logs that the tests of the gate share."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from arena_rating import bradley_terry, pair_counts
from arena_trust.integrity.simulation.attack_kinds import Attack, Place
from arena_trust.integrity.simulation.attackers import Campaign, add_attack
from arena_trust.integrity.simulation.population import Population, draw_honest_votes


def honest(votes: int = 4_000, seed: int = 1, **world):
    return draw_honest_votes(Population(votes=votes, **world), np.random.default_rng(seed))


def under_attack(attackers: int, place=Place.NETWORK, attack=Attack.TARGETED, votes=10_000, seed=1, **campaign):
    """The honest log, the same log with an attack, and a mask of the attackers' rows."""
    log, state = honest_log_and_state(votes, seed)
    rng = np.random.default_rng()
    rng.bit_generator.state = state
    return log, *add_attack(Population(votes=votes), log, Campaign(attack, place, attackers, **campaign), rng)


@cache
def honest_log_and_state(votes: int, seed: int):
    """An honest log that several attacks share, and the state of its random generator."""
    rng = np.random.default_rng(seed)
    return draw_honest_votes(Population(votes=votes), rng), rng.bit_generator.state


def young_arena(cast=41, others=(6,) * 6, *, push=True):
    """A day of a young arena: `cast` votes of one neighbourhood for the last model, and honest votes of others.

    Without `push` the first neighbourhood is honest, too. It has five voters, each other one has one voter. Returns the
    log and a mask of the first neighbourhood's rows.
    """
    network = np.repeat(np.arange(len(others) + 1), [cast, *others])
    log = honest(len(network), models=4, newcomer=False)
    network = np.random.default_rng(2).permutation(network).astype(np.int32)
    is_theirs = network == 0
    voter = np.where(is_theirs, np.arange(len(network)) % 5, 5 + network).astype(np.int32)
    second = np.arange(len(log)) * 86_400 // len(log)
    log = replace(log, second=second, network=network, voter=voter, age=np.full(len(log), np.nan))
    if push:
        log.left[is_theirs], log.right[is_theirs], log.outcome[is_theirs] = 3, np.arange(cast) % 3, 0
    return log, is_theirs


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
    labels = {field: shuffled(getattr(log, field)) for field in ("voter", "network", "since", "language", "check")}
    sides = {field: place[getattr(log, field)].astype(np.int32) for field in ("left", "right")}
    return replace(log, names=names, **labels, **sides)
