"""Boards of comparisons: ratings with errors by question and person, and their pairs.

Judgements of one question depend on each other, as do those of one person. Errors are clustered both ways; with one
person, or one question, by the other kind alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from arena.domain.schemas.leaderboard import PairView
from arena.domain.statistics.proportions import finite
from arena.evaluations.domain.schemas.evaluation_reports import ComparedModelView
from arena.evaluations.usecases.reports.figures import comparisons
from arena_rating import (
    LLMEVAL,
    SETTLED,
    TENCENT,
    ClusteredFit,
    ClusteredRows,
    Comparisons,
    LeaderboardParameters,
    PairErrors,
    bradley_terry,
    clustered,
    clustered_both_ways,
    compute,
    elo_in_order,
    pair_counts,
    way_left,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.evaluations.usecases.reports.columns import ReportColumns
    from arena_rating import Rating

_EXTRA_COLUMNS: Final = {"elo_in_order", "elo_settled"}
"""Columns that the board of the rating library lacks."""
_DECIMALS: Final = 6


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonErrors:
    """The errors of a comparison's ratings and of all their differences.

    The variance of both ways is that by question plus that by person, less that of their intersections. By chance that
    may be far too small, so no error is below that of one kind alone or of independent judgements.

    Attributes:
        fit: The fit of the largest of these variances.
        pairs: The errors of all differences, with the number of questions of each model as its clusters.
        half: float64 [m], half the interval of each rating in points, nan without one.
    """

    fit: ClusteredFit
    pairs: PairErrors
    half: NDArray[np.float64]

    @classmethod
    def of(cls, log: ReportColumns, votes: Comparisons) -> Self:
        """Errors by question and person; none where neither differs."""
        mask = log.is_judged & ~log.repeat
        question, person = log.question[log.item[mask]], log.person[mask]
        columns = [column for column in (person, question) if len(np.unique(column)) > 1] or [person]
        fits = _fits(votes, columns)
        tables, error = [PairErrors.of(fit, votes) for fit in fits], [fit.fit.error for fit in fits]
        missing = np.isnan(error[0])
        largest = np.where(missing | missing[:, None], np.nan, np.fmax.reduce([table.error for table in tables]))
        return cls(
            fit=max(fits, key=lambda fit: float(np.nansum(fit.fit.error**2))),
            pairs=replace(tables[0], error=largest, clusters=_questions(votes, question)),
            half=np.where(missing, np.nan, np.fmax.reduce(error)) * tables[0].quantile,
        )


def comparison_tables(
    log: ReportColumns, seed: int
) -> tuple[list[ComparedModelView], list[PairView], ComparisonErrors | None]:
    """The board, its pairs, and the errors of its ratings; no errors without a comparison."""
    votes = comparisons(log)
    board = compute(votes, LeaderboardParameters(elo=TENCENT), seed=seed)
    errors = ComparisonErrors.of(log, votes) if board.rows else None
    battles, score = (np.array([getattr(row, name) for row in board.rows]) for name in ("battles", "points_per_battle"))
    shares = way_left(battles, score, TENCENT)
    in_order = dict(zip(votes.names, elo_in_order(votes, LLMEVAL).tolist(), strict=True))
    intervals = _intervals(errors, seed) if errors else {}
    rows = [
        ComparedModelView(
            **_fields(row) | intervals[row.name],
            elo_settled=bool(share <= SETTLED),
            elo_in_order=round(in_order[row.name], 6),
        )
        for row, share in zip(board.rows, shares, strict=True)
    ]
    pairs = [PairView(**{name: getattr(pair, name) for name in PairView.model_fields}) for pair in board.pairs]
    return rows, pairs, errors


def _fits(votes: Comparisons, columns: list[NDArray[np.int32]]) -> list[ClusteredFit]:
    """The fit with errors by all these columns of clusters, by each alone, and with independent votes."""
    counts = pair_counts(votes)
    fit, rows = bradley_terry(counts), [ClusteredRows.of(replace(votes, voter=column)) for column in columns]
    single = [clustered(fit, kind, counts) for kind in rows]
    both = [clustered_both_ways(fit, rows[0], rows[1], counts)] if len(rows) > 1 else []
    return [*both, *single, clustered(fit, ClusteredRows.of(votes), counts)]


def _questions(votes: Comparisons, question: NDArray[np.int32]) -> NDArray[np.int64]:
    """Number of questions [m] of each model's comparisons."""
    sides = np.concatenate([votes.left, votes.right])
    model = np.unique(np.stack([sides, np.tile(question, 2)]), axis=1)[0]
    return np.bincount(model, minlength=len(votes.names)).astype(np.int64)


def _fields(row: Rating) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ComparedModelView.model_fields if name not in _EXTRA_COLUMNS}


def _intervals(errors: ComparisonErrors, seed: int) -> dict[str, dict[str, Any]]:
    """Interval, best and worst rank by name."""
    rating, half = errors.fit.fit.rating, errors.half
    low, high = errors.fit.rank_sets(seed, errors.pairs.claimed())
    return {
        name: {
            "bt_low": finite(round(float(rating[place] - half[place]), _DECIMALS)),
            "bt_high": finite(round(float(rating[place] + half[place]), _DECIMALS)),
            "rank_low": int(low[place]),
            "rank_high": int(high[place]),
        }
        for place, name in enumerate(errors.pairs.names)
        if np.isfinite(rating[place])
    }
