"""Labels of items and error rates of people without a key, by expectation maximisation (Dawid and Skene 1979)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.evaluations.domain.annotators.answers import AnswerTable

ROUNDS: Final = 200
TOLERANCE: Final = 1e-7
SMOOTHING: Final = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class DawidSkene:
    """A fit of the model that people's labels are noisy copies of one true label per item.

    Attributes:
        chance: float64 [items, labels], probability of each label; equal for items without an answer.
        confusion: float64 [people, true label, answer], probability of a person's answer given the true label.
        prior: float64 [labels], shares of the labels.
        rounds: Iterations.
        converged: Whether the probabilities stopped changing.
    """

    chance: NDArray[np.float64]
    confusion: NDArray[np.float64]
    prior: NDArray[np.float64]
    rounds: int
    converged: bool

    @property
    def accuracy(self) -> NDArray[np.float64]:
        """Probability that a person's answer is the true label, [people]."""
        return np.einsum("k,pkk->p", self.prior, self.confusion)


def dawid_skene(answers: AnswerTable) -> DawidSkene:
    """Fit, starting from the majority's labels; `SMOOTHING`, in answers, keeps all probabilities above 0."""
    kinds = len(answers.labels)
    counts = answers.counts().astype(np.float64)
    total = counts.sum(axis=1, keepdims=True)
    chance = np.divide(counts, total, out=np.full(counts.shape, 1 / max(1, kinds)), where=total > 0)
    prior, confusion = _rates(answers, chance, total[:, 0] > 0)
    for rounds in range(1, ROUNDS + 1):
        update = _chances(answers, prior, confusion)
        change = float(np.abs(update - chance).max(initial=0.0))
        chance = update
        prior, confusion = _rates(answers, chance, total[:, 0] > 0)
        if change < TOLERANCE:
            return DawidSkene(chance, confusion, prior, rounds, converged=True)
    return DawidSkene(chance, confusion, prior, ROUNDS, converged=False)


def _rates(
    answers: AnswerTable, chance: NDArray[np.float64], has_answers: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    people, kinds = len(answers.people), len(answers.labels)
    counts = np.full((people, kinds, kinds), SMOOTHING)
    np.add.at(counts, (answers.person, answers.label), chance[answers.item])
    confusion = counts.transpose(0, 2, 1)
    prior = (chance[has_answers].sum(axis=0) + SMOOTHING) / (has_answers.sum() + SMOOTHING * kinds)
    return prior, confusion / confusion.sum(axis=2, keepdims=True)


def _chances(answers: AnswerTable, prior: NDArray[np.float64], confusion: NDArray[np.float64]) -> NDArray[np.float64]:
    likelihood = np.tile(np.log(prior), (answers.items, 1))
    np.add.at(likelihood, answers.item, np.log(confusion[answers.person, :, answers.label]))
    likelihood -= likelihood.max(axis=1, keepdims=True)
    result = np.exp(likelihood)
    return result / result.sum(axis=1, keepdims=True)
