"""The gate's result on a log: decisions, weights, and the board with and without them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import JsonObject
from arena_rating import bradley_terry, pair_counts
from arena_trust.integrity.cast_votes import DAY, UNKNOWN
from arena_trust.integrity.gate import LEAST_JUDGED, weigh_votes
from arena_trust.integrity.published_form import by_week, most_networks, published_form, weeks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.verdicts import VoteWeights

DECIMALS: Final = 6
Board = list[JsonObject]
"""Models with their Bradley-Terry rating, sorted by component and rating; None for a model without a battle."""


@dataclass(frozen=True, slots=True, eq=False)
class GateResult:
    """A log and the gate's verdict, with the board by the gate's weights and the one (`open_board`) without."""

    log: CastVotes
    verdict: VoteWeights
    board: Board
    open_board: Board

    @property
    def reasons(self) -> Counter[str]:
        """The number of votes with a reduced weight, by reason."""
        return Counter(decision.reason for decision in self.verdict.decisions(self.log))

    @property
    def statements(self) -> Iterator[str]:
        """Sentences on what the gate could not judge, where all votes count in full."""
        if (self.log.network == UNKNOWN).all():
            yield "No vote names its neighbourhood (network): only the other columns could be tested."
        elif most_networks(self.log, weeks_of(self.log.second)) == 1:
            yield "All votes come from one neighbourhood: there are no others to judge it by."
        if missing := self._missing_columns():
            yield f"Not tested, since no vote has a value there: {', '.join(missing)}."
        if len(self.log) and (self.log.second // DAY == self.log.second[0] // DAY).all():
            yield "All votes are of one day: there are no others to judge it by."
        if len(self.log) < LEAST_JUDGED:
            yield "These are too few votes to find anything: all count in full."
        for model in self.verdict.undecided:
            bound = self.verdict.bounds.get(model)
            size = "" if bound is None else f", by about {bound:.0f} points"
            yield (
                f"{model} is contested: some votes push it up or others push it down{size}. The votes do not tell"
                " which, so they count."
            )

    def _missing_columns(self) -> list[str]:
        """Names of columns, of those that any log may have, in which no vote has a value."""
        is_unknown = {
            "language": self.log.language == UNKNOWN,
            "check": self.log.check == UNKNOWN,
            "seconds": np.isnan(self.log.reading),
        }
        return [name for name, column in is_unknown.items() if column.all()]

    def record(self) -> JsonObject:
        """The result as JSON values, without the names of slices."""
        decisions = self.verdict.decisions(self.log)
        return {
            "decisions": [
                {
                    "number": decision.number,
                    "weight": decision.weight,
                    "reason": decision.reason,
                    "method": decision.method,
                }
                for decision in decisions
            ],
            "weights": dict(zip(map(str, self.log.number.tolist()), self.verdict.weight.tolist(), strict=True)),
            "statements": list(self.statements),
            "contested": dict(self.verdict.bounds),
            "with": self.board,
            "without": self.open_board,
        }


def judge_votes(log: CastVotes) -> GateResult:
    """Run the gate on the published form of votes, and rate the models with and without its weights."""
    return rated(log, weigh_votes(published_form(by_week(log)).log))


def rated(log: CastVotes, verdict: VoteWeights) -> GateResult:
    """A verdict with the boards with and without its weights."""
    return GateResult(log, verdict, _board(log, verdict.weight), _board(log, None))


def _board(log: CastVotes, weight: NDArray[np.float64] | None) -> Board:
    fit = bradley_terry(pair_counts(log.comparisons(weight)))
    models = zip(log.names, np.round(fit.rating, DECIMALS).tolist(), fit.component.tolist(), strict=True)
    rows = [(component, -rating, name) for name, rating, component in models]
    rows.sort(key=lambda row: (np.isnan(row[1]), *row))
    return [{"name": name, "bt": None if np.isnan(rating) else -rating} for _, rating, name in rows]
