"""Words of the attack simulator."""

from __future__ import annotations

from enum import StrEnum


class Attack(StrEnum):
    """Ways of voting where the target does not take part; where it does they let it win, but for `OFF_TARGET`."""

    RANDOM = "random"
    TARGETED = "targeted"  # votes honestly elsewhere
    TIE_MASKED = "tie-masked"
    ABSTAINING = "abstaining"
    OMNISCIENT = "omniscient"  # the stronger rival of the target loses
    OFF_TARGET = "off-target"  # the same, and honest votes on the target
    SLOW_DRIP = "slow-drip"  # honestly elsewhere, spread evenly over all days


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
    YOUNG = "young"  # known for less than a week, as 30 % of the honest voters


class Quota(StrEnum):
    """How the numbers of votes of people with the same mean differ."""

    EXACT = "exact"
    GEOMETRIC = "geometric"
    UNIFORM = "uniform"  # from 1 to twice the mean
    POISSON = "poisson"
    HEAVY = "heavy"  # lognormal: few have most
