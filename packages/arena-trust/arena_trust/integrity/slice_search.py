"""The gate's search: choosers first, then the part that differs most, one after another.

A part loses its votes on a model only if it is hostile to a large share, if at most a third of the model's votes would
then be hostile, and if the other explanation needs more hostile votes than an arena has (or if the part meets the model
more often than the arena shows it). If both explanations fit, or neither, nobody loses a vote and the model is
contested, with the points by which the part moves it. After each finding the board is fitted again without these votes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from arena_trust.integrity.choosers import Choosers, VoterDays, find_choosers
from arena_trust.integrity.divisions import scanned_divisions
from arena_trust.integrity.explanations import Explanation, explain, honest_spread
from arena_trust.integrity.remaining_votes import RemainingVotes
from arena_trust.integrity.subset_scan import VotePart, scan
from arena_trust.integrity.verdicts import CHOSEN, POOLED, REASONS, VoteWeights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.divisions import VoteDivision
    from arena_trust.integrity.model_hits import ModelHits
    from arena_trust.integrity.subset_scan import Scores, Sets

FINDING: Final = 6.0
"""Value of a part (log-likelihood ratio less its price) from which it may lose its votes; honest logs reach 4."""
CONTESTED: Final = 4.0
"""Value of a part from which a model may be contested."""
AGAIN: Final = -5.0
"""Value from which a further part may lose its votes, where one that pushes the model the same way was found."""
LEAST_GUILT: Final = 0.4
"""Least share of hostile votes in a part, less two standard errors: in an average model 150 points of taste."""
LEAST_GUILT_AGAIN: Final = 0.25
NO_TASTE: Final = 0.8
"""The same, from which no taste explains a part, however much honest voters differ on other models."""
MOST_HOSTILE: Final = 0.34
"""Largest share of hostile votes on a model for a finding."""
MOST_LOST: Final = 0.36
"""Largest share of a model's votes that one finding takes."""
LEAST_OTHERWISE: Final = 0.3
"""Share of hostile votes on a model that the other explanation needs at least, so that it does not fit."""
CHOICE_RATIO: Final = 1.3
CHOICE_Z: Final = 5.0
"""Exposure, as a ratio and in standard errors, from which a part chooses its battles."""
STRONG_GUILT: Final = 0.6
LEAST_OTHERWISE_STRONG: Final = 0.25
"""The same share for a part of at least this guilt."""
LEAST_HITS: Final = 20
LEAST_POINTS: Final = 10.0
"""Points by which a contested model may be wrong."""
SPREAD: Final = 0.05
"""Least standard deviation of a model's strength between honest parts, in natural units (9 points)."""
TASTE_SPREAD: Final = 0.3
"""The same between languages (52 points)."""
MOST_SPREAD: Final = 0.25
"""Largest standard deviation by which facts other than `TASTES` let honest strengths differ."""
TASTES: Final = frozenset({"language", "network", "client", "clock hour"})
"""Facts that honest tastes go with: a country has hours and networks of its own."""
_TIMES: Final = frozenset({"day", "clock hour"})
"""Facts with which the arena's own choice of pairs changes."""
_KNOWN: Final = 0.8
"""Share of votes in parts that were found on other models, from which a part is one of these."""
_AVOIDED_Z: Final = -3.0
"""Exposure in standard errors below which it is the others who meet the model more often."""
_CANDIDATE: Final = -6.5
ROUNDS: Final = 40


class PartSide(NamedTuple):
    """One of the two explanations of a part: the mask of the hostile votes [n], its direction, and its numbers."""

    mask: NDArray[np.bool_]
    down: bool
    explanation: Explanation


class Case(NamedTuple):
    """A part that is strong enough for a look.

    Attributes:
        part: The part.
        mask: Its votes, bool [n].
        hits: The votes on its model.
        value: Its value less what honest differences explain.
        capped: The same with the least honest differences.
        sides: The explanations that have votes: the part is hostile, or all others are.
    """

    part: VotePart
    mask: NDArray[np.bool_]
    hits: ModelHits
    value: float
    capped: float
    sides: tuple[PartSide, ...]


