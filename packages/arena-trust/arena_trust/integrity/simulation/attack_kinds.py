"""Enumerations of the attack simulator."""

from __future__ import annotations

from enum import StrEnum


class Attack(StrEnum):
    """Votes of attackers in battles without the target; with it they let it win, except for the last two kinds.

    The first four are the target-only strategies of Min et al. (ICML 2025), the fifth their omnipresent one.
    """

    RANDOM = "random"
    TARGETED = "targeted"  # honest without the target
    TIE_MASKED = "tie-masked"
    ABSTAINING = "abstaining"  # no vote without the target; coordinated, as all attackers abstain
    OMNISCIENT = "omniscient"  # the stronger rival of the target loses
    SLOW_DRIP = "slow-drip"  # honest without the target, spread evenly over all days
    OFF_TARGET = "off-target"  # as omniscient, but honest with the target
    MASKED = "masked"  # honest without the target, and in a third of its battles


class Place(StrEnum):
    """The slice in which attackers can be found; in other divisions they are like honest voters."""

    NETWORK = "network"  # one neighbourhood
    MANY_NETWORKS = "many-networks"  # one neighbourhood for each attacker
    LANGUAGE = "language"
    CHECK = "check"
    HOUR = "hour"
    BURST = "burst"  # within a few hours
    DAYS = "days"  # on three days
    FAST = "fast"
    FORTY_NETWORKS = "forty-networks"  # without honest voters
    ONE_DAY = "one-day"  # forty networks, all on one day with new voters
    YOUNG = "young"  # younger than `YOUNG`, as 30 % of the honest voters


class Quota(StrEnum):
    """Distribution of the number of votes of a person, with a given mean."""

    EXACT = "exact"
    GEOMETRIC = "geometric"
    UNIFORM = "uniform"  # from 1 to twice the mean
    POISSON = "poisson"
    HEAVY = "heavy"  # lognormal: few people have most votes
