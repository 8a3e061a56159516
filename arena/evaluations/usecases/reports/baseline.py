"""Win and tie rates of models against a baseline, by people (the OPEN set of SuperCLUE)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.statistics.proportions import share
from arena.domain.terms import Outcome
from arena.evaluations.domain.schemas.evaluation_reports import BaselineView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.evaluations.usecases.reports.report_columns import ReportColumns

_WORDS: Final = {Outcome.A.value: 0, Outcome.B.value: 1, Outcome.TIE.value: 2, Outcome.BOTH_BAD.value: 2}
"""The baseline is the first of each pair, so 0 is a loss of the model, 1 its win."""


def against_baseline_of(log: ReportColumns) -> list[BaselineView]:
    """Each model against the first one, in all areas and in each; the highest rate first."""
    word, result = _majority(log), list[BaselineView]()
    for place, area in [(None, ""), *((place, area) for place, area in enumerate(log.areas) if area)]:
        within = (word >= 0) & ((log.area == place) if place is not None else True)
        rows = [
            _record(log, word[within & (log.second == number)], number, area) for number in range(1, len(log.models))
        ]
        result += sorted((row for row in rows if row.share is not None), key=lambda row: -(row.share or 0))
    return result


def _majority(log: ReportColumns) -> NDArray[np.int64]:
    """The answer of most people to each item, a tie if no word has the majority, -1 where nobody judged it."""
    mask = log.judged & ~log.repeat
    codes = np.array([_WORDS.get(value, 2) for value in log.values] or [2])[log.code[mask]]
    counts = np.zeros((len(log.first), 3), np.int64)
    np.add.at(counts, (log.item[mask], codes), 1)
    total = counts.sum(axis=1)
    word = np.where(2 * counts.max(axis=1) > total, counts.argmax(axis=1), 2)
    return np.where(total > 0, word, -1)


def _record(log: ReportColumns, word: NDArray[np.int64], number: int, area: str) -> BaselineView:
    losses, wins, ties = np.bincount(word, minlength=3).tolist()
    rate = share(wins + ties, len(word))
    return BaselineView(
        model=log.models[number],
        baseline=log.models[0],
        area=area,
        wins=wins,
        ties=ties,
        losses=losses,
        share=rate.value,
        low=rate.low,
        high=rate.high,
    )
