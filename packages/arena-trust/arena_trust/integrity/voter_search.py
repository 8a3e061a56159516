"""The gate's search that also asks which side of a difference holds two kinds of voters.

Where both explanations of a part fit by numbers of votes (`slice_search`), pairs of votes of one voter may tell them
apart (`voter_pairs`). They count as evidence beside the part's own, which is independent of it: a push is told by mean
scores, two kinds of voters by their likeness within voters. A model is contested only when no part of any model is left
that one explanation fits. What honest voters lose by that is bounded for the whole log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.slice_search import AGAIN, CONTESTED, LEAST_HITS, Case, PartSide, SliceSearch
from arena_trust.integrity.voter_pairs import PairCorrelation, pair_correlation, pushed_models

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.divisions import VoteDivision
    from arena_trust.integrity.model_hits import ModelHits
    from arena_trust.integrity.subset_scan import Scores, Sets, VotePart

LEAST_PAIRS: Final = 20
LEAST_PAIR_Z: Final = 2.0
"""Standard errors of the hostile side's correlation, and of its excess over the other side's."""
LEAST_EXCESS: Final = 1.0
"""The same excess in a part with at least `MOSTLY_GUILTY`, or of a push that was found."""
MOSTLY_GUILTY: Final = 0.5
LEAST_CORRELATION: Final = 0.08
MOST_OTHER_Z: Final = 3.0
"""Standard errors of the other side's correlation from which it may hold two kinds of voters, too."""
LEAST_EVIDENCE: Final = 9.0
"""Value of a part and half the squared z of its pairs together, from which it loses its votes."""
LEAST_EVIDENCE_AGAIN: Final = 2.0
LEAST_GUILT_PAIRED: Final = 0.2
LEAST_GUILT_PAIRED_AGAIN: Final = 0.12
MOST_HOSTILE_PAIRED: Final = 0.5
MOST_LOST_PAIRED: Final = 0.6
"""Largest share of a model's votes that such a finding takes."""
MOST_HONEST_LOST: Final = 0.03
"""Largest share of a log that is honest and lost by such findings."""
AVOIDED_Z: Final = -5.0
"""Exposure in standard errors below which it is the others who meet the model more often."""
LEAST_NETWORK_Z: Final = 2.5
"""Standard errors of a neighbourhood in a part with others; below, it is there by chance."""
LEAST_EXCESS_LEFT: Final = 0.7
"""Share of a part's excess that must be left without such neighbourhoods."""


