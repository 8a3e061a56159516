"""Whether two samples of answers come from one model: a permutation test of their distance, prompt by prompt.

The statistic is the maximum mean discrepancy with a Hamming kernel on the answers' beginnings (Gao, Liang and Guestrin
2024, "Model Equality Testing"): two answers are as alike as the share of places at which they have the same character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Answers = Sequence[Sequence[str]]

PREFIX: Final = 100
"""Characters of an answer that are compared; later ones differ between any two answers of one model."""
PERMUTATIONS: Final = 4_999
_EQUAL: Final = 1e-6
"""Rounding must not order two splits that are equally far apart."""


def p_value(before: Answers, after: Answers, rng: np.random.Generator, permutations: int = PERMUTATIONS) -> float:
    """How likely answers of one model are at least as far apart as these two samples.

    Args:
        before: For each prompt the answers of one sample, at least one.
        after: The same for the other, with the same prompts.
        rng: Draws the permutations: of the answers to each prompt, who belongs to which sample.
        permutations: How many; no p-value is below 1 / (permutations + 1).

    Raises:
        ValueError: A prompt has answers in one sample only.
    """
    found = np.zeros(permutations + 1)
    for first, second in zip(before, after, strict=True):
        if not first or not second:
            raise ValueError("each prompt needs answers in both samples")
        alike = _alike([*first, *second])
        split = _splits(len(first), len(second), permutations, rng)
        found += np.einsum("si,si->s", split @ alike, split)
    return float(np.count_nonzero(found >= found[0] - _EQUAL) / len(found))


def _alike(answers: Sequence[str]) -> NDArray[np.float64]:
    """The share of equal places for each pair of answers; behind its end an answer is like another's behind its."""
    codes = np.zeros((len(answers), PREFIX), dtype=np.int32)
    for row, answer in zip(codes, answers, strict=True):
        row[: len(answer)] = [ord(character) for character in answer[:PREFIX]]
    equal = np.equal(codes[:, None, :], codes[None, :, :])
    return equal.mean(axis=2)


def _splits(first: int, second: int, permutations: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The weights of all answers in the difference of the two means: as it is, then for random memberships."""
    true = np.concatenate([np.full(first, 1 / first), np.full(second, -1 / second)])
    return np.vstack([true, rng.permuted(np.tile(true, (permutations, 1)), axis=1)])
