"""Figures of models by area, in one table for all protocols.

By people who compare: Elo by TencentLLMEval's constants (its figures 4 and 5), its win rate, and SuperCLUE's rate of
wins and ties averaged over opponents. By people who score: the mean score (TencentLLMEval's figure 6, LLMEval's
"overall") and the share of highest scores, which TencentLLMEval calls the excellent rate (table 2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.statistics.proportions import finite
from arena.evaluations.domain.schemas.evaluation_reports import BaselineView, ChoiceView
from arena.evaluations.domain.schemas.figures import FigureView
from arena.evaluations.usecases.reports.scores import criterion_scores
from arena_rating import OUTCOME_CODES, TENCENT, Comparisons, elo_over_orders, pair_counts, win_rate
from arena_rating.counts import ratio

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from arena.evaluations.usecases.reports.columns import ReportColumns

    Column = NDArray[np.float64]
    Statistics = dict[str, tuple[Column, Column]]
    """By name, a figure of each model, and the number of answers or comparisons in it, [models] each."""

LEAST_VOTES: Final = 2
"""Fewest comparisons whose order can be shuffled."""


def figures_of(name: str, log: ReportColumns, seed: int) -> list[FigureView]:
    """Every statistic of the protocol, over all areas and in each, without hidden repeats."""
    pairwise = bool((log.second >= 0).any())
    result: list[FigureView] = []
    for area, mask in _areas(log):
        statistics = _pair_statistics(log, mask, seed) if pairwise else _score_statistics(name, log, mask)
        result += [
            FigureView(statistic=statistic, area=area, model=model, value=finite(value), n=int(number))
            for statistic, (values, numbers) in statistics.items()
            for model, value, number in zip(log.models, values, numbers, strict=True)
            if number
        ]
    return sorted(result, key=lambda figure: figure.statistic)


def shares(rows: Sequence[ChoiceView] | Sequence[BaselineView]) -> list[FigureView]:
    """The shares of another table: of right choices, or of wins and ties against a baseline."""
    return [
        FigureView(statistic="right", area=row.category, model=row.model, value=row.share, n=row.questions)
        if isinstance(row, ChoiceView)
        else FigureView(
            statistic="against_baseline",
            area=row.area,
            model=row.model,
            value=row.share,
            n=row.wins + row.ties + row.losses,
        )
        for row in rows
    ]


def comparisons(log: ReportColumns, items: NDArray[np.bool_] | None = None) -> Comparisons:
    """The outcomes as comparisons, without skips and hidden repeats; `items` is a mask [items], None for all."""
    mask = log.is_judged & ~log.repeat & (True if items is None else items[log.item])
    outcome = np.array([OUTCOME_CODES.get(value, 0) for value in log.values], np.uint8)
    item = log.item[mask]
    columns = log.first[item], log.second[item], outcome[log.code[mask]]
    return Comparisons(*columns, weight=None, voter=None, category=None, names=log.models)


def _areas(log: ReportColumns) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    yield "", np.ones(len(log.area), np.bool_)
    yield from ((area, log.area == place) for place, area in enumerate(log.areas) if area)


def _pair_statistics(log: ReportColumns, items: NDArray[np.bool_], seed: int) -> Statistics:
    votes = comparisons(log, items)
    if not len(votes):
        return {}
    counts = pair_counts(votes)
    battles, opponents = counts.battles.sum(axis=1), (counts.battles > 0).sum(axis=1)
    score = np.nan_to_num(ratio(counts.wins + counts.ties, counts.battles)).sum(axis=1)
    elo = {} if len(votes) < LEAST_VOTES else {"elo": (elo_over_orders(votes, TENCENT, seed=seed).rating, battles)}
    return elo | {
        "win_rate": (win_rate(counts), battles),
        "kept_of_opponents": (ratio(score, opponents.astype(np.float64)), battles),
    }


def _score_statistics(name: str, log: ReportColumns, items: NDArray[np.bool_]) -> Statistics:
    """The share of highest scores, and the mean if all criteria have one scale."""
    sums, scales = np.zeros((3, len(log.models))), set[tuple[int, int]]()
    for _form, criterion, column in criterion_scores(name, log):
        mask = ~np.isnan(column) & ~log.repeat & items[log.item]
        model, score = log.first[log.item[mask]], column[mask]
        for place, weight in enumerate((np.ones(len(score)), score, score == criterion.high)):
            sums[place] += np.bincount(model, weight, len(log.models))
        scales.add((criterion.low, criterion.high))
    number, total, highest = sums
    statistics = {"excellent": (ratio(highest, number), number)}
    return statistics | ({"mean": (ratio(total, number), number)} if len(scales) == 1 else {})
