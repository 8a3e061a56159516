"""Judgements of single answers: their means, and the pairs that their scores make."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.orders import as_printed, by_difference
from arena.evaluations.domain.judges.rubric import Form, rubric
from arena.evaluations.domain.schemas.judges import EstimateView, ScoredModelView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    Rule = Callable[[int, int], Outcome]
    Codes = NDArray[np.int64]

RULES: Final[Mapping[str, Rule]] = {"symmetric": by_difference, "printed": as_printed}
"""How two scores from 1 to 10 become an outcome: TencentLLMEval's rule made symmetric, or as it is printed."""
_Z: Final = 1.959964
_WORDS: Final = tuple(Outcome)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPairs:
    """Pairs of answers to the same turn of a question, [pairs] each: number of the turn, two models, outcome."""

    asked: Codes
    first: Codes
    second: Codes
    outcome: Codes


def pairs_of_scores(
    asked: Codes, model: Codes, score: Codes, words: Sequence[str], rubric_name: str, rule: str
) -> ScoredPairs:
    """The pairs of scored answers of one judge, as if it had compared them; stars are compared by their sum.

    The columns have a row per answer [n]: the number of its turn, the index of its model and that of its scores.
    """
    sums = np.array([sum(_scores(word)) if word else -1 for word in words], np.int64)[score]
    turns, place = np.unique(asked, return_inverse=True)
    table = np.full((len(turns), int(model.max()) + 1), -1, np.int64)
    table[place, model] = sums
    a, b = np.triu_indices(table.shape[1], 1)
    turn, pair = np.nonzero((table[:, a] >= 0) & (table[:, b] >= 0))
    values, codes = _outcomes(sums[sums >= 0], rubric_name, rule)
    first, second = (np.searchsorted(values, table[turn, side[pair]]) for side in (a, b))
    return ScoredPairs(turns[turn], a[pair], b[pair], codes[first, second])


def means(
    model: Codes, score: Codes, words: Sequence[str], rubric_name: str, names: Sequence[str]
) -> list[ScoredModelView]:
    """The mean of each criterion by model, from a row per answer [n]."""
    chosen = rubric(rubric_name)
    scales = chosen.criteria or {chosen.form.value: chosen.scale or (1, 10)}
    used: list[int] = [word for word in np.unique(score).tolist() if words[word]]
    points = np.full((len(words), len(scales)), np.nan)
    for word in used:
        points[word] = _scores(words[word])
    read = np.isin(score, used)
    found, since = np.unique(model[read], return_index=True)
    ordered: list[int] = found[np.argsort(since)].tolist()
    return [
        ScoredModelView(name=names[number], criterion=name, mean=_mean(column), most=scales[name][1])
        for number in ordered
        for name, column in zip(scales, points[score[read & (model == number)]].T, strict=True)
    ]


def _outcomes(sums: Codes, rubric_name: str, rule: str) -> tuple[Codes, Codes]:
    """The different sums, and the code of the outcome of each two of them."""
    values = np.unique(sums)
    compare = RULES[rule] if rubric(rubric_name).form is Form.SCORE else _higher
    codes = [[_WORDS.index(compare(a, b)) for b in values.tolist()] for a in values.tolist()]
    return values, np.array(codes, np.int64).reshape(len(values), len(values))


def _higher(first: int, second: int) -> Outcome:
    if first == second:
        return Outcome.TIE
    return Outcome.A if first > second else Outcome.B


def _scores(word: str) -> list[int]:
    return [int(each) for each in word.split(",")]


def _mean(column: NDArray[np.float64]) -> EstimateView:
    n, mean = len(column), float(np.mean(column))
    half = _Z * float(np.std(column, ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    low, high = (None, None) if math.isnan(half) else (mean - half, mean + half)
    return EstimateView(value=mean, low=low, high=high, n=n)