class SliceSearch:
    """The state of a search: votes that keep their weight (`heard`), and the findings so far."""

    def __init__(self, log: CastVotes) -> None:
        self.log = log
        self.heard = RemainingVotes(log)
        self.divisions = scanned_divisions(log)
        self.finding = np.full(len(log), -1)
        self.findings: list[tuple[str, str, float]] = []
        self.reasons: list[int] = []
        self.bounds: dict[int, float] = {}
        self.pushed: set[tuple[int, bool]] = set()
        self.dismissed: set[tuple[int, bool]] = set()
        self.guilty = np.zeros(len(log), np.bool_)

    def run(self, method: str) -> VoteWeights:
        """The verdict of all findings."""
        self._take_choosers()
        for _ in range(ROUNDS):
            if not self._round(self._parts()):
                break
        return self._verdict(method)

    def _round(self, parts: Iterator[tuple[VotePart, ModelHits]]) -> bool:
        """Judge parts up to the first strong one; returns whether there was any."""
        return any(self._judge(case) for part, hits in parts if (case := self._case(part, hits)))

    def _verdict(self, method: str) -> VoteWeights:
        names = self.log.names
        bounds = {names[model]: round(points, 1) for model, points in self.bounds.items()}
        return VoteWeights(
            method,
            self.heard.mask.astype(np.float64),
            self.finding,
            tuple(self.findings),
            tuple(sorted(bounds)),
            bounds,
            tuple(self.reasons),
        )

    def _take_choosers(self) -> None:
        left, days = set(range(len(self.log.names))), VoterDays(self.log)
        while left:
            candidates = [
                group
                for model in sorted(left)
                if (group := find_choosers(days, self.heard.hits(model), self.heard.board))
            ]
            if not candidates:
                return
            strongest: Choosers = max(candidates, key=lambda group: group.evidence)
            self._take(strongest.rows, "day's choice", strongest.model, strongest.z, CHOSEN)
            left = {group.model for group in candidates} - {strongest.model}

    def _take(self, rows: NDArray[np.intp], division: str, model: int, z: float, reason: str) -> None:
        self.finding[rows] = len(self.findings)
        self.findings.append((division, self.log.names[model], z))
        self.reasons.append(REASONS.index(reason))
        self.heard.take(rows)

    def _parts(self) -> Iterator[tuple[VotePart, ModelHits]]:
        """Parts worth a look, the strongest first, each with the votes on its model."""
        candidates: list[tuple[VotePart, ModelHits]] = []
        for model in range(len(self.log.names)):
            hits = self.heard.hits(model)
            if model not in self.bounds and len(hits.rows) >= LEAST_HITS:
                parts = self._scan(hits, hits.expected(self.heard.board), self.divisions)
                candidates.extend((part, hits) for part in parts if part.value > _CANDIDATE)
        candidates.sort(key=lambda pair: -pair[0].value)
        for part, hits in candidates:
            if (part.model, part.down) not in self.dismissed:
                yield part, hits

    def _scan(
        self, hits: ModelHits, expected: NDArray[np.float64], divisions: Mapping[str, VoteDivision]
    ) -> list[VotePart]:
        return scan(hits, expected, divisions, len(self.log.names), self._trimmed)

    def _trimmed(self, scores: Scores, sets: Sets) -> Sets:  # noqa: ARG002 - trimmed in later versions
        """The sets of a part without values that are in it by chance."""
        return sets

    def _case(self, part: VotePart, hits: ModelHits) -> Case | None:
        """The explanations of a part; None if it is too weak for a finding and for a contested model."""
        capped = _tolerant(part, 0.0)
        if capped <= self._least(part):
            return None
        mask = self._mask(part)
        value = _tolerant(part, honest_spread(self.heard, part.model, mask))
        meetings = self._meetings(part.model)
        sides = tuple(
            PartSide(side, down, explain(self.heard, hits, side, down=down, meetings=meetings))
            for side, down in ((mask, part.down), (~mask, not part.down))
            if side[hits.rows].any()
        )
        return Case(part, mask, hits, value, capped, sides)

    def _mask(self, part: VotePart) -> NDArray[np.bool_]:
        """The votes [n] of a part."""
        (name, values), *others = sorted(part.sets.items(), key=lambda entry: np.mean(entry[1]))
        rows = np.flatnonzero(values[self.divisions[name].code])
        for name, values in others:
            rows = rows[values[self.divisions[name].code[rows]]]
        mask = np.zeros(len(self.log), np.bool_)
        mask[rows] = True
        return mask

    def _least(self, part: VotePart) -> float:
        """The value from which a part is strong enough."""
        return AGAIN if (part.model, part.down) in self.pushed else CONTESTED

    def _meetings(self, model: int) -> NDArray[np.bool_]:  # noqa: ARG002 - depends on the model in later versions
        """The votes [n] by which it is judged how often a part meets the model."""
        return self.heard.mask

    def _judge(self, case: Case) -> bool:
        """Take votes, contest the model or dismiss the part."""
        if not self._take_side(case) and not self._contest(case):
            self.dismissed.add((case.part.model, case.part.down))
        return True

    def _take_side(self, case: Case) -> bool:
        """Take the votes of the only explanation that fits; returns whether there is one."""
        upheld = [side for side in case.sides if self._fits(side, case)]
        if len(upheld) == 1:
            self._uphold(upheld[0], case.part, case.hits)
        return len(upheld) == 1

    def _contest(self, case: Case) -> bool:
        """Contest the model if the part moves it; returns whether it does."""
        points = min(abs(side.explanation.points) for side in case.sides)
        enough = case.sides[0].explanation.votes >= LEAST_HITS and points >= LEAST_POINTS
        is_contested = case.value > self._least(case.part) and enough
        if is_contested:
            self.bounds[case.part.model] = points
        return is_contested

    def _fits(self, side: PartSide, case: Case) -> bool:
        """Whether the explanation that this side is hostile holds beyond doubt."""
        part, hits, value, capped = case.part, case.hits, case.value, case.capped
        numbers, again = side.explanation, (part.model, side.down) in self.pushed
        least, bound = (LEAST_GUILT_AGAIN, AGAIN) if again else (LEAST_GUILT, FINDING)
        is_guilty = (value > bound and numbers.guilt >= least) or (capped > bound and numbers.guilt >= NO_TASTE)
        rows = hits.rows[side.mask[hits.rows]]
        chooses = (
            numbers.exposure >= CHOICE_RATIO
            and numbers.exposure_z >= CHOICE_Z
            and not set(part.sets) <= _TIMES
            and numbers.share <= 1 - LEAST_GUILT
        )
        least_otherwise = LEAST_OTHERWISE_STRONG if numbers.guilt >= STRONG_GUILT else LEAST_OTHERWISE
        is_alone = (
            numbers.hostile <= MOST_HOSTILE and numbers.share <= MOST_LOST and numbers.otherwise > least_otherwise
        )
        is_known = float(self.guilty[rows].mean()) >= _KNOWN
        avoids = self._avoids(numbers, _AVOIDED_Z)
        return numbers.votes >= LEAST_HITS and is_guilty and not avoids and (chooses or is_alone or is_known)

    def _avoids(self, numbers: Explanation, bound: float) -> bool:
        """Whether it is the others who meet the model more often."""
        return numbers.exposure_z <= bound

    def _uphold(self, side: PartSide, part: VotePart, hits: ModelHits) -> None:
        z, taken = side.explanation.z * (-1 if side.down else 1), self._taken(side, hits)
        self._take(hits.rows[taken[hits.rows]], " and ".join(sorted(part.sets)), part.model, z, POOLED)
        self.pushed.add((part.model, side.down))
        self.guilty |= taken

    def _taken(self, side: PartSide, hits: ModelHits) -> NDArray[np.bool_]:  # noqa: ARG002 - in later versions
        """The votes [n] among which those on the model are taken."""
        return side.mask


def _tolerant(part: VotePart, spread: float) -> float:
    """The value of a part less what honest differences explain, given their variance on other models."""
    facts = set(part.sets)
    least = TASTE_SPREAD if "language" in facts else SPREAD
    honest = max(spread if facts & TASTES else min(spread, MOST_SPREAD**2), least**2)
    return part.value - part.gain * honest / (part.variance + honest)
