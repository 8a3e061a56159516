"""The omnibus test: many small differences are found together, honest slices and single large ones are not its task."""

from __future__ import annotations

import numpy as np
import pytest

from arena_trust.integrity.omnibus import omnibus_discoveries
from arena_trust.integrity.pooling import Residuals

MODELS, VOTES, ERROR = 20, 100.0, 0.05


def residuals(z):
    """Slices with the same number of votes on each model, and these z [slices, models]."""
    votes = np.full(z.shape, VOTES)
    return Residuals(votes, np.full(z.shape, 0.5), ERROR * z, z, z, np.zeros(len(z)))


def noise(seed, slices=200):
    """z of honest slices; each vote counts for one model and against another, so that they sum to 0."""
    z = np.random.default_rng(seed).normal(size=(slices, MODELS))
    z -= z.mean(axis=1, keepdims=True)
    return z * np.sqrt(MODELS / (MODELS - 1))


@pytest.mark.parametrize("seed", range(3))
def test_honest_slices_are_not_suspicious(seed):
    assert not omnibus_discoveries(residuals(noise(seed)), 0.001).any()


def test_a_slice_that_differs_a_little_on_every_model_is_suspicious():
    z = noise(3)
    z[7] += 2.4 * np.where(np.arange(MODELS) % 2, 1, -1)
    assert np.flatnonzero(omnibus_discoveries(residuals(z), 0.001)).tolist() == [7]


def test_a_slice_with_hardly_any_vote_is_not_judged():
    z = noise(4)
    z[7] *= 4
    few = residuals(z)
    few.votes[:] = 3
    assert not omnibus_discoveries(few, 0.001).any()


def test_a_slice_that_is_nearer_to_the_board_than_chance_is_not_suspicious():
    assert not omnibus_discoveries(residuals(noise(5) / 100), 0.001).any()
