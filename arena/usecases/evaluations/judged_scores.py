"""Judgements of single answers: their means, and the pairs that their scores make."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.judging.orders import as_printed, by_difference
from arena.domain.judging.rubric import Form, rubric
from arena.domain.schemas.judges import EstimateView, ScoredModelView
from arena.domain.terms import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from arena.adapters.store.judgements import JudgementFacts

    Rule = Callable[[int, int], Outcome]

RULES: Final[Mapping[str, Rule]] = {"symmetric": by_difference, "printed": as_printed}
"""How two scores from 1 to 10 become an outcome: TencentLLMEval's rule made symmetric, or as it is printed."""
_Z: Final = 1.959964


def is_single(row: JudgementFacts) -> bool:
    """Whether one answer was judged alone."""
    return row.first_id == row.second_id


def as_pairs(rows: Iterable[JudgementFacts], rule: str) -> list[JudgementFacts]:
    """The pairs of answers to the same turn of a question, as if a judge had compared them in both orders alike."""
    by_turn: dict[tuple[str, str, int, int, int], list[JudgementFacts]] = defaultdict(list)
    for row in rows:
        if is_single(row) and row.scores is not None:
            by_turn[row.judge, row.rubric, row.version, row.question_id, row.turn].append(row)
    return [
        a._replace(second_id=b.first_id, swapped=swapped, outcome=str(_outcome(a, b, rule)), tokens=0, cost=None)
        for alike in by_turn.values()
        for a, b in combinations(sorted(alike, key=lambda row: row.first_id), 2)
        for swapped in (False, True)
    ]


def means(rows: Sequence[JudgementFacts], names: Mapping[int, str]) -> list[ScoredModelView]:
    """The mean of each criterion by model."""
    chosen = rubric(rows[0].rubric)
    scales = chosen.criteria or {chosen.form.value: chosen.scale or (1, 10)}
    given: dict[int, list[list[int]]] = defaultdict(list)
    for row in rows:
        if row.scores is not None:
            given[row.first_id].append(_scores(row))
    return [
        ScoredModelView(name=names[model], criterion=name, mean=_mean(column), most=scales[name][1])
        for model, scored in given.items()
        for name, column in zip(scales, zip(*scored, strict=True), strict=True)
    ]


def _outcome(a: JudgementFacts, b: JudgementFacts, rule: str) -> Outcome:
    """Stars are compared by their sum."""
    first, second = sum(_scores(a)), sum(_scores(b))
    if rubric(a.rubric).form is Form.SCORE:
        return RULES[rule](first, second)
    if first == second:
        return Outcome.TIE
    return Outcome.A if first > second else Outcome.B


def _scores(row: JudgementFacts) -> list[int]:
    return [int(each) for each in (row.scores or "").split(",")]


def _mean(column: Sequence[int]) -> EstimateView:
    n, mean = len(column), float(np.mean(column))
    half = _Z * float(np.std(column, ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    low, high = (None, None) if math.isnan(half) else (mean - half, mean + half)
    return EstimateView(value=mean, low=low, high=high, n=n)
