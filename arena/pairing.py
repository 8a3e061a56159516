"""Matchmaking without I/O: who meets whom, and on which side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.errors import TooFewEndpoints

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from numpy.typing import NDArray

GROUP_BOOST: Final = 2.0
"""How much likelier a pair from one group is than the same pair from two."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An endpoint that may be drawn; `weight` is relative, members of one `group` meet more often."""

    id: int
    weight: float = 1.0
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two different endpoints in their places; `probability` is that of the unordered pair."""

    a: int
    b: int
    probability: float


def choose(pool: Sequence[Candidate], rng: Random, *, group_boost: float = GROUP_BOOST) -> Pairing:
    """Draw a pair with probability proportional to weight x weight (x `group_boost` in one group), sides at random.

    With equal weights and no groups every pair is equally likely. The draw depends on nothing but the pool and `rng`:
    never on the voter or the prompt.

    Raises:
        TooFewEndpoints: Fewer than two candidates have a weight above zero.
    """
    able = [candidate for candidate in pool if candidate.weight > 0]
    if len(able) < 2:  # noqa: PLR2004 - a pair
        raise TooFewEndpoints(retry_after=60)
    first, second = np.triu_indices(len(able), k=1)
    likelihood = _likelihood(able, group_boost)[first, second]
    likelihood /= likelihood.sum()
    drawn = min(int(np.searchsorted(likelihood.cumsum(), rng.random(), side="right")), len(likelihood) - 1)
    pair = [able[int(first[drawn])].id, able[int(second[drawn])].id]
    rng.shuffle(pair)
    return Pairing(a=pair[0], b=pair[1], probability=float(likelihood[drawn]))


def _likelihood(able: Sequence[Candidate], group_boost: float) -> NDArray[np.float64]:
    weight = np.array([candidate.weight for candidate in able], dtype=np.float64)
    weight /= weight.max()
    groups = {candidate.group for candidate in able if candidate.group is not None}
    number = {group: index for index, group in enumerate(sorted(groups))}
    own = np.array([-1 if c.group is None else number[c.group] for c in able])
    together = (own[:, None] == own[None, :]) & (own[:, None] >= 0)
    return np.outer(weight, weight) * np.where(together, group_boost, 1.0)
