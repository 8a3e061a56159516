"""Agreement of people on common items: by item, by area, and of each person with the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_rating.counts import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.evaluations.domain.annotators.answers import AnswerTable

    Numbers = NDArray[np.int64] | NDArray[np.float64]

LEAST_SHARED: Final = 10
MAX_CELLS: Final = 2**21
"""Cells, answers × labels, compared at once, which bounds the memory for any number of answers and labels."""
SMOOTHING: Final = 2.0
"""Weight, in answers, of the label shares of the whole table when an item's label probabilities are estimated."""
MOST_APART: Final = 4.5
"""Standard errors below the others from which answers are doubtful. On real votes of 124 people it detects 88 % of
simulated random clickers with 40 answers or more and flags 6 % of the real people; the usual 2.58 flags 13 %."""


@dataclass(frozen=True, slots=True, eq=False)
class LeaveOneOut:
    """Each person's answers compared with those of the others to the same items.

    Attributes:
        shared: int64 [people], answers to items that others have answered.
        agreement: float64 [people], mean share of the others with the same label, on items with two others or more.
        expected: float64 [people], mean share of pairs of the others with the same label on these items.
        z: float64 [people], log-likelihood of the answers under the labels of the others, minus its expectation, in
            standard errors.
        evidence: float64 [people], log-likelihood ratio of answers like the others' to uniformly random ones.
    """

    shared: NDArray[np.int64]
    agreement: NDArray[np.float64]
    expected: NDArray[np.float64]
    z: NDArray[np.float64]
    evidence: NDArray[np.float64]

    @property
    def doubtful(self) -> NDArray[np.bool_]:
        """People whose answers fit a random clicker better; a hint to look at them, not a reason to exclude them."""
        return (self.z < -MOST_APART) & (self.evidence < 0) & (self.shared >= LEAST_SHARED)


def item_agreement(answers: AnswerTable) -> NDArray[np.float64]:
    """Share of pairs of answers with the same label, by item; nan below two answers.

    Two equal labels among three answers give 1/3 (TencentLLMEval, after MT-bench).
    """
    cells, number = answers.cells(), np.bincount(answers.item, minlength=answers.items)
    agreements = np.bincount(cells.item, cells.count * (cells.count - 1), answers.items)
    return ratio(agreements, number * (number - 1))


def area_agreement(answers: AnswerTable) -> NDArray[np.float64]:
    """Mean agreement of the items of each area, [areas]; nan without an item that two people have answered."""
    value = item_agreement(answers)
    area = np.zeros(answers.items, np.int64)
    area[answers.item] = answers.area
    is_shared = ~np.isnan(value)
    count = np.bincount(area[is_shared], minlength=len(answers.areas))
    total = np.bincount(area[is_shared], value[is_shared], len(answers.areas))
    return ratio(total, count)


def leave_one_out(answers: AnswerTable) -> LeaveOneOut:
    """Compare each person with the others on the same items, which allows for hard items.

    The score of an answer is the logarithm of its probability by the others' labels, so a clear consensus weighs more
    than a divided one.
    """
    cells, people, labels = answers.cells(), len(answers.people), max(1, len(answers.labels))
    frequency = np.bincount(answers.label, minlength=len(answers.labels)) / max(1, len(answers.label))
    sums = np.zeros((7, people))
    block = max(1, MAX_CELLS // labels)
    for start in range(0, len(answers.item), block):
        rows = slice(start, start + block)
        counts = cells.rows(answers.item[rows], labels)
        sums += _compare_with_others(counts, frequency, answers.person[rows], answers.label[rows], people)
    comparable, number, agreement, expected, excess, variance, evidence = sums
    return LeaveOneOut(
        shared=comparable.astype(np.int64),
        agreement=ratio(agreement, number),
        expected=ratio(expected, number),
        z=ratio(excess, np.sqrt(np.maximum(variance, 0)), 0.0),
        evidence=evidence,
    )


def _compare_with_others(
    counts: NDArray[np.int64],
    frequency: NDArray[np.float64],
    person: NDArray[np.int32],
    label: NDArray[np.int32],
    people: int,
) -> NDArray[np.float64]:
    """Sums over answers by person, [7, people]; `counts` are those of each answer's item, [answers, labels].

    Answers to items with another answer; those with two or more others, the share of the others with the same label,
    and of their pairs that agree; score minus its mean, its variance, and the evidence.
    """
    others = counts.astype(np.float64)
    others[np.arange(len(label)), label] -= 1
    usable = others.sum(axis=1) > 0
    others, person, label = others[usable], person[usable], label[usable]
    number, cell = others.sum(axis=1), (np.arange(len(label)), label)
    chance = (others + SMOOTHING * frequency) / (number[:, None] + SMOOTHING)
    score = np.log(np.maximum(chance, 1e-300))
    terms = chance * score
    mean, own_score, has_pairs = terms.sum(axis=1), score[cell], number > 1
    columns = [
        np.ones(len(label)),
        has_pairs,
        np.where(has_pairs, others[cell] / number, 0),
        np.where(has_pairs, same_pairs(others), 0),
        own_score - mean,
        (terms * score).sum(axis=1) - mean**2,
        own_score + np.log(counts.shape[1]),
    ]
    return np.array([np.bincount(person, column, people) for column in columns], np.float64)


def same_pairs(counts: Numbers) -> NDArray[np.float64]:
    """Share of pairs of answers with the same label, from counts [items, labels]; nan below two answers."""
    number = counts.sum(axis=1)
    pairs = number * (number - 1)
    agreements = (counts * (counts - 1)).sum(axis=1)
    return ratio(agreements, pairs)
