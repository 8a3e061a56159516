"""Accuracy of people who give scores: near enough to the mean of all (LLMEval, equation 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def score_accuracy(
    person: NDArray[np.int32], item: NDArray[np.int32], score: NDArray[np.float64], people: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Share of each person's scores that are right, and their number, [people] each; nan without a score.

    A score is right if it is nearer to the mean of all scores of the item than their standard deviation. Where all
    agree, that deviation is 0 and equation 5 would call everybody wrong; here they are right. Items with one score do
    not count.
    """
    n = np.bincount(item)
    many = np.maximum(n, 1)
    mean = np.bincount(item, score) / many
    deviation = np.sqrt(np.maximum(np.bincount(item, (score - mean[item]) ** 2) / many, 0.0))
    counted = n[item] > 1
    gap = np.abs(score - mean[item])
    right = counted & ((gap < deviation[item]) | (gap == 0))
    judged = np.bincount(person[counted], minlength=people)
    found = np.bincount(person[right], minlength=people)
    return np.divide(found, judged, out=np.full(people, np.nan), where=judged > 0), judged
