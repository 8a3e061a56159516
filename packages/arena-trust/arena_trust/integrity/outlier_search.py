"""The outlier search of the gate, which finds slices that push a model one by one, the strongest first.

A suspicion of one slice on one model comes before one of several. Evidence is multiplied by the least share of
attackers that explains it, so that small slices of attackers come before large honest ones that the attack makes look
guilty. The only slice of its division comes last: its judges are the votes without a slice, which may hold an attack.

The votes of a finding leave the board that judges the others, so that no attack hides another or makes honest slices
look guilty.
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
"""Chance of any finding in an honest log, shared evenly by the divisions."""
LEAST_GUILT: Final = 0.2
"""Least share of attackers among a slice's votes on a model for a finding."""
WHOLE_SLICE_SHARE: Final = 0.7
"""Share of attackers from which a finding takes all votes of the slice: the others are the attackers' cover."""
AGAIN_Z: Final = 2.8
"""z from which a slice with a finding has one on a second model."""
LIKEWISE_Z: Final = 3.5
"""z from which a further slice of a division has a finding on the same model in the same direction."""
MIN_SLICES: Final = 20
"""Slices of a division from which their spread tells how much honest slices differ."""
MOST_INFLATION: Final = 1.5
_ROUNDS: Final = 80


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Slices of a division that push the same one or two models; `evidence` is the log p-value.

    `table` is 2 * division for wins, and one more for losses. `bound` is the largest log p-value of a finding; None if
    an earlier finding on the slice or the model is enough.
    """

    evidence: float
    table: int
    slices: tuple[int, ...]
    models: tuple[int, ...]
    bound: float | None


@dataclass(frozen=True, slots=True)
class SliceFinding:
    """Votes of a slice that lose their weight, `rows` in the log; the sign of `z` is the direction of the push."""

    division: str
    model: int
    z: float
    rows: NDArray[np.intp]


class OutlierSearch:
    """The state of a search: votes that keep their weight, and findings so far; `undecided` models have none."""

    def __init__(self, log: CastVotes, divisions: Sequence[VoteDivision], undecided: Collection[int] = ()) -> None:
        self.log, self.divisions, self.undecided = log, divisions, set(undecided)
        self.heard = np.ones(len(log), np.bool_)
        self.guilty: set[tuple[int, int]] = set()
        self.pushed: dict[tuple[int, int], set[int]] = {}
        self.dismissed: set[tuple[int, tuple[int, ...], tuple[int, ...]]] = set()
        self.slices: list[NDArray[np.float64]] = []

    @property
    def contested(self) -> set[int]:
        """Models pushed by so many slices of a division that the honest side is unknown."""
        return {
            model
            for (table, model), slices in self.pushed.items()
            if len(slices) > max(1.0, self.slices[table][model] / MOST_GUILTY)
        }

    def run(self) -> Iterator[SliceFinding]:
        """Yield the strongest finding and search again, until there is none."""
        estimate = None
        for _ in range(_ROUNDS if self.divisions else 0):
            votes = HeardVotes.judge(self.log, np.flatnonzero(self.heard), estimate)
            estimate = votes.estimate
            tables = [
                table
                for division in self.divisions
                for table in votes.tables(division.code[votes.rows], division.slices)
            ]
            self.slices = self.slices or [table.slices for table in tables]
            suspicions = [entry for entry in self._suspicions(tables) if self.undecided.isdisjoint(entry.models)]
            suspicions.sort(key=lambda entry: self._rank(entry, tables, votes))
            findings = next(filter(None, (self._uphold(entry, tables, votes) for entry in suspicions)), None)
            if findings is None or self.contested:
                return
            for finding in findings:
                self.heard[finding.rows] = False
                yield finding

    def _suspicions(self, tables: Sequence[SliceTable]) -> Iterator[Suspicion]:
        """Slices beyond chance in any division, and slices related to earlier findings."""
        for number, table in enumerate(tables):
            z, is_tested = table.z(), table.tested
            if not is_tested.any():
                continue
            rate = math.log(RATE / len(tables))
            for slice_, model in self._find_related(number, z):
                evidence = float(log_tail(z[slice_ : slice_ + 1, model])[0])
                yield Suspicion(evidence, number, (slice_,), (model,), None)
            if len(z) >= MIN_SLICES:
                z = z / math.sqrt(min(inflation(z[is_tested]), MOST_INFLATION))
            yield from _beyond_chance(number, z, is_tested, rate)

    def _find_related(self, number: int, z: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
        """Slices and models of table `number` that need less evidence because of earlier findings."""
        for slice_ in sorted(slice_ for division, slice_ in self.guilty if division == number // 2):
            model = int(z[slice_].argmax())
            if z[slice_, model] > AGAIN_Z:
                yield slice_, model
        for model in sorted(model for table, model in self.pushed if table == number):
            slice_ = int(z[:, model].argmax())
            if z[slice_, model] > LIKEWISE_Z:
                yield slice_, model

    def _rank(self, suspicion: Suspicion, tables: Sequence[SliceTable], votes: HeardVotes) -> tuple[int, float]:
        """Sort key: one slice on one model first, the only slice of a division last; then evidence x guilt."""
        division, table = self.divisions[suspicion.table // 2], tables[suspicion.table]
        code = division.code[votes.rows]
        guilt = max(
            _guilt(votes, code == slice_, suspicion.table % 2, table, slice_, model)
            for slice_ in suspicion.slices
            for model in suspicion.models
        )
        is_single = len(suspicion.slices) == len(suspicion.models) == 1
        return 2 if division.slices == 1 else int(not is_single), suspicion.evidence * guilt

    def _uphold(self, suspicion: Suspicion, tables: Sequence[SliceTable], votes: HeardVotes) -> list[SliceFinding]:
        """The findings of a suspicion, none if honest differences between slices explain it."""
        key = suspicion.table, suspicion.slices, suspicion.models
        if key in self.dismissed:
            return []
        (number, direction), table = divmod(suspicion.table, 2), tables[suspicion.table]
        division = self.divisions[number]
        code, models = division.code[votes.rows], list(suspicion.models)
        is_on_models = np.isin(votes.sides, models).any(axis=0)
        power = 0.0
        findings: list[SliceFinding] = []
        for slice_ in suspicion.slices:
            in_slice = code == slice_
            honest = (
                0.0
                if suspicion.bound is None
                else honest_variance(votes, division, direction, in_slice & ~is_on_models)
            )
            variance = table.variance[slice_, models]
            power += float((variance / (variance + honest)).mean()) / len(suspicion.slices)
            guilt = max(_guilt(votes, in_slice, direction, table, slice_, model) for model in models)
            if guilt >= LEAST_GUILT or (number, slice_) in self.guilty:
                rows = votes.rows[in_slice if guilt >= WHOLE_SLICE_SHARE else in_slice & is_on_models]
                z = float(table.z()[slice_, models[0]]) * (1 - 2 * direction)
                findings.append(SliceFinding(division.name, models[0], z, rows))
        if suspicion.bound is not None and suspicion.evidence * power > suspicion.bound:
            findings = []
        if findings:
            self.guilty |= {(number, slice_) for slice_ in suspicion.slices}
            self.pushed.setdefault((suspicion.table, models[0]), set()).update(suspicion.slices)
        else:
            self.dismissed.add(key)
        return findings


def _beyond_chance(
    number: int, z: NDArray[np.float64], is_tested: NDArray[np.bool_], rate: float
) -> Iterator[Suspicion]:
    """Suspicions of table `number` beyond chance at the log p-value `rate`, corrected for the number of tests."""
    evidence, count, order = join_slices(z, is_tested)
    bound = rate - math.log(z.shape[1])
    for model in np.flatnonzero(evidence <= bound).tolist():
        slices = tuple(sorted(order[: count[model], model].tolist()))
        yield Suspicion(float(evidence[model]), number, slices, (model,), bound)
    if z.shape[1] > 2:  # of two models alone, one rises when the other falls
        joint_evidence, models = pairs(z)
        count = is_tested.sum(axis=1)
        bound = rate - math.log(max(1, int((count * (count - 1)).sum() // 2)))
        second_z = np.take_along_axis(z, models, axis=1)[:, 1]
        for slice_ in np.flatnonzero((joint_evidence <= bound) & (second_z > 2)).tolist():  # standard errors
            yield Suspicion(float(joint_evidence[slice_]), number, (slice_,), tuple(models[slice_].tolist()), bound)


def honest_variance(votes: HeardVotes, division: VoteDivision, direction: int, mask: NDArray[np.bool_]) -> float:
    """Variance of a slice's honest preferences, from its votes on other models (`mask`), within the tolerance."""
    table = votes.tables(np.where(mask, 0, UNKNOWN), 1)[direction]
    has_votes = table.votes >= 8  # with fewer votes a model's shift tells little
    if np.count_nonzero(has_votes) <= 2:  # models
        return 0.0
    variance = table.variance[has_votes]
    excess = inflation(table.shift[has_votes] / np.sqrt(variance)) - 1
    return min(excess * float(np.median(variance)), division.tolerance**2)


def _guilt(
    votes: HeardVotes, mask: NDArray[np.bool_], direction: int, table: SliceTable, slice_: int, model: int
) -> float:
    """Least share of attackers among a slice's votes on a model that explains its score there."""
    is_on_model = mask & (votes.sides == model)
    mean = float((votes.won[::-1] if direction else votes.won)[is_on_model].mean())
    excess = float(table.shift[slice_, model] * table.information[slice_, model]) / np.count_nonzero(is_on_model)
    return excess / max(1 - (mean - excess), excess, 1e-9)
