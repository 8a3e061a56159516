"""Vote logs from Hypothesis, from simulations and from files."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from arena_rating import OUTCOMES, Comparisons
from tests.paths import ROOT

FIXTURES = ROOT / "tests" / "fixtures"
WORDS = {"left": "a", "right": "b", "tie": "tie"}
NAMES = "uvwxyz"
T = TypeVar("T")


def require(value: T | None) -> T:
    """The value, which must not be None."""
    assert value is not None
    return value


fewer_examples = settings(max_examples=40)
"""Fewer examples than by default, for slow tests."""


@st.composite
def vote_lists(draw, size=5, least=1, most=40):
    """Lists of (left, right, outcome) over at most `size` competitors."""
    pairs = st.tuples(st.integers(0, size - 1), st.integers(1, size - 1), st.sampled_from(OUTCOMES))
    drawn = draw(st.lists(pairs, min_size=least, max_size=most))
    return [(NAMES[i], NAMES[(i + step) % size], outcome) for i, step, outcome in drawn]


def columns(votes):
    return [list(column) for column in zip(*votes, strict=True)] if votes else [[], [], []]


def log_of(votes, **more) -> Comparisons:
    return Comparisons.from_votes(*columns(votes), **more)


def even_pairs(votes: int, competitors: int) -> Comparisons:
    """A log with uniform pairs; strengths have a standard deviation of 120 points."""
    rng = np.random.default_rng(1)
    strength = rng.normal(0, 120, competitors)
    left = rng.integers(0, competitors, votes)
    right = (left + rng.integers(1, competitors, votes)) % competitors
    lost = rng.random(votes) > 1 / (1 + 10 ** ((strength[right] - strength[left]) / 400))
    names = tuple(f"m{number:03}" for number in range(competitors))
    left, right = left.astype(np.int32), right.astype(np.int32)
    return Comparisons(left, right, np.where(rng.random(votes) < 0.2, 2, lost), None, None, None, names)


def simulated(votes, competitors, seed) -> Comparisons:
    """A log in which some competitors play far more often than others."""
    rng = np.random.default_rng(seed)
    popularity = rng.lognormal(size=competitors)
    left = rng.choice(competitors, votes, p=popularity / popularity.sum())
    right = (left + rng.integers(1, competitors, votes)) % competitors
    outcome = rng.choice(4, votes, p=[0.37, 0.37, 0.16, 0.1])
    names = tuple(f"m{number:03}" for number in range(competitors))
    return Comparisons(left, right, outcome, None, None, None, names)


def read_votes(path: Path):
    with path.open(encoding="utf-8", newline="") as file:
        return [(row["left"], row["right"], WORDS[row["winner"]]) for row in csv.DictReader(file)]


def read_scores(path: Path) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            scores.setdefault(row["algorithm"], {})[row["item"]] = float(row["score"])
    return scores


def full_data() -> Path:
    """Folder of the whole LLMFAO data set, which is not part of the repository."""
    return Path(os.environ.get("ARENA_TEST_DATA") or ROOT.parent / "shared" / "data")


def rows_of(log: Comparisons, numbers: NDArray[np.int64]) -> Comparisons:
    """The rows with these numbers, some of them more than once."""
    return log.where(cast("Any", numbers))