class VoterSearch(SliceSearch):
    """The state of a search: `honest_lost` is the number of honest votes that findings took at most."""

    least_guilt_again: float = LEAST_GUILT_PAIRED_AGAIN
    least_evidence_again: float = LEAST_EVIDENCE_AGAIN
    most_lost: float = MOST_LOST_PAIRED
    most_honest_lost: float = MOST_HONEST_LOST

    def __init__(self, log: CastVotes) -> None:
        super().__init__(log)
        self.honest_lost = 0.0
        self.absent: dict[int, NDArray[np.bool_]] = {}

    def _round(self, parts: Iterator[tuple[VotePart, ModelHits]]) -> bool:
        """Take the votes of the strongest part that one explanation fits, or else contest models and end."""
        strong: list[tuple[VotePart, ModelHits]] = []
        for part, hits in parts:
            if case := self._case(part, hits):
                if self._take_side(case):
                    return True
                strong.append((part, hits))
        for part, hits in strong:
            # Made again, since the masks of a case are three times as long as the log.
            if part.model not in self.bounds and (case := self._case(part, hits)):
                self._contest(case)
        return False

    def _scan(
        self, hits: ModelHits, expected: NDArray[np.float64], divisions: Mapping[str, VoteDivision]
    ) -> list[VotePart]:
        """Also parts without languages, whose honest tastes hide what another fact tells."""
        parts = super()._scan(hits, expected, divisions)
        if any("language" in part.sets and len(part.sets) > 1 for part in parts):
            others = {name: division for name, division in divisions.items() if name != "language"}
            parts += super()._scan(hits, expected, others)
        return parts

    def _trimmed(self, scores: Scores, sets: Sets) -> Sets:
        return _without_chance(scores, sets)

    def _meetings(self, model: int) -> NDArray[np.bool_]:
        """Without all votes of the parts whose votes on the model are taken."""
        return self.heard.mask & ~self.absent[model] if model in self.absent else self.heard.mask

    def _fits(self, side: PartSide, case: Case) -> bool:
        return super()._fits(side, case) or (self._may_lose(side, case) and self._holds_two_kinds(side, case))

    def _may_lose(self, side: PartSide, case: Case) -> bool:
        """Whether a side is guilty enough by its scores, and not too large."""
        numbers, again = side.explanation, self._is_again(side, case)
        return (
            numbers.votes >= LEAST_HITS
            and case.capped > (AGAIN if again else CONTESTED)
            and numbers.guilt >= (self.least_guilt_again if again else LEAST_GUILT_PAIRED)
            and numbers.hostile <= MOST_HOSTILE_PAIRED
            and numbers.share <= self.most_lost
            and not self._avoids(numbers, AVOIDED_Z)
            and self.honest_lost + self._honest(side, case.hits) <= self.most_honest_lost * len(self.log)
        )

    def _is_again(self, side: PartSide, case: Case) -> bool:
        return (case.part.model, side.down) in self.pushed

    def _holds_two_kinds(self, side: PartSide, case: Case) -> bool:
        """Whether votes of one voter are alike in this side and not in the other one."""
        pairs, again = self._pairs(side, case), self._is_again(side, case)
        here = next(pairs)
        evidence = case.capped + here.z**2 / 2
        return (
            _is_alike(here)
            and here.above(there := next(pairs)) >= self._least_excess(side, again=again)
            and (again or there.z < MOST_OTHER_Z)
            and evidence > (self.least_evidence_again if again else LEAST_EVIDENCE)
        )

    def _pairs(self, side: PartSide, case: Case) -> Iterator[PairCorrelation]:
        """The correlations of a side and of its control, which is read only where the side's own one is a reason to."""
        hits, board = pushed_models(self.heard, case.hits, side.mask), self.heard.board
        yield pair_correlation(self.log, hits, board, side.mask)
        yield pair_correlation(self.log, hits, board, self._control(side, case.hits))

    def _control(self, side: PartSide, hits: ModelHits) -> NDArray[np.bool_]:  # noqa: ARG002 - in later versions
        """The votes [n] with which a side is compared."""
        return ~side.mask

    def _least_excess(self, side: PartSide, *, again: bool) -> float:
        """Standard errors by which a side's correlation has to be above that of its control."""
        return LEAST_EXCESS if again or side.explanation.guilt >= MOSTLY_GUILTY else LEAST_PAIR_Z

    def _honest(self, side: PartSide, hits: ModelHits) -> float:  # noqa: ARG002 - in later versions
        """Honest votes that are lost with a side, at most."""
        return side.explanation.votes * (1 - side.explanation.guilt)

    def _uphold(self, side: PartSide, part: VotePart, hits: ModelHits) -> None:
        self.honest_lost += self._honest(side, hits)
        super()._uphold(side, part, hits)
        self.absent[part.model] = self.absent.get(part.model, np.zeros(len(self.log), np.bool_)) | side.mask


def _without_chance(scores: Scores, sets: Sets) -> Sets:
    """The sets of a part without neighbourhoods of people that are in it by chance; to take them would move the model.

    The best set has every neighbourhood whose mean is high, and of hundreds of honest ones many are.
    """
    if "network" not in sets:
        return sets
    values, inside, (code, slices) = sets["network"], scores.inside(sets), scores.codes["network"]
    chance = scores.expected * (1 - scores.expected)
    excess, variance = (
        np.bincount(code[inside], column[inside], slices + 1) for column in (scores.score - scores.expected, chance)
    )
    deviating = values & (excess >= LEAST_NETWORK_Z * np.sqrt(variance)) & (variance > 0)
    enough = deviating.any() and float(excess[deviating].sum()) >= LEAST_EXCESS_LEFT * float(excess[values].sum())
    return {**sets, "network": deviating} if enough else sets


def _is_alike(pairs: PairCorrelation) -> bool:
    return pairs.pairs >= LEAST_PAIRS and pairs.z >= LEAST_PAIR_Z and pairs.value >= LEAST_CORRELATION
