"""Repeats: whether a person who is asked the same again answers the same (LLMEval's consistency)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.evaluations.domain.annotators.annotations import Annotations


def consistency(answers: Annotations) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Share of the most frequent answer among the attempts at repeated items, and those attempts, [people] each.

    Answers 1, 1, 1, 0 to one item are 3/4 (LLMEval). nan for people without a repeat.
    """
    people, kinds = len(answers.people), len(answers.labels)
    task = answers.person.astype(np.int64) * answers.items + answers.item
    tasks, place = np.unique(task, return_inverse=True)
    counts = np.bincount(place * kinds + answers.label, minlength=len(tasks) * kinds).reshape(len(tasks), kinds)
    attempts = counts.sum(axis=1)
    repeated, person = attempts > 1, tasks // max(1, answers.items)
    total = np.bincount(person[repeated], attempts[repeated], people)
    same = np.bincount(person[repeated], counts.max(axis=1, initial=0)[repeated], people)
    share = np.divide(same, total, out=np.full(people, np.nan), where=total > 0)
    return share, total.astype(np.int64)
