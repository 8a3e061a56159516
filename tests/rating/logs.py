"""Logs to rate: drawn by hypothesis, simulated, and read from files."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from arena.rating import OUTCOMES, Comparisons

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
WORDS = {"left": "a", "right": "b", "tie": "tie"}
NAMES = "uvwxyz"

unhurried = settings(deadline=None, max_examples=40)
"""The first example may have to compile."""


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


def simulated(votes, competitors, seed) -> Comparisons:
    """A log of skewed popularity, as arrays."""
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
    """Where the whole LLMFAO data may lie; it is not part of the repository."""
    return Path(os.environ.get("ARENA_TEST_DATA") or ROOT.parent / "shared" / "data")
