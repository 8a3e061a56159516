"""Choosers: voters who meet a model far more often than the arena shows it, and push it.

Pairs are drawn by the arena, so nobody can choose. Whoever abandons battles until the model appears can, and is told
by the share of a day's votes that are on the model. For each model the voters of each day are a mixture of two kinds:
most meet it at the common rate, some at twice the rate at least. The mixture is fitted by expectation maximisation
(Dempster, Laird and Rubin 1977) to numbers of votes and to wins against losses; a tie tells nothing, since people tie
to different degrees. It counts only if the rates alone, without any outcome, are evidence for two kinds, and if those
who are told by the rates alone push the model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from arena_rating import sums_of_kinds
from arena_trust.integrity.cast_votes import DAY, distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.model_hits import ModelHits

EVIDENCE: Final = 8.0
"""Logarithm of the likelihood ratio, less that of the number of tests, from which there are two kinds."""
SURE: Final = 0.8
"""Chance of being a chooser from which votes do not count."""
LEAST_PUSH: Final = 0.2
"""Least share of votes that only pushing explains, less two standard errors."""
LEAST_Z: Final = 4.0
"""Standard errors from which the scores of the choosers are no chance."""
LEAST_HITS: Final = 20
LEAST_CHOSEN: Final = 5
RATIO: Final = 2.0
"""Least ratio of the rates at which the two kinds meet the model."""
_ROUNDS: Final = 40
_BOUND: Final = 0.03
"""Least share of wins, and of losses, that choosers are taken to have, so that a few losses clear none of them."""
_MOST_RATE: Final = 0.97
_MOST_COMMON: Final = 0.9


class VoterDays:
    """The days of a log's votes, and the numbers of votes by voter in a span of days."""

    def __init__(self, log: CastVotes) -> None:
        self.voter = log.voter
        self.voters = int(log.voter.max()) + 1
        self.day = log.second // DAY
        self._votes: dict[tuple[int, int], NDArray[np.float64]] = {}

    def votes(self, first: int, last: int) -> NDArray[np.float64]:
        """Votes of each voter from one day to another one, [voters]."""
        if (first, last) not in self._votes:
            voter = self.voter[(self.day >= first) & (self.day <= last)]
            self._votes[first, last] = np.bincount(voter, minlength=self.voters).astype(np.float64)
        return self._votes[first, last]


