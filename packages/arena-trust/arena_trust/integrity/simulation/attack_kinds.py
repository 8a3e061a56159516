"""Words of the attack simulator."""

from __future__ import annotations

from enum import StrEnum


class Attack(StrEnum):
    """Ways of voting where the target does not take part; where it does they let it win, but for the last two.

    The first four are the target-only strategies of Min et al. (ICML 2025), the fifth their omnipresent one; if all
    attackers abstain elsewhere, their abstention is the coordinated one.
    """

    RANDOM = "random"
    TARGETED = "targeted"  # votes honestly elsewhere
    TIE_MASKED = "tie-masked"
    ABSTAINING = "abstaining"
    OMNISCIENT = "omniscient"  # the stronger rival of the target loses
    SLOW_DRIP = "slow-drip"  # honestly elsewhere, spread evenly over all days
    OFF_TARGET = "off-target"  # as omniscient, and honest votes on the target
    MASKED = "masked"  # honestly elsewhere, and in a third of the battles of the target


class Place(StrEnum):
    """The slice in which attackers can be found; in all others they are like honest voters."""

    NETWORK = "network"  # one neighbourhood
    MANY_NETWORKS = "many-networks"  # each has a neighbourhood of its own
    LANGUAGE = "language"
    CHECK = "check"
    HOUR = "hour"
    BURST = "burst"  # within a few hours
    DAYS = "days"  # on three days
    FAST = "fast"
    FORTY_NETWORKS = "forty-networks"  # that hold no honest voter
    ONE_DAY = "one-day"  # the same, all voters of the first day
    YOUNG = "young"  # known for less than a week, as 30 % of the honest voters


class Quota(StrEnum):
    """How the numbers of votes of people with the same mean differ."""

    EXACT = "exact"
    GEOMETRIC = "geometric"
    UNIFORM = "uniform"  # from 1 to twice the mean
    POISSON = "poisson"
    HEAVY = "heavy"  # lognormal: few have most
