"""Quality of annotators: wrong answers, lean to one side, accuracy of scores, and consistency over repeats.

The consensus rule, the GSB score and the joint disqualification are TencentLLMEval's (section 2.4.2), as published. On
real votes that disqualification finds nobody, as its first list has people with many answers and its second people with
few; `agreement.leave_one_out` finds random clickers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.statistics.proportions import wilson
from arena_rating.counts import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.evaluations.domain.annotators.answers import AnswerTable

CONSENSUS: Final = 0.8
MOST_WRONG: Final = 3
MOST_LEAN: Final = 1.7
LEAST_ANSWERS: Final = 5
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class WrongAnswers:
    """Answers against a consensus, by person.

    Attributes:
        judged: int64 [people], answers to items with a consensus.
        wrong: int64 [people], those of them against it.
        low: float64 [people], lower end of the 95 % interval of the share of wrong answers; nan without any answer.
        high: float64 [people], upper end.
    """

    judged: NDArray[np.int64]
    wrong: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Lean:
    """GSB scores (#left - #right) / all, by person.

    Attributes:
        score: float64 [people], nan without an answer.
        mean: Mean over people.
        deviation: Population standard deviation over people.
        z: float64 [people], (score - mean) / deviation, as published.
        sampled_z: float64 [people], the same over a standard error from the number of answers and the variance between
            people, so that few answers make no outlier.
    """

    score: NDArray[np.float64]
    mean: float
    deviation: float
    z: NDArray[np.float64]
    sampled_z: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Disqualification:
    """TencentLLMEval's two lists and those on both, bool [people] each."""

    by_overlap: NDArray[np.bool_]
    by_lean: NDArray[np.bool_]

    @property
    def by_both(self) -> NDArray[np.bool_]:
        """People whose answers the paper removes."""
        return self.by_overlap & self.by_lean


def consensus(answers: AnswerTable, share: float = CONSENSUS, answers_needed: int = LEAST_ANSWERS) -> NDArray[np.int64]:
    """The label of at least a `share` of each item's answers; -1 without one or below `answers_needed`."""
    cells, total = answers.cells(), np.bincount(answers.item, minlength=answers.items)
    # The first cell of an item in this order has its most frequent label, of several the first.
    order = np.lexsort((cells.label, -cells.count, cells.item))
    items, first = np.unique(cells.item[order], return_index=True)
    highest, label = np.zeros(answers.items, np.int64), np.zeros(answers.items, np.int64)
    highest[items], label[items] = cells.count[order][first], cells.label[order][first]
    # The tolerance allows for rounding errors, so that 4 of 5 are 80 %.
    is_agreed = (total >= answers_needed) & (highest >= share * total - 1e-9)
    return np.where(is_agreed, label, -1)


def wrong_answers(answers: AnswerTable, labels: NDArray[np.int64], z: float = 1.96) -> WrongAnswers:
    """Count answers against the right label of each item (a consensus or golden answers), -1 for none."""
    key = labels[answers.item]
    people = len(answers.people)
    number = np.bincount(answers.person[key >= 0], minlength=people)
    errors = np.bincount(answers.person[(key >= 0) & (answers.label != key)], minlength=people)
    total = np.where(number > 0, number, np.nan)
    return WrongAnswers(number, errors, *wilson(errors / total, total, z))


def lean(answers: AnswerTable) -> Lean:
    """GSB of everybody, with both standardisations."""
    people = len(answers.people)
    count = np.bincount(answers.person, minlength=people).astype(np.float64)
    n = np.where(count > 0, count, np.nan)
    score = np.bincount(answers.person, answers.lean, people) / n
    if not len(answers.person):
        return Lean(score, math.nan, math.nan, score, score)
    mean, deviation = float(np.nanmean(score)), float(np.nanstd(score))
    pooled_mean = float(answers.lean.mean())
    noise = (float(np.abs(answers.lean).mean()) - pooled_mean**2) / n
    between_people = spread(score, noise)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Lean(
            score, mean, deviation, (score - mean) / deviation, (score - pooled_mean) / np.sqrt(noise + between_people)
        )


def spread(value: NDArray[np.float64], variance: NDArray[np.float64]) -> float:
    """Variance between people beyond the sampling `variance` of each value (DerSimonian and Laird 1986); skips nans."""
    is_usable = ~np.isnan(value) & (variance > 0)
    weight, value = 1 / variance[is_usable], value[is_usable]
    if len(value) < 2:
        return 0.0
    pooled_mean = (weight * value).sum() / weight.sum()
    excess = float((weight * (value - pooled_mean) ** 2).sum()) - (len(value) - 1)
    return max(0.0, excess / float(weight.sum() - (weight**2).sum() / weight.sum()))


def tencent_disqualified(answers: AnswerTable) -> Disqualification:
    """The published preset: more than three wrong overlap answers, |z| of GSB above 1.7, and both."""
    errors = wrong_answers(answers, consensus(answers)).wrong
    return Disqualification(errors > MOST_WRONG, np.abs(np.nan_to_num(lean(answers).z)) > MOST_LEAN)


def score_accuracy(
    person: NDArray[np.int32], item: NDArray[np.int32], score: NDArray[np.float64], people: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Share of each person's scores that are right (LLMEval, equation 5), or nan, and their number, [people] each.

    A score is right if its distance to the mean of the item's scores is below their standard deviation. Where all
    agree, that is 0, and equation 5 would call all scores wrong; here they are right. Items with one score do not
    count.
    """
    n = np.bincount(item)[item]
    gap = n * score - np.bincount(item, score)[item]  # n times the distance; exact for whole and half points
    gap[np.abs(gap) <= _ROUNDING * n * np.abs(score)] = 0.0
    squares = np.bincount(item, gap**2)[item]
    is_counted = n > 1
    is_right = is_counted & ((n * gap**2 < squares * (1 - _ROUNDING)) | (gap == 0))
    number = np.bincount(person[is_counted], minlength=people)
    return ratio(np.bincount(person[is_right], minlength=people), number), number


def consistency(answers: AnswerTable) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Share of the most frequent answer among the attempts at repeated items, and the number of attempts, [people].

    Answers 1, 1, 1, 0 to one item give 3/4 (LLMEval). The share is nan for people without a repeat.
    """
    people, kinds = len(answers.people), max(1, len(answers.labels))
    task = answers.person.astype(np.int64) * answers.items + answers.item
    tasks, place, attempts = np.unique(task, return_inverse=True, return_counts=True)
    cells, counts = np.unique(place * kinds + answers.label, return_counts=True)
    highest = np.zeros(len(tasks), np.int64)
    np.maximum.at(highest, cells // kinds, counts)
    is_repeated, person = attempts > 1, tasks // max(1, answers.items)
    total = np.bincount(person[is_repeated], attempts[is_repeated], people)
    matches = np.bincount(person[is_repeated], highest[is_repeated], people)
    return ratio(matches, total), total.astype(np.int64)
