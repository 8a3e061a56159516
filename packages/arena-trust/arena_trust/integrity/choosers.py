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

from arena_trust.integrity.cast_votes import DAY, CastVotes

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
_MOST_RATE: Final = 0.97
_MOST_COMMON: Final = 0.9


class Exposure(NamedTuple):
    """Voters of a day by votes and hits: those with hits [v], and numbers of those without by number of votes [u].

    `place` [k] is the index of each hit's voter.
    """

    hits: NDArray[np.float64]
    votes: NDArray[np.float64]
    place: NDArray[np.intp]
    number: NDArray[np.float64]
    idle: NDArray[np.float64]

    @classmethod
    def of(cls, hits: ModelHits, log: CastVotes) -> Exposure:
        """The exposure in the days from the model's first vote to its last one."""
        day = log.second // DAY
        first, last = int(day[hits.rows].min()), int(day[hits.rows].max())
        voters = int(log.voter.max()) + 1
        votes = np.bincount(log.voter[(day >= first) & (day <= last)], minlength=voters).astype(np.float64)
        count = np.bincount(log.voter[hits.rows], minlength=voters).astype(np.float64)
        active = np.flatnonzero(count)
        by_votes = np.bincount(votes[(count == 0) & (votes > 0)].astype(np.int64))
        idle = np.flatnonzero(by_votes)
        return cls(
            count[active],
            votes[active],
            np.searchsorted(active, log.voter[hits.rows]),
            by_votes[idle].astype(np.float64),
            idle.astype(np.float64),
        )

    @property
    def rate(self) -> float:
        """The common rate of hits."""
        return float(self.hits.sum() / (self.votes.sum() + (self.number * self.idle).sum()))

    def log_chances(self, rate: float, base: float = 1.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Log-likelihoods [v] and [u] at a rate, less those at the rate `base` (1 for none)."""
        hit, miss = math.log(rate / base), math.log((1 - rate) / (1 - base if base < 1 else 1))
        return self.hits * hit + (self.votes - self.hits) * miss, self.idle * miss


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
        """Log odds of being a chooser by rates alone, [v] and [u]."""
        prior = math.log(self.share) - math.log1p(-self.share)
        active, idle = exposure.log_chances(self.chosen, self.common)
        return prior + active, prior + idle

    def evidence(self, exposure: Exposure) -> float:
        """Log-likelihood ratio of two kinds against one, by rates alone."""
        single = [float(part.sum()) for part in _weighted(exposure, exposure.log_chances(exposure.rate))]
        odds, common = self.odds(exposure), exposure.log_chances(self.common)
        mixed = tuple(
            rate + np.logaddexp(0.0, ratio) + math.log1p(-self.share) for rate, ratio in zip(common, odds, strict=True)
        )
        return sum(float(part.sum()) for part in _weighted(exposure, (mixed[0], mixed[1]))) - sum(single)


def _weighted(
    exposure: Exposure, parts: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return parts[0], parts[1] * exposure.number


def find_choosers(log: CastVotes, hits: ModelHits, board: NDArray[np.float64]) -> Choosers | None:
    """The votes of choosers among the votes on a model; None if there is no evidence for any."""
    if len(hits.rows) < LEAST_HITS:
        return None
    exposure = Exposure.of(hits, log)
    rate = exposure.rate
    chance = ((exposure.hits / exposure.votes > RATIO * rate) & (exposure.hits >= 2)).astype(np.float64)
    if not chance.any() or RATIO * rate >= _MOST_COMMON:
        return None
    mixture = _Mixture(0.05, 0.8 * rate, min(0.9, max(0.3, 3 * rate)))
    expected = hits.expected(board)
    for count in range(_ROUNDS):
        if count % 4 == 0:
            expected = hits.expected(board, hits.strength(board, 1 - chance[exposure.place]))
        chance = _step(mixture, exposure, hits, expected, chance)
        if RATIO * mixture.common > _MOST_COMMON:
            return None
    evidence = mixture.evidence(exposure) - math.log(2 * len(log.names))
    if evidence < EVIDENCE:
        return None
    by_rate = _logistic(mixture.odds(exposure)[0])[exposure.place] >= 0.5
    z = _push(hits.score[by_rate], expected[by_rate])
    rows = hits.rows[chance[exposure.place] >= SURE]
    return Choosers(hits.model, rows, evidence, z) if z and len(rows) >= LEAST_CHOSEN else None


def _step(
    mixture: _Mixture,
    exposure: Exposure,
    hits: ModelHits,
    expected: NDArray[np.float64],
    chance: NDArray[np.float64],
) -> NDArray[np.float64]:
    """One round of expectation maximisation; returns the chances of being a chooser [v]."""
    is_win, is_loss, weight = hits.score == 1, hits.score == 0, chance[exposure.place]
    wins = (float(weight[is_win].sum()) + 1) / (float(weight[is_win | is_loss].sum()) + 2)
    mixture.wins = min(max(wins, _BOUND), 1 - _BOUND)
    outcome = np.where(is_win, np.log(mixture.wins / expected), 0.0)
    outcome = np.where(is_loss, np.log((1 - mixture.wins) / (1 - expected)), outcome)
    active, idle = mixture.odds(exposure)
    chance = _logistic(active + np.bincount(exposure.place, outcome, len(active)))
    idle = _logistic(idle) * exposure.number
    people = len(active) + float(exposure.number.sum())
    mixture.share = min(0.5, max(1e-5, (float(chance.sum()) + float(idle.sum())) / people))
    chosen = float((chance * exposure.votes).sum() + (idle * exposure.idle).sum())
    chosen_hits, all_hits = float((chance * exposure.hits).sum()), float(exposure.hits.sum())
    votes = float(exposure.votes.sum() + (exposure.number * exposure.idle).sum())
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
