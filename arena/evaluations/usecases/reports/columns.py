"""Columns of annotations, which fitting processes receive: this module loads nothing of the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import Outcome
from arena.evaluations.domain.people.protocols import SKIP

if TYPE_CHECKING:
    from numpy.typing import NDArray

EVEN: Final = 0.5
"""Points, and the chance, of either of two models that are equally good."""
_POINTS: Final = {Outcome.A.value: 1.0, Outcome.B.value: 0.0}


@dataclass(frozen=True, slots=True, eq=False)
class ReportColumns:
    """The n annotations of an evaluation without those withdrawn, in order.

    Attributes:
        item: int32 [n], index of the item.
        person: int32 [n], index in `people`.
        repeat: bool [n], whether it is a hidden repeat.
        swapped: bool [n], whether the second answer was shown left.
        code: int32 [n], index in `values`.
        milliseconds: float64 [n], nan where the time is unknown.
        values: The distinct values of annotations.
        people: Labels of the annotators.
        teams: Teams of the annotators, in the order of `people`.
        models: Names of the models.
        first: int32 [items], index of the first model.
        second: int32 [items], index of the second, -1 for single answers.
        question: int32 [items], equal numbers are one question.
        area: int32 [items], index in `areas`.
        form: int32 [items], index in `forms`.
        areas, forms: Their names.
        questions: Number of all questions, judged or not.
    """

    item: NDArray[np.int32]
    person: NDArray[np.int32]
    repeat: NDArray[np.bool_]
    swapped: NDArray[np.bool_]
    code: NDArray[np.int32]
    milliseconds: NDArray[np.float64]
    values: tuple[str, ...]
    people: tuple[str, ...]
    teams: tuple[str, ...]
    models: tuple[str, ...]
    first: NDArray[np.int32]
    second: NDArray[np.int32]
    question: NDArray[np.int32]
    area: NDArray[np.int32]
    areas: tuple[str, ...]
    form: NDArray[np.int32]
    forms: tuple[str, ...]
    questions: int

    @property
    def is_judged(self) -> NDArray[np.bool_]:
        """Whether an annotation is not a skip, bool [n]."""
        return np.array([value != SKIP for value in self.values])[self.code]

    @property
    def points(self) -> NDArray[np.float64]:
        """Points of the first model by an annotation's outcome, float64 [n]: 1, 0 or a half."""
        return np.array([_POINTS.get(value, EVEN) for value in self.values] or [EVEN])[self.code]
