"""The outlier search of the gate: slices that push a model are found one after the other, the strongest first.

Single slices on one model go before several together, and small ones of attackers before large ones of honest people
whom these make look guilty: evidence is multiplied by the least share of attackers that explains it, and a slice that
is judged by one rest alone, in which an attack may be, comes after those that are judged by many others.

The votes that a finding takes leave the board by which all others are judged, so that no attack shields another and
none makes honest slices look guilty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import UNKNOWN
from arena_trust.integrity.evidence import MOST_GUILTY, join_slices, log_tail, pairs
from arena_trust.integrity.residuals import HeardVotes, SliceTable, inflation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.divisions import VoteDivision

RATE: Final = 0.001
"""Chance that anything is found in an honest log; each division has an even share of it."""
LEAST_GUILT: Final = 0.2
"""Least share of attackers among a slice's votes on a model that is acted on."""
WHOLE: Final = 0.7
"""The same share from which all votes of the slice are taken: the others are their cover."""
AGAIN_Z: Final = 2.8
"""Standard errors from which a slice that pushes one model is found to push another."""
LIKEWISE_Z: Final = 3.5
"""The same from which other slices of its division are found to push the same model in the same direction."""
MANY: Final = 20
"""Slices of a division from which their spread tells how much honest ones differ."""
MOST_INFLATION: Final = 1.5
_ROUNDS: Final = 80


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Slices of a division that push the same one or two models, with the logarithm of their p-value.

    Tables go by division, that of wins and that of losses.
    `bound` is the largest such logarithm that is a finding; None where the slice has been found on another model.
    """

    evidence: float
    table: int
    slices: tuple[int, ...]
    models: tuple[int, ...]
    bound: float | None


@dataclass(frozen=True, slots=True)
class SliceFinding:
    """Loss of one slice: the places of its votes, on one model or all; `z` is signed by the direction."""

    division: str
    model: int
    z: float
    rows: NDArray[np.intp]


class OutlierSearch:
    """The state of a run: votes that are still heard, and what was found; on `undecided` models nothing is."""

    def __init__(self, log: CastVotes, ways: Sequence[VoteDivision], undecided: Collection[int] = ()) -> None:
        self.log, self.ways, self.undecided = log, ways, set(undecided)
        self.heard = np.ones(len(log), np.bool_)
        self.found: set[tuple[int, int]] = set()
        self.pushed: dict[tuple[int, int], set[int]] = {}
        self.dismissed: set[tuple[int, tuple[int, ...], tuple[int, ...]]] = set()
        self.slices: list[NDArray[np.float64]] = []

    @property
    def contested(self) -> set[int]:
        """Models that so many slices of a division were found to push that nobody can know which side is honest."""
        return {
            model
            for (table, model), slices in self.pushed.items()
            if len(slices) > max(1.0, self.slices[table][model] / MOST_GUILTY)
        }

    def run(self) -> Iterator[SliceFinding]:
        """Accept the strongest finding and look again, until there is none."""
        place = None
        for _ in range(_ROUNDS if self.ways else 0):
            votes = HeardVotes.judge(self.log, np.flatnonzero(self.heard), place)
            place = votes.place
            tables = [table for way in self.ways for table in votes.tables(way.code[votes.rows], way.slices)]
            self.slices = self.slices or [table.slices for table in tables]
            suspicions = [one for one in self._suspicions(tables) if self.undecided.isdisjoint(one.models)]
            suspicions.sort(key=lambda one: self._rank(one, tables, votes))
            findings = next(filter(None, (self._uphold(one, tables, votes) for one in suspicions)), None)
            if findings is None or self.contested:
                return
            for finding in findings:
                self.heard[finding.rows] = False
                yield finding

    def _suspicions(self, tables: Sequence[SliceTable]) -> Iterator[Suspicion]:
        """Slices beyond chance in any division, and whatever else slices push that were found before."""
        for number, table in enumerate(tables):
            z, is_tested = table.z(), table.tested
            if not is_tested.any():
                continue
            rate = math.log(RATE / len(tables))
            for slice_, model in self._find_related(number, z):
                evidence = float(log_tail(z[slice_ : slice_ + 1, model])[0])
                yield Suspicion(evidence, number, (slice_,), (model,), None)
            if len(z) >= MANY:
                z = z / math.sqrt(min(inflation(z[is_tested]), MOST_INFLATION))
            yield from _beyond_chance(number, z, is_tested, rate)

    def _find_related(self, number: int, z: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
        """Slices and models of table `number` for which less evidence is enough, since related ones were found."""
        for slice_ in sorted(slice_ for way, slice_ in self.found if way == number // 2):
            model = int(z[slice_].argmax())
            if z[slice_, model] > AGAIN_Z:
                yield slice_, model
        for model in sorted(model for table, model in self.pushed if table == number):
            slice_ = int(z[:, model].argmax())
            if z[slice_, model] > LIKEWISE_Z:
                yield slice_, model

    def _rank(self, suspicion: Suspicion, tables: Sequence[SliceTable], votes: HeardVotes) -> tuple[int, float]:
        """Place of a suspicion, then evidence x guilt: first one slice on one model, last what one rest judges."""
        way, table = self.ways[suspicion.table // 2], tables[suspicion.table]
        code = way.code[votes.rows]
        guilt = max(
            _guilt(votes, code == slice_, suspicion.table % 2, table, slice_, model)
            for slice_ in suspicion.slices
            for model in suspicion.models
        )
        is_single = len(suspicion.slices) == len(suspicion.models) == 1
        return 2 if way.slices == 1 else int(not is_single), suspicion.evidence * guilt

    def _uphold(self, suspicion: Suspicion, tables: Sequence[SliceTable], votes: HeardVotes) -> list[SliceFinding]:
        """The findings of a suspicion, none if honest differences between slices explain it."""
        key = suspicion.table, suspicion.slices, suspicion.models
        if key in self.dismissed:
            return []
        (division, direction), table = divmod(suspicion.table, 2), tables[suspicion.table]
        way = self.ways[division]
        code, models = way.code[votes.rows], list(suspicion.models)
        is_on_models = np.isin(votes.sides, models).any(axis=0)
        power = 0.0
        findings: list[SliceFinding] = []
        for slice_ in suspicion.slices:
            in_slice = code == slice_
            honest = (
                0.0 if suspicion.bound is None else honest_variance(votes, way, direction, in_slice & ~is_on_models)
            )
            variance = table.variance[slice_, models]
            power += float((variance / (variance + honest)).mean()) / len(suspicion.slices)
            guilt = max(_guilt(votes, in_slice, direction, table, slice_, model) for model in models)
            if guilt >= LEAST_GUILT or (division, slice_) in self.found:
                rows = votes.rows[in_slice if guilt >= WHOLE else in_slice & is_on_models]
                z = float(table.z()[slice_, models[0]]) * (1 - 2 * direction)
                findings.append(SliceFinding(way.name, models[0], z, rows))
        if suspicion.bound is not None and suspicion.evidence * power > suspicion.bound:
            findings = []
        if findings:
            self.found |= {(division, slice_) for slice_ in suspicion.slices}
            self.pushed.setdefault((suspicion.table, models[0]), set()).update(suspicion.slices)
        else:
            self.dismissed.add(key)
        return findings


def _beyond_chance(
    number: int, z: NDArray[np.float64], is_tested: NDArray[np.bool_], rate: float
) -> Iterator[Suspicion]:
    """Slices of division `number` that push a model up beyond what chance explains at the logarithm `rate`."""
    evidence, count, order = join_slices(z, is_tested)
    bound = rate - math.log(z.shape[1])
    for model in np.flatnonzero(evidence <= bound).tolist():
        slices = tuple(sorted(order[: count[model], model].tolist()))
        yield Suspicion(float(evidence[model]), number, slices, (model,), bound)
    if z.shape[1] > 2:  # of two models one rises when the other falls
        joint_evidence, models = pairs(z)
        count = is_tested.sum(axis=1)
        bound = rate - math.log(max(1, int((count * (count - 1)).sum() // 2)))
        second_z = np.take_along_axis(z, models, axis=1)[:, 1]
        for slice_ in np.flatnonzero((joint_evidence <= bound) & (second_z > 2)).tolist():  # standard errors
            yield Suspicion(float(joint_evidence[slice_]), number, (slice_,), tuple(models[slice_].tolist()), bound)


def honest_variance(votes: HeardVotes, way: VoteDivision, direction: int, mask: NDArray[np.bool_]) -> float:
    """Variance of a slice's preferences, from its votes on all but the suspected models, at most the division's."""
    table = votes.tables(np.where(mask, 0, UNKNOWN), 1)[direction]
    has_votes = table.votes >= 8  # votes on a model from which its difference is counted
    if np.count_nonzero(has_votes) <= 2:  # models
        return 0.0
    variance = table.variance[has_votes]
    excess = inflation(table.shift[has_votes] / np.sqrt(variance)) - 1
    return min(excess * float(np.median(variance)), way.tolerance**2)


def _guilt(
    votes: HeardVotes, mask: NDArray[np.bool_], direction: int, table: SliceTable, slice_: int, model: int
) -> float:
    """Least share of attackers among the slice's votes on the model that explains its score."""
    is_on_model = mask & (votes.sides == model)
    count = np.count_nonzero(is_on_model)
    if not count:
        return 0.0
    mean = float((votes.won[::-1] if direction else votes.won)[is_on_model].mean())
    excess = float(table.shift[slice_, model] * table.information[slice_, model]) / count
    return excess / max(1 - (mean - excess), excess, 1e-9)
