"""The draw of a battle's two endpoints and their sides, without I/O."""

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
"""Factor on the probability of pairs within one group."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An endpoint that may be drawn; `weight` is relative, members of one `group` meet more often.

    `languages`: ISO 639-1 codes it answers in; empty means any. `vision`: it accepts images. `practice`: it comes with
    the arena. `standby`: it takes part only while fewer than two real models are active. `scripted`: it is a program.
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
    """The endpoints on sides A and B; `probability` is that of the unordered pair."""

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

    A `table` multiplies these by its own probabilities. The draw depends only on the pool, the table and `rng`, never
    on the voter; `eligibility` selects the pool of a prompt. The pairing's probability is that within this pool.

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
    # The likelihood is symmetric, so drawing A by its row sum and then B in its row makes the sides random.
    row_sums = likelihood.sum(axis=1)
    a = _draw_index(row_sums, rng)
    b = _draw_index(likelihood[a], rng)
    return Pairing(a=able[a].id, b=able[b].id, probability=float(2 * likelihood[a, b] / row_sums.sum()))


def _draw_index(likelihood: NDArray[np.float64], rng: Random) -> int:
    """Draw an index with probability proportional to its entry."""
    cumulative: NDArray[np.float64] = likelihood.cumsum()
    total = float(cumulative[-1])
    index = int(np.searchsorted(cumulative, rng.random() * total, side="right"))
    # Rounding may raise the product to the total; the last entry above 0 is then the right one.
    return min(index, int(np.searchsorted(cumulative, total)))


def _likelihood(able: Sequence[Candidate], group_boost: float) -> NDArray[np.float64]:
    """Products of the weights, [n, n], times `group_boost` within a group; unnormalised."""
    weight = np.array([candidate.weight for candidate in able], dtype=np.float64)
    weight /= weight.max()
    groups = {candidate.group for candidate in able if candidate.group is not None}
    number = {group: index for index, group in enumerate(sorted(groups))}
    group_of = np.array([-1 if c.group is None else number[c.group] for c in able])
    is_same_group = (group_of[:, None] == group_of[None, :]) & (group_of[:, None] >= 0)
    return np.outer(weight, weight) * np.where(is_same_group, group_boost, 1.0)
