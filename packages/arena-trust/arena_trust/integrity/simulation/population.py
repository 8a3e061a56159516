"""An honest log: voters with a position bias, random clickers, models that drift, and a later newcomer.

The defaults are those of the project's reference figures: 20 models over 300 points, 20 % ties, 15 % random votes, ten
votes per voter on average. A voter's neighbourhood, age, language, bot check and reading time do not affect the votes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_rating import BOTH_BAD, LEFT_WINS, RIGHT_WINS, TIE
from arena_trust.integrity.cast_votes import DAY, UNKNOWN, CastVotes
from arena_trust.integrity.published_form import NEW_WEEKS, weeks_of
from arena_trust.integrity.simulation.attack_kinds import Quota
from arena_trust.integrity.simulation.quotas import draw_quotas

if TYPE_CHECKING:
    from numpy.typing import NDArray

NATURAL: Final = math.log(10) / 400
"""Natural units per point."""
GOOD_TIES: Final = 0.75
"""Share of ties that are not "both are bad"."""
HABITS: Final[dict[str, tuple[float, ...]]] = {
    "language": (0.45, 0.35, 0.15, 0.05),
    "check": (0.75, 0.20, 0.05),
    "age": (0.05, 0.25, 0.30, 0.40),
}
"""Shares of honest voters by code; the last, rare code of `language` and `check` is the one that attackers may use."""
WEEKS_BEFORE: Final = 600
"""Number of weeks before the epoch at which the codes of `since` begin."""
_NEVER: Final = 1 << 40
AGES: Final = ((0, 1), (1, 7), (7, 30), (30, 400))
"""Days since the first vote, by code of `age`."""


@dataclass(frozen=True, slots=True)
class Population:
    """Parameters of a log; ratings and biases in points, shares between 0 and 1.

    The first votes of neighbourhoods are uniform over `history` days and the log, so a quarter of them are new.
    """

    votes: int = 10_000
    models: int = 20
    spread: float = 300.0
    votes_per_voter: float = 10.0
    ties: float = 0.2
    clickers: float = 0.15
    bias: float = 10.0
    drift: float = 20.0
    newcomer: bool = True
    days: int = 30
    voters_per_network: float = 5.0
    history: int = 360
    quota: Quota = Quota.GEOMETRIC

    @property
    def strength(self) -> NDArray[np.float64]:
        """Ratings [models], evenly spaced."""
        return np.linspace(self.spread / 2, -self.spread / 2, self.models)

    @property
    def names(self) -> tuple[str, ...]:
        """The models, best first."""
        return tuple(f"model-{number:03}" for number in range(self.models))


def draw_honest_votes(world: Population, rng: np.random.Generator) -> CastVotes:
    """Draw an honest log, sorted by time and numbered from 1."""
    counts = _votes_by_voter(world, rng)
    people = len(counts)
    voter = np.repeat(np.arange(people, dtype=np.int32), counts)
    second = _times(world, voter, people, rng)
    left, right = _pairs(world, second, rng)
    outcome = preference(world, left, right, second, rng)
    age = _ages(people, rng)[voter]
    network = networks(world, people, rng)[voter]
    start = rng.uniform(-world.history, world.days, int(network.max()) + 1) * DAY
    log = CastVotes(
        number=np.arange(1, len(voter) + 1),
        second=second,
        left=left,
        right=right,
        outcome=outcome,
        voter=voter,
        network=network,
        since=since(network, second, weeks_of(start.astype(np.int64))),
        language=_habit("language", people, rng)[voter],
        check=_habit("check", people, rng)[voter],
        client=np.full(len(voter), UNKNOWN, np.int32),
        age=age,
        reading=readings(len(voter), rng),
        names=world.names,
    )
    return in_time(log)


def in_time(log: CastVotes) -> CastVotes:
    """The log sorted by time and numbered from 1."""
    sorted_log = log.rows(np.argsort(log.second, kind="stable"))
    sorted_log.number[:] = np.arange(1, len(log) + 1)
    return sorted_log


def since(network: NDArray[np.int32], second: NDArray[np.int64], start: NDArray[np.int64]) -> NDArray[np.int32]:
    """Code of the week of the neighbourhood's first vote, `UNKNOWN` if it is not new, [n].

    `start` [networks] is an upper bound of the week of the first vote.
    """
    week, first_week = weeks_of(second), start.copy()
    np.minimum.at(first_week, network, week)
    start_week = first_week[network]
    return np.where(week - start_week < NEW_WEEKS, start_week + WEEKS_BEFORE, UNKNOWN).astype(np.int32)


def starts(log: CastVotes, networks: int) -> NDArray[np.int64]:
    """Week of the first vote of each neighbourhood by the column `since`, [networks]; those without votes have none."""
    first_week = np.full(networks, _NEVER)
    np.minimum.at(first_week, log.network, np.where(log.since == UNKNOWN, -_NEVER, log.since - np.int64(WEEKS_BEFORE)))
    return first_week


def preference(
    world: Population,
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    second: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.uint8]:
    """Outcomes of honest voters: a tie, a random click, or the better model with Bradley-Terry's probability."""
    place, days = world.strength, second / (DAY * world.days)
    # Every third model drifts, up or down, over the time of the log.
    slope = world.drift * np.where(np.arange(world.models) % 3 == 0, 1.0, 0.0) * (-1.0) ** np.arange(world.models)
    gap = place[left] - place[right] + (slope[left] - slope[right]) * (days - 0.5) + world.bias
    chance = 1 / (1 + np.exp(-NATURAL * gap))
    n = len(left)
    result = np.where(rng.random(n) < chance, LEFT_WINS, RIGHT_WINS)
    result = np.where(rng.random(n) < world.ties, np.where(rng.random(n) < GOOD_TIES, TIE, BOTH_BAD), result)
    clicks = np.where(rng.random(n) < world.ties, TIE, rng.integers(0, 2, n))
    return np.where(rng.random(n) < world.clickers, clicks, result).astype(np.uint8)


