"""The gate's search that follows a push from one part of a log to the next ones.

Two parts that push a model the same way mask each other: the second one makes the others, with which the first one is
compared, hold two kinds of voters, too (`voter_search`). Here the others are taken without the part that stands out
among them the same way. If it is them who push the model the other way, what is left pushes it most and holds two kinds
of voters all the more.

Once a push is found, its direction is known, and a further part needs no comparison with others. A voter's other votes
on the model tell honest votes in a hostile part and hostile ones outside it (`other_votes`).

Whoever masks a push casts some of the votes as ties, which says little by mean scores. But they never lose, so that a
side is judged once more with each tie read as the push would have it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.explanations import explain_mask
from arena_trust.integrity.other_votes import companions, honest_votes, votes_beside_others
from arena_trust.integrity.slice_search import CHOICE_RATIO, LEAST_HITS, TASTES, Case, PartSide
from arena_trust.integrity.subset_scan import scan
from arena_trust.integrity.voter_search import MOSTLY_GUILTY, VoterSearch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.explanations import Explanation
    from arena_trust.integrity.model_hits import ModelHits

LEAST_SECOND: Final = -2.0
"""Value from which a part of the others stands out."""
MOST_ALIKE: Final = 2.0
"""Standard errors by which voters of the others may be more alike than those of a part that tastes alone tell."""
PRICE_OF_A_LOOK: Final = math.log(2)
"""The price of the second of two looks at a side: the logarithm of their number."""
LEAST_CONTESTED_AGAIN: Final = 2.0
"""Value and half the squared z of pairs together, from which a further part of a push that was found is contested."""


class DirectedSearch(VoterSearch):
    """The state of a search."""

    least_guilt_again: float = 0.1
    least_evidence_again: float = 0.5
    most_lost: float = 0.68

    def _avoids(self, numbers: Explanation, bound: float) -> bool:
        """Also by ratio, since in long logs a few per cent are many standard errors."""
        return super()._avoids(numbers, bound) and numbers.exposure <= 1 / CHOICE_RATIO

    def _fits(self, side: PartSide, case: Case) -> bool:
        return super()._fits(side, case) and not self._is_taste(side, case)

    def _is_taste(self, side: PartSide, case: Case) -> bool:
        """Whether a part is told by honest tastes, and its voters are less alike than the others."""
        if not set(case.part.sets) <= TASTES or self._is_again(side, case):
            return False
        here, there = self._pairs(side, case)
        return here.above(there) <= -MOST_ALIKE

    def _control(self, side: PartSide, hits: ModelHits) -> NDArray[np.bool_]:
        """The others, without the part that stands out among them the same way."""
        others = super()._control(side, hits)
        rest = hits.of(others[hits.rows])
        if len(rest.rows) < 2 * LEAST_HITS:
            return others
        board = self.heard.board
        expected = rest.expected(board, rest.strength(board))
        parts = scan(rest, expected, self.divisions, len(self.log.names))
        second = next((part for part in parts if part.down == side.down and part.value > LEAST_SECOND), None)
        control = others & ~self._mask(second) if second else others
        return control if np.count_nonzero(control[hits.rows]) >= LEAST_HITS else others

    def _least_excess(self, side: PartSide, *, again: bool) -> float:
        return -math.inf if again else super()._least_excess(side, again=again)

    def _contest(self, case: Case) -> bool:
        """Contest no model of a push that was found for the chance differences that are left."""
        if (case.part.model, case.part.down) in self.pushed:
            alike = max(next(self._pairs(case.sides[0], case)).z, 0.0)
            if case.value + alike**2 / 2 <= LEAST_CONTESTED_AGAIN:
                return False
        return super()._contest(case)

    def _honest(self, side: PartSide, hits: ModelHits) -> float:
        honest = self._stay(side, hits)
        return max(0.0, side.explanation.honest - float(np.count_nonzero(honest)))

    def _stay(self, side: PartSide, hits: ModelHits) -> NDArray[np.bool_]:
        """The votes [n] on the model in a hostile side that are honest."""
        return honest_votes(self.heard, hits, side.mask, down=side.down)

    def _taken(self, side: PartSide, hits: ModelHits) -> NDArray[np.bool_]:
        taken = side.mask & ~self._stay(side, hits)
        if side.explanation.guilt >= MOSTLY_GUILTY:
            taken = taken | companions(self.heard, hits, side.mask, down=side.down)
        return taken


class MaskSearch(DirectedSearch):
    """The state of a search that also looks for pushes masked by ties, and keeps more honest votes of hostile parts."""

    most_honest_lost: float = 0.0225
    """3 % of the honest votes where a quarter of a log is hostile."""

    def _fits(self, side: PartSide, case: Case) -> bool:
        return super()._fits(side, case) or self._is_mask(side, case)

    def _is_mask(self, side: PartSide, case: Case) -> bool:
        """Whether a side that never loses holds two kinds of voters."""
        if side.explanation.share == 1:
            return False
        hits = case.hits.with_ties(0.0 if side.down else 1.0)
        numbers = explain_mask(self.heard, hits, side.mask, side.explanation, down=side.down)
        mask, case = side._replace(explanation=numbers), case._replace(capped=case.capped - PRICE_OF_A_LOOK)
        if not self._may_lose(mask, case):
            return False
        ties = case._replace(hits=hits)
        return self._holds_two_kinds(mask, ties) and not self._is_taste(mask, ties)

    def _stay(self, side: PartSide, hits: ModelHits) -> NDArray[np.bool_]:
        return votes_beside_others(self.heard, hits, side.mask, down=side.down)
