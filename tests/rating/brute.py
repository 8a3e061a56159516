"""Brute-force reference for fragility: tries every removal, with many fits at once in dense arrays."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from tests.rating.naive import SCORE


def kinds_of(votes):
    """Counts of interchangeable votes: {(i, j, score): count} with names sorted within a tie."""
    counts = {}
    for left, right, outcome in votes:
        score = SCORE[outcome]
        turned = score == 0 or (score == 0.5 and left > right)
        kind = (right, left, 1 - score) if turned else (left, right, score)
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def fits(kinds, counts, size, prior):
    """theta [r, m] for the rows of counts [r, t]; kinds are (i, j, score) by index."""
    theta = np.zeros((len(counts), size))
    contrast = np.zeros((len(kinds), size))
    for row, (i, j, _) in enumerate(kinds):
        contrast[row, i], contrast[row, j] = 1, -1
    score = np.array([kind[2] for kind in kinds])
    for _ in range(200):
        chance = 1 / (1 + np.exp(-theta @ contrast.T))
        chance_of_one = 1 / (1 + np.exp(-theta))
        slope = (counts * (score - chance)) @ contrast + prior * (0.5 - chance_of_one)
        curve = np.einsum("rt,tx,ty->rxy", counts * chance * (1 - chance), contrast, contrast)
        curve[:, range(size), range(size)] += prior * chance_of_one * (1 - chance_of_one)
        change = np.linalg.solve(curve, slope[..., None])[..., 0]
        theta += change / np.maximum(1, np.abs(change).max(axis=1))[:, None]
        if np.abs(change).max() < 1e-12:
            return theta
    raise AssertionError("the brute-force fits did not converge")


def connected(kinds, counts, size, i, j):
    """Whether the remaining votes connect i and j; a boolean for each row, [r]."""
    reach = np.broadcast_to(np.eye(size, dtype=bool), (len(counts), size, size)).copy()
    for row, (x, y, _) in enumerate(kinds):
        reach[:, x, y] |= counts[:, row] > 0
        reach[:, y, x] |= counts[:, row] > 0
    for _ in range(size):
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    return reach[:, i, j]


def fewest(votes, names, above, below, *, prior, most):
    """The smallest k <= most such that some k removals put `below` strictly above `above`; most + 1 if none."""
    counts = kinds_of(votes)
    kinds = [(names.index(i), names.index(j), score) for i, j, score in counts]
    count, (i, j) = np.array(list(counts.values())), (names.index(above), names.index(below))
    for k in range(most + 1):
        removals = np.array(
            [
                np.bincount(chosen, minlength=len(kinds))
                for chosen in combinations_with_replacement(range(len(kinds)), k)
            ]
            if k
            else [np.zeros(len(kinds), int)]
        )
        left = count - removals[(removals <= count).all(axis=1)]
        if not len(left):
            break
        theta = fits(kinds, left, len(names), prior)
        if ((theta[:, j] - theta[:, i] > 1e-8) & connected(kinds, left, len(names), i, j)).any():
            return k
    return most + 1
