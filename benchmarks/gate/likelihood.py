"""The likelihood-ratio test of a simulated attack, the most powerful one on the same published columns.

Unlike the gate it knows the kind of attack, the target, the number of attackers and the slice. Of a neighbourhood it
knows only that there is one, and of days that there are three, all equally likely.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import DAY, HOUR, SCORES, UNTOLD, WEEK, CastVotes, by_appearance
from arena_trust.integrity.published_form import weeks_of
from arena_trust.integrity.reference import Counts, fit
from arena_trust.integrity.simulation.attack_kinds import Attack, Place
from arena_trust.integrity.simulation.attackers import NIGHT, Campaign, against_rivals
from arena_trust.integrity.simulation.population import HABITS, WEEKS_BEFORE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.simulation.population import Population

MAX_SHARE: Final = 0.95
"""Largest share of attackers' votes in a slice, so that no vote is impossible."""
BURST_HOURS: Final = 6


def log_ratio(world: Population, log: CastVotes, campaign: Campaign) -> float:
    """Log-likelihood ratio of a published log, with this attack against without one."""
    code = _slices(world, log, campaign.place)
    mean = _honest(log, (code < 0) if code.max() == 0 else code >= -1)
    attack = _attack_chances(world, log, campaign, mean)
    votes = float(campaign.attackers * campaign.battles)
    if campaign.attack is Attack.ABSTAINING:
        votes, code = 2 * votes / world.models, np.where(_on_target(log, campaign.target_of(world.models)), code, -1)
    rows = np.flatnonzero(code >= 0)
    cast = np.minimum(log.outcome[rows], 2)
    ratio = attack[rows, cast] / mean[rows, cast]
    code, week = code[rows], log.second[rows] // WEEK
    cells = {Place.DAYS: np.full(len(rows), votes / 3), Place.NETWORK: votes * np.bincount(week)[week] / len(rows)}
    share = np.minimum(MAX_SHARE, cells.get(campaign.place, votes) / np.bincount(code)[code])
    total = np.bincount(code, np.log1p(share * (ratio - 1))).astype(np.float64)
    if campaign.place is Place.DAYS:
        return _mean(np.array([total[list(days)].sum() for days in combinations(range(len(total)), 3)]))
    if campaign.place is Place.NETWORK:
        return sum(_mean(total[np.unique(code[week == number])]) for number in np.unique(week).tolist())
    return float(total[0]) if len(total) else 0.0


def _mean(logarithms: NDArray[np.float64]) -> float:
    """Logarithm of the mean of numbers, from their logarithms."""
    return float(np.logaddexp.reduce(logarithms) - np.log(len(logarithms)))


def _slices(world: Population, log: CastVotes, place: Place) -> NDArray[np.int64]:
    """The slice of each vote [n], -1 for none; a single known slice is 0."""
    day, hour, is_young = log.second // DAY, log.second // HOUR, log.age < 7  # days
    has_time = log.second % HOUR != UNTOLD
    is_new = log.since >= WEEKS_BEFORE + weeks_of(np.zeros(1, np.int64))[0]
    masks = {
        Place.MANY_NETWORKS: is_new,
        Place.FORTY_NETWORKS: is_new,
        Place.LANGUAGE: log.language == len(HABITS["language"]) - 1,
        Place.CHECK: log.check == len(HABITS["check"]) - 1,
        Place.HOUR: has_time & (hour % 24 == NIGHT),
        Place.BURST: has_time & (day == world.days // 2) & (hour % 24 < BURST_HOURS),
        Place.FAST: log.reading <= 3,  # seconds
        Place.ONE_DAY: is_new & (day == world.days // 2) & (log.age < 1),
        Place.YOUNG: is_young,
    }
    if place in masks:
        return np.where(masks[place], 0, -1)
    return by_appearance(log.network if place is Place.NETWORK else day.astype(np.int32)).astype(np.int64)


def _honest(log: CastVotes, judges: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Chances of left, right and tie [n, 3] by the board of the votes in the mask `judges`."""
    size, score = len(log.names), SCORES[log.outcome]
    pair = log.left.astype(np.int64) * size + log.right
    counts = [np.bincount(pair[judges], one[judges], size**2).reshape(size, size) for one in (np.ones(len(log)), score)]
    chance = fit(Counts(*(count.astype(np.float64) for count in counts))).chance.ravel()[pair]
    ties = np.minimum(float((log.outcome[judges] > 1).mean()), 1.9 * np.minimum(chance, 1 - chance))
    return np.stack([chance - ties / 2, 1 - chance - ties / 2, ties], axis=1)


def _on_target(log: CastVotes, target: int) -> NDArray[np.bool_]:
    return (log.left == target) | (log.right == target)


def _attack_chances(
    world: Population, log: CastVotes, campaign: Campaign, honest: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Chances of left, right and tie [n, 3] in an attacker's vote."""
    target = campaign.target_of(world.models)
    unit = np.eye(3)
    rival = unit[against_rivals(log, target, sink=campaign.sink)]
    without_target = {
        Attack.RANDOM: np.broadcast_to([0.5, 0.5, 0.0], honest.shape),
        Attack.TIE_MASKED: np.broadcast_to(unit[2], honest.shape),
        Attack.OMNISCIENT: rival,
        Attack.OFF_TARGET: rival,
    }.get(campaign.attack, honest)
    honest_share = {Attack.OFF_TARGET: 1.0, Attack.MASKED: 1 / 3}.get(campaign.attack, 0.0)
    wins = unit[np.where((log.left == target) != campaign.sink, 0, 1)]
    chances_on_target = honest_share * honest + (1 - honest_share) * wins
    return np.where(_on_target(log, target)[:, None], chances_on_target, without_target)