class Exposure(NamedTuple):
    """Voters of a day by votes and hits: those with hits [v], and numbers of those without by number of votes [u].

    Attributes:
        hits: float64 [v].
        votes: float64 [v].
        place: int64 [k], the index of each hit's voter.
        number: float64 [u], how many voters without hits have `idle` votes.
        idle: float64 [u].
        kind: int64 [v], index of each voter's hits and votes in `kinds`.
        kinds: float64 [2, w], the distinct pairs of hits and votes.
        totals: All hits, and all votes.
    """

    hits: NDArray[np.float64]
    votes: NDArray[np.float64]
    place: NDArray[np.intp]
    number: NDArray[np.float64]
    idle: NDArray[np.float64]
    kind: NDArray[np.intp]
    kinds: NDArray[np.float64]
    totals: tuple[float, float]

    @classmethod
    def of(cls, hits: ModelHits, days: VoterDays) -> Exposure:
        """The exposure in the days from the model's first vote to its last one."""
        day, voter = days.day[hits.rows], days.voter[hits.rows]
        votes = days.votes(int(day.min()), int(day.max()))
        count = np.bincount(voter, minlength=days.voters).astype(np.float64)
        active = np.flatnonzero(count)
        by_votes = np.bincount(votes[(count == 0) & (votes > 0)].astype(np.int64))
        idle = np.flatnonzero(by_votes)
        number, span = by_votes[idle].astype(np.float64), int(votes.max()) + 1
        keys, kind = distinct((count[active] * span + votes[active]).astype(np.int64), (int(count.max()) + 1) * span)
        return cls(
            count[active],
            votes[active],
            (np.cumsum(count > 0) - 1)[voter],
            number,
            idle.astype(np.float64),
            kind,
            np.stack([keys // span, keys % span]).astype(np.float64),
            (float(count[active].sum()), float(votes[active].sum() + (number * idle).sum())),
        )

    @property
    def rate(self) -> float:
        """The common rate of hits."""
        return self.totals[0] / self.totals[1]

    def log_chances(self, rate: float, base: float = 1.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Log-likelihoods [w] and [u] at a rate, less those at the rate `base` (1 for none)."""
        hit, miss = math.log(rate / base), math.log((1 - rate) / (1 - base if base < 1 else 1))
        hits, votes = self.kinds
        return hits * hit + (votes - hits) * miss, self.idle * miss

    def total(self, by_kind: NDArray[np.float64], idle: NDArray[np.float64]) -> float:
        """The sum over all voters of a quantity that is given by kind [w] and by number of votes [u]."""
        return float(by_kind[self.kind].sum()) + float((idle * self.number).sum())


class HitOutcomes(NamedTuple):
    """Outcomes of hits as the fit needs them.

    Attributes:
        kind: int64 [k], three times the hit's cell, and 1 more for a win, 2 for a loss.
        wins: Places of the voters of all wins.
        decided: Places of the voters of all wins and losses.
    """

    kind: NDArray[np.int64]
    wins: NDArray[np.intp]
    decided: NDArray[np.intp]

    @classmethod
    def of(cls, hits: ModelHits, place: NDArray[np.intp]) -> HitOutcomes:
        """The outcomes of hits whose voters are at these places."""
        is_win, is_loss = hits.score == 1, hits.score == 0
        return cls(3 * hits.cell + is_win + 2 * is_loss, place[is_win], place[is_win | is_loss])

    def log_ratios(self, chances: NDArray[np.float64], wins: float) -> NDArray[np.float64]:
        """Log ratios by kind of an outcome's chance among choosers, who win so often, and by the board; 0 for a tie."""
        ratios = np.zeros((len(chances), 3))
        ratios[:, 1], ratios[:, 2] = np.log(wins / chances), np.log((1 - wins) / (1 - chances))
        return ratios.ravel()


@dataclass(frozen=True, slots=True, eq=False)
class Choosers:
    """Votes of choosers on a model: `rows` in the log, log evidence of two kinds, and z of their scores."""

    model: int
    rows: NDArray[np.intp]
    evidence: float
    z: float


@dataclass(slots=True)
class _Mixture:
    """Parameters: share of choosers, rates of both kinds, and the share of wins of the choosers' wins and losses."""

    share: float
    common: float
    chosen: float
    wins: float = 0.5

    def odds(self, exposure: Exposure) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Log odds of being a chooser by rates alone, [w] and [u]."""
        prior = math.log(self.share) - math.log1p(-self.share)
        active, idle = exposure.log_chances(self.chosen, self.common)
        return prior + active, prior + idle

    def evidence(self, exposure: Exposure) -> float:
        """Log-likelihood ratio of two kinds against one, by rates alone."""
        odds, common = self.odds(exposure), exposure.log_chances(self.common)
        mixed = [
            rate + np.logaddexp(0.0, ratio) + math.log1p(-self.share) for rate, ratio in zip(common, odds, strict=True)
        ]
        return exposure.total(*mixed) - exposure.total(*exposure.log_chances(exposure.rate))


def find_choosers(days: VoterDays, hits: ModelHits, board: NDArray[np.float64]) -> Choosers | None:
    """The votes of choosers among the votes on a model; None if there is no evidence for any."""
    if len(hits.rows) < LEAST_HITS:
        return None
    exposure = Exposure.of(hits, days)
    rate = exposure.rate
    chance = ((exposure.hits / exposure.votes > RATIO * rate) & (exposure.hits >= 2)).astype(np.float64)
    if not chance.any() or RATIO * rate >= _MOST_COMMON:
        return None
    mixture = _Mixture(0.05, 0.8 * rate, min(0.9, max(0.3, 3 * rate)))
    outcomes, chances = HitOutcomes.of(hits, exposure.place), hits.chances(board)
    for count in range(_ROUNDS):
        if count % 4 == 0:
            chances = hits.chances(board, hits.strength(board, 1 - chance[exposure.place]))
        chance = _step(mixture, exposure, outcomes, chances, chance)
        if RATIO * mixture.common > _MOST_COMMON:
            return None
    evidence = mixture.evidence(exposure) - math.log(2 * (len(board) - 1))
    if evidence < EVIDENCE:
        return None
    by_rate = _logistic(mixture.odds(exposure)[0])[exposure.kind[exposure.place]] >= 0.5
    z = _push(hits.score[by_rate], chances[hits.cell[by_rate]])
    rows = hits.rows[chance[exposure.place] >= SURE]
    return Choosers(hits.model, rows, evidence, z) if z and len(rows) >= LEAST_CHOSEN else None


def _step(
    mixture: _Mixture,
    exposure: Exposure,
    outcomes: HitOutcomes,
    chances: NDArray[np.float64],
    chance: NDArray[np.float64],
) -> NDArray[np.float64]:
    """One round of expectation maximisation; returns the chances of being a chooser [v]."""
    wins = (float(chance[outcomes.wins].sum()) + 1) / (float(chance[outcomes.decided].sum()) + 2)
    mixture.wins = min(max(wins, _BOUND), 1 - _BOUND)
    active, idle = mixture.odds(exposure)
    ratios = outcomes.log_ratios(chances, mixture.wins)
    chance = _logistic(active[exposure.kind] + sums_of_kinds(exposure.place, outcomes.kind, ratios, len(chance)))
    idle = _logistic(idle) * exposure.number
    people = len(chance) + float(exposure.number.sum())
    mixture.share = min(0.5, max(1e-5, (float(chance.sum()) + float(idle.sum())) / people))
    chosen = float((chance * exposure.votes).sum() + (idle * exposure.idle).sum())
    chosen_hits, (all_hits, votes) = float((chance * exposure.hits).sum()), exposure.totals
    mixture.common = min(0.9, max(1e-4, (all_hits - chosen_hits) / max(votes - chosen, 1.0)))
    mixture.chosen = min(_MOST_RATE, max((chosen_hits + 0.5) / (chosen + 1), RATIO * mixture.common))
    return chance


def _push(score: NDArray[np.float64], expected: NDArray[np.float64]) -> float:
    """Standard errors by which scores differ from those expected; 0 if the difference is no evidence of a push."""
    if len(score) < LEAST_CHOSEN:
        return 0.0
    mean, fair = float(score.mean()), float(expected.mean())
    room = 1 - fair if mean > fair else fair
    share = abs(mean - fair) / room - 2 * max(float(score.std()), 0.1) / math.sqrt(len(score)) / room
    z = (mean - fair) * len(score) / math.sqrt(float((expected * (1 - expected)).sum()))
    return z if abs(z) >= LEAST_Z and share >= LEAST_PUSH else 0.0


def _logistic(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.5 + 0.5 * np.tanh(0.5 * odds)
