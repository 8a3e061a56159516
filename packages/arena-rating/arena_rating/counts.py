"""Outcome counts per pair, from one pass over the log: the input of every method but Elo."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena_rating.comparisons import BOTH_BAD, LEFT_WINS, RIGHT_WINS, TIE, Comparisons, read_only
from arena_rating.frames.reading import VoteFrame


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """Counts per pair, whatever the sides; float64 [m, m] each, exact up to 2^53.

    Attributes:
        names: The m competitors.
        wins: wins[i, j] is the number of times i beat j.
        ties: ties[i, j] = ties[j, i] is the number of ties between i and j.
        both_bad: The same for "both are bad".
    """

    names: tuple[str, ...]
    wins: NDArray[np.float64]
    ties: NDArray[np.float64]
    both_bad: NDArray[np.float64]

    @property
    def battles(self) -> NDArray[np.float64]:
        """Number of battles per pair, [m, m], symmetric."""
        return self.wins + self.wins.T + self.ties + self.both_bad

    @property
    def scores(self) -> NDArray[np.float64]:
        """Points that i took from j, [m, m]: 1 for a win, 1/2 for a tie of either kind; scores + scores.T = battles."""
        return self.wins + 0.5 * (self.ties + self.both_bad)


def outcome_counts(comparisons: Comparisons, *, weighted: bool = True) -> NDArray[np.float64]:
    """The tensor C[left, right, outcome], float64 [m, m, 4].

    With `weighted` each row counts with its weight; otherwise each row with a weight above 0 counts as one.
    """
    log, size = comparisons, len(comparisons.names)
    if log.counted:
        return log.counted[weighted].copy()
    from arena_rating._kernels.tally import tally, tally_parts

    if log.weight is None or not len(log):
        return tally(log.left, log.right, log.outcome, size).astype(np.float64)
    one_part = read_only(np.zeros(len(log), np.int32))
    sums, votes = tally_parts(log.left, log.right, log.outcome, log.weight, one_part, 1, size)
    return (sums if weighted else votes)[0]


def sums_by_code(
    code: NDArray[np.integer], rows: NDArray[np.intp], columns: NDArray[np.float64], codes: int
) -> NDArray[np.float64]:
    """Sums of two columns [n, 2] over some rows by the code [n] of each row, float64 [codes, 2].

    The bits are those of `numpy.bincount` on each column. Rows are from 0 to n - 1, which is not checked.

    Raises:
        IndexError: A code is not from 0 to `codes` - 1.
    """
    from arena_rating._kernels.tally import tally_rows

    return tally_rows(code, rows, columns, codes)


def sums_of_kinds(
    code: NDArray[np.integer], kind: NDArray[np.integer], values: NDArray[np.float64], codes: int
) -> NDArray[np.float64]:
    """Sums over rows, by their code [n], of the value [kinds] of each row's kind [n], float64 [codes].

    The bits are those of `numpy.bincount(code, values[kind], codes)`. Kinds are indices of `values`, which is not
    checked.

    Raises:
        IndexError: A code is not from 0 to `codes` - 1.
    """
    from arena_rating._kernels.tally import tally_kinds

    return tally_kinds(code, kind, values, codes)


def pair_counts(comparisons: Comparisons, *, weighted: bool = True) -> PairCounts:
    """Counts per pair of a log."""
    return fold(comparisons.names, outcome_counts(comparisons, weighted=weighted))


Votes = PairCounts | Comparisons | VoteFrame
"""Votes as counts per pair, as a log, or as a data frame with usual columns."""


def counts_of(votes: Votes) -> PairCounts:
    """The counts themselves, or those of a log or data frame, each row with its weight.

    Raises:
        BadComparisons: As `Comparisons.from_frame`.
    """
    return votes if isinstance(votes, PairCounts) else pair_counts(Comparisons.of(votes))


def fold(names: tuple[str, ...], tensor: NDArray[np.float64]) -> PairCounts:
    """Counts per pair from a tensor C[left, right, outcome], float64 [m, m, 4]."""
    ties, both_bad = tensor[:, :, TIE], tensor[:, :, BOTH_BAD]
    return PairCounts(
        names=names,
        wins=tensor[:, :, LEFT_WINS] + tensor[:, :, RIGHT_WINS].T,
        ties=ties + ties.T,
        both_bad=both_bad + both_bad.T,
    )


def round_column(column: NDArray[np.float64], decimals: int) -> NDArray[np.float64]:
    """The rounded numbers, with 0 for -0."""
    return np.round(column, decimals) + 0.0


def ratio(part: NDArray[np.number], total: NDArray[np.number], default: float = np.nan) -> NDArray[np.float64]:
    """Quotient part / total of one shape, `default` where the total is not above 0."""
    return np.divide(part, total, out=np.full(part.shape, default), where=total > 0)