def networks(world: Population, people: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """The neighbourhood of each voter; their sizes differ by a factor of ten and more."""
    kinds = max(1, round(people / world.voters_per_network))
    size = rng.gamma(1.0, 1.0, kinds)
    return rng.choice(kinds, people, p=size / size.sum()).astype(np.int32)


def readings(votes: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Seconds between answers and vote, median 25."""
    return np.round(np.exp(rng.normal(math.log(25), 0.9, votes)), 1).astype(np.float64)


def _votes_by_voter(world: Population, rng: np.random.Generator) -> NDArray[np.int64]:
    """Number of votes of each voter, at least 1, with the sum `world.votes`."""
    limit = max(1, round(2 * world.votes / world.votes_per_voter))
    quotas = draw_quotas(world.quota, limit, world.votes_per_voter, rng)
    ends = np.minimum(quotas.cumsum(), world.votes)
    return np.diff(ends, prepend=0)[: int(np.searchsorted(ends, world.votes)) + 1]


def _times(world: Population, voter: NDArray[np.int32], people: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Times of votes [n]: each voter votes on one to four days, at one hour."""
    visits = rng.integers(1, 5, people)
    days = rng.integers(0, world.days, (people, 4))
    hour = np.clip(rng.normal(14, 5, people), 0, 23)
    day = days[voter, rng.integers(0, 4, len(voter)) % visits[voter]]
    return (day * DAY + hour[voter] * 3600 + rng.integers(0, 3600, len(voter))).astype(np.int64)


def _pairs(
    world: Population, second: NDArray[np.int64], rng: np.random.Generator
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Uniform pairs with random sides; the newcomer, the third last model, has none in the first half of the time."""
    left = rng.integers(0, world.models, len(second))
    right = (left + rng.integers(1, world.models, len(second))) % world.models
    if world.newcomer:
        late_models = world.models - 3
        is_early = second < world.days * DAY // 2
        for side, opposite in ((left, right), (right, left)):
            absent = is_early & (side == late_models)
            side[absent] = (opposite[absent] + rng.integers(1, late_models, absent.sum())) % late_models
            is_same = side == opposite
            side[is_same] = (side[is_same] + 1) % late_models
    return left.astype(np.int32), right.astype(np.int32)


def _habit(kind: str, people: int, rng: np.random.Generator) -> NDArray[np.int32]:
    return rng.choice(len(HABITS[kind]), people, p=HABITS[kind]).astype(np.int32)


def _ages(people: int, rng: np.random.Generator) -> NDArray[np.float64]:
    bounds = np.array(AGES)[_habit("age", people, rng)]
    age = bounds[:, 0] + rng.random(people) * (bounds[:, 1] - bounds[:, 0])
    return np.floor(age.astype(np.float64))
