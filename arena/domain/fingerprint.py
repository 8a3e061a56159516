"""Permutation test of whether two samples of answers come from the same model, stratified by prompt.

The statistic is the maximum mean discrepancy with a Hamming kernel on the answers' prefixes (Gao, Liang and Guestrin
2024, "Model Equality Testing"): the similarity of two answers is the share of positions with the same character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Answers = Sequence[Sequence[str]]

PREFIX: Final = 100
"""Characters of an answer that are compared; later ones differ between almost all answers of one model too."""
SUSPICIOUS: Final = 0.001
PERMUTATIONS: Final = 4_999
_EQUAL: Final = 1e-6
"""Tolerance for comparing statistics, as rounding may make equal ones differ."""


def p_value(before: Answers, after: Answers, rng: np.random.Generator, permutations: int = PERMUTATIONS) -> float:
    """The p-value: probability that two samples of one model are at least as far apart as these.

    Args:
        before: For each prompt the answers of one sample, at least one.
        after: The same for the other sample, with the same prompts.
        rng: Draws the permutations of sample membership within each prompt.
        permutations: Number of permutations; no p-value is below 1 / (permutations + 1).

    Raises:
        ValueError: A prompt has answers in one sample only.
    """
    result = np.zeros(permutations + 1)
    for first, second in zip(before, after, strict=True):
        if not first or not second:
            raise ValueError("each prompt needs answers in both samples")
        similarity = _similarity([*first, *second])
        split = _split_weights(len(first), len(second), permutations, rng)
        result += np.einsum("si,si->s", split @ similarity, split)
    return float(np.count_nonzero(result >= result[0] - _EQUAL) / len(result))


def _similarity(answers: Sequence[str]) -> NDArray[np.float64]:
    """Share of equal positions of each pair of answers, [n, n]; positions after the end of both are equal."""
    codes = np.zeros((len(answers), PREFIX), dtype=np.int32)
    for row, answer in zip(codes, answers, strict=True):
        row[: len(answer)] = [ord(character) for character in answer[:PREFIX]]
    equal = np.equal(codes[:, None, :], codes[None, :, :])
    return equal.mean(axis=2)


def _split_weights(first: int, second: int, permutations: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Weights of the answers in the difference of the two means, [permutations + 1, answers]; row 0 is observed."""
    observed = np.concatenate([np.full(first, 1 / first), np.full(second, -1 / second)])
    return np.vstack([observed, rng.permuted(np.tile(observed, (permutations, 1)), axis=1)])


def odd(p_value: float | None) -> bool:
    """Whether the p-value is low enough to suggest another model."""
    return p_value is not None and p_value < SUSPICIOUS
