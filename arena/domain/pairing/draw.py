"""Matchmaking without I/O: who meets whom, and on which side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.errors import TooFewEndpoints
from arena.domain.terms import Side

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from random import Random

    from numpy.typing import NDArray

    from arena.domain.pairing.pair_table import PairTable

GROUP_BOOST: Final = 2.0
"""How much likelier a pair from one group is than the same pair from two."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An endpoint that may be drawn; `weight` is relative, members of one `group` meet more often.

    `languages` are what it can answer, none says any; with `vision` it sees images. A `practice` model comes with the
    arena, and on `standby` takes part only where real ones lack; a `scripted` one can do no more than its script.
    """

    id: int
    weight: float = 1.0
    group: str | None = None
    languages: Collection[str] = ()
    vision: bool = False
    practice: bool = False
    standby: bool = False
    scripted: bool = False


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two different endpoints in their places; `probability` is that of the unordered pair."""

    a: int
    b: int
    probability: float

    @property
    def sides(self) -> dict[Side, int]:
        """The endpoints by side."""
        return {Side.A: self.a, Side.B: self.b}


def choose(
    pool: Sequence[Candidate], rng: Random, *, table: PairTable | None = None, group_boost: float = GROUP_BOOST
) -> Pairing:
    """Draw a pair with probability proportional to weight x weight (x `group_boost` in one group), sides at random.

    With a `table` its probabilities multiply; without one, with equal weights and no groups, every pair is equally
    likely. The draw depends on nothing but the pool, the table and `rng`, never on the voter; which pool a prompt has,
    `eligibility` says. The pairing's probability is that within this pool.

    Raises:
        TooFewEndpoints: Fewer than two candidates have a weight above zero.
    """
    able = [candidate for candidate in pool if candidate.weight > 0]
    if len(able) < 2:  # a pair
        raise TooFewEndpoints(retry_after=60)
    likelihood = _likelihood(able, group_boost)
    if table is not None:
        likelihood *= table.among([candidate.id for candidate in able])
    np.fill_diagonal(likelihood, 0.0)
    # The likelihood is symmetric, so that drawing first one side and then the other makes the sides random.
    either = likelihood.sum(axis=1)
    a = _index(either, rng)
    b = _index(likelihood[a], rng)
    return Pairing(a=able[a].id, b=able[b].id, probability=float(2 * likelihood[a, b] / either.sum()))


def _index(likelihood: NDArray[np.float64], rng: Random) -> int:
    """The number of an entry, drawn in proportion to it."""
    ends: NDArray[np.float64] = likelihood.cumsum()
    whole = float(ends[-1])
    # The product may be rounded up to the sum, which the last entry above 0 reaches first.
    return min(int(np.searchsorted(ends, rng.random() * whole, side="right")), int(np.searchsorted(ends, whole)))


def _likelihood(able: Sequence[Candidate], group_boost: float) -> NDArray[np.float64]:
    weight = np.array([candidate.weight for candidate in able], dtype=np.float64)
    weight /= weight.max()
    groups = {candidate.group for candidate in able if candidate.group is not None}
    number = {group: index for index, group in enumerate(sorted(groups))}
    group_of = np.array([-1 if c.group is None else number[c.group] for c in able])
    together = (group_of[:, None] == group_of[None, :]) & (group_of[:, None] >= 0)
    return np.outer(weight, weight) * np.where(together, group_boost, 1.0)
