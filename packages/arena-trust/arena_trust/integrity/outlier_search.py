"""The outlier search of the gate: findings are accepted one after the other, the strongest first.

The votes of an accepted finding leave the board by which all others are judged, so that no attack shields another and
none makes honest slices look guilty. What they lose depends on the least share of the slice's votes that must come from
attackers to explain its residual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.distinct_keys import distinct
from arena_trust.integrity.findings import SliceFinding, find_outliers
from arena_trust.integrity.pooling import SCORES, Ballots, DivisionTally
from arena_trust.integrity.reference import Counts, Reference, fit
from arena_trust.integrity.slices import days_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.slices import VoteDivision

EXCLUDED_FROM: Final = 0.3
"""Least share of attackers among a slice's votes on a model from which these weigh nothing; below, a quarter."""
COVER_FROM: Final = 0.6
"""The same share from which the slice's votes on other models are taken for their cover, if |z| is `COVER_Z`."""
COVER_Z: Final = 6.0
SMALL_COVER_FROM: Final = 0.5
SMALL_COVER_Z: Final = 4.0
"""The same for a slice with at most `SMALL` of all votes."""
SMALL: Final = 0.02
MOST_EVEN: Final = 0.3
"""Share of a model's voters that may be found to have a score nearer to even than expected."""
_DESIGN: Final = 1.5
_ROUNDS: Final = 80


class OutlierSearch:
    """The state of a run: votes that are still heard, the board they make, and the weights so far."""

    def __init__(self, log: CastVotes, doubted: NDArray[np.bool_], trust: float, ways: Sequence[VoteDivision]) -> None:
        self.log, self.ways, self.size = log, list(ways), len(log.names)
        self.ballots, self.score = Ballots(log, doubted, trust), SCORES[log.outcome]
        self.pools = [DivisionTally(way, self.ballots) for way in ways]
        self.whole = self._counts(np.arange(len(log)))
        self.board = fit(self.whole)
        self.total = self._votes(np.arange(len(log)))
        self.heard, self.weight = np.ones(len(log), np.bool_), np.ones(len(log))
        self.noise = self._noise()
        self.slices: set[tuple[int, int]] = set()
        self.given, self.divided = len(self.ways), set[tuple[int, int]]()
        self.even: list[tuple[int, NDArray[np.intp]]] = []
        self.accepted: list[tuple[str, str, float]] = []
        self.finding = np.full(len(log), -1)

    def run(self) -> None:
        """Accept the strongest findings and look again, until there are none."""
        for _ in range(_ROUNDS if self.pools else 0):
            residuals = [pool.residuals(self.whole, self.board, self.noise) for pool in self.pools]
            outliers = find_outliers(self.ways, residuals, self.total, self.slices)
            if not outliers.foremost and not self._divide(outliers.large):
                break
            for finding in outliers.foremost:
                self._accept(finding)
            self.noise = self._noise()
        self._acquit()

    def _divide(self, large: Sequence[tuple[int, int]]) -> bool:
        """Divide slices that are too large to be judged by day; whether there is one that is not divided yet."""
        new = [place for place in large if place[0] < self.given and place not in self.divided]
        for number, code in new:
            way = days_of(self.ways[number], code, self.log)
            self.divided.add((number, code))
            self.ways.append(way)
            self.pools.append(DivisionTally(way, self.ballots))
            self.pools[-1].take_out(self.ballots, np.flatnonzero(~self.heard))
        return bool(new)

    def _acquit(self) -> None:
        """Give weights back where many voters are found to have an even score: then the others are the attack."""
        log = self.log
        for model in {model for model, _ in self.even}:
            rows = np.concatenate([rows for which, rows in self.even if which == model])
            everybody = np.unique(log.voter[(log.left == model) | (log.right == model)])
            if len(np.unique(log.voter[rows])) > MOST_EVEN * len(everybody):
                self.weight[rows] = 1.0

    def _accept(self, finding: SliceFinding) -> None:
        log, way = self.log, self.ways[finding.division]
        mine = self.heard & (way.code == finding.code)
        on = mine & ((log.left == finding.model) | (log.right == finding.model))
        if not on.any():
            return
        guilt, expected = finding.guilt, finding.expected
        small = np.count_nonzero(mine) <= SMALL * np.count_nonzero(self.heard)
        least, z = (SMALL_COVER_FROM, SMALL_COVER_Z) if small else (COVER_FROM, COVER_Z)
        cover = guilt >= least and abs(finding.z) >= z
        rows = np.flatnonzero(mine if cover else on)
        self.weight[rows] = 0.0 if guilt >= EXCLUDED_FROM else 0.25
        self.finding[rows] = len(self.accepted)
        if abs(expected + finding.excess - 0.5) < abs(expected - 0.5):
            self.even.append((finding.model, rows))
        self.slices.add((finding.division, finding.code))
        self.accepted.append((way.name, log.names[finding.model], finding.z))
        self._take_out(rows)

    def _take_out(self, rows: NDArray[np.intp]) -> None:
        self.heard[rows] = False
        for pool in self.pools:
            pool.take_out(self.ballots, rows)
        self.whole = self.whole.without(self._counts(rows))
        self.board = fit(self.whole, self.board.place)
        self.total = self.total - self._votes(rows)

    def _counts(self, rows: NDArray[np.intp]) -> Counts:
        sums = self.ballots.sums(self.ballots.pair[rows], rows, self.size**2)
        return Counts(*sums[2:].reshape(2, self.size, self.size))

    def _votes(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        sides = (
            np.bincount(self.log.left[rows], minlength=self.size),
            np.bincount(self.log.right[rows], minlength=self.size),
        )
        return (sides[0] + sides[1]).astype(np.float64)

    def _noise(self) -> float:
        """The noise of the votes that are heard."""
        rows = np.flatnonzero(self.heard)
        return _noise(self.log.rows(rows), self.board, self.score[rows])


def _noise(log: CastVotes, board: Reference, score: NDArray[np.float64]) -> float:
    """Variance of a vote over that of a win or loss: below 1 as ties vary less, above as voters repeat themselves.

    The second factor is the variance of voters' sums per model over that of as many independent votes, between 1 and
    1.5: an attack raises it, and must not be able to hide behind it.
    """
    size, pair = len(log.names), log.left.astype(np.int64) * len(log.names) + log.right
    rest = score - board.chance.ravel()[pair]
    voter, bound = log.voter.astype(np.int64) * size, (int(log.voter.max()) + 1) * size
    _, cell = distinct(np.concatenate([voter + log.left, voter + log.right]), bound)
    sums = np.bincount(cell, np.concatenate([rest, -rest]))
    squares = float((rest**2).sum())
    design = min(max(float((sums**2).sum()) / max(2 * squares, 1e-9), 1.0), _DESIGN)
    return design * squares / max(float(board.spread.ravel()[pair].sum()), 1e-9)
