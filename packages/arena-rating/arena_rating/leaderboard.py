"""The leaderboard: all methods applied to one log, in one ordered table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena_rating.board.fits import BoardErrors, BoardFit, board_errors
from arena_rating.board.parameters import METHOD, METHOD_BY_CLUSTER, Anchor, LeaderboardParameters
from arena_rating.board.rows import DECIMALS, RATE_BOUNDS, PairRecord, Rating, preliminary_reasons
from arena_rating.bradley_terry import BradleyTerry
from arena_rating.categories.shrinkage import Borrowed, Pool
from arena_rating.clustered_rates import RATES
from arena_rating.clusters import ClusteredRows
from arena_rating.comparisons import Comparisons
from arena_rating.counts import PairCounts, pair_counts, round_column
from arena_rating.elo import SETTLED, OrderAveragedElo, Share, elo_over_orders, way_left
from arena_rating.errors import BadParameters
from arena_rating.frames.reading import VoteFrame
from arena_rating.points import points_table
from arena_rating.rank_sets import ranks
from arena_rating.winrate import carena_rate, win_matrix, win_rate


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """An ordered table with the parameters and the seed that reproduce it.

    Attributes:
        rows: Competitors with at least one battle, by component, then rank, then name.
        pairs: Pairs that met, by name.
        method: That of the parameters.
        parameters: As given.
        seed: Seed of the random orders.
        votes: Number of comparisons with a weight above 0.
        clusters: Number of clusters of these votes.
        components: Number of connected components; each has its own ranks and scale.
        iterations: Newton steps of the longest Bradley-Terry fit.
    """

    rows: tuple[Rating, ...]
    pairs: tuple[PairRecord, ...]
    method: str
    parameters: LeaderboardParameters
    seed: int
    votes: int
    clusters: int
    components: int
    iterations: int

    def to_pandas(self) -> Any:  # noqa: ANN401 - a frame of a library that need not be here
        """The rows as a data frame of pandas, a column for each field of `Rating`, in the order of the board.

        Raises:
            ImportError: pandas is not installed; `pip install "arena-rating[pandas]"` brings it.
        """
        rows = [fields_of(row) for row in self.rows]
        return import_module("pandas").DataFrame(rows, columns=list(Rating.__slots__))

    def record(self) -> dict[str, object]:
        """All values of the method as plain data; digests of snapshots cover them.

        `converged` is True in all of them: a fit that fails raises `NotConverged`.
        """
        rows, pairs = (tuple(map(fields_of, table)) for table in (self.rows, self.pairs))
        parameters = asdict(self.parameters)
        del parameters["method"]
        later = (
            *(("borrowed",) if self.method != METHOD else ()),
            *(RATE_BOUNDS if self.method == METHOD_BY_CLUSTER else ()),
        )
        for row in rows:
            for name in later:
                del row[name]
        return {**fields_of(self), "rows": rows, "pairs": pairs, "parameters": parameters, "converged": True}


def fields_of(row: Rating | PairRecord | Leaderboard) -> dict[str, object]:
    """Fields by name, without the copies of `asdict`, which are slow for thousands of pairs."""
    return {name: getattr(row, name) for name in row.__slots__}


def compute(
    votes: Comparisons | VoteFrame,
    parameters: LeaderboardParameters | None = None,
    *,
    seed: int = 0,
    executor: Executor | None = None,
    share: Share | None = None,
) -> Leaderboard:
    """Rate all competitors by every method; the result does not depend on the executor.

    `votes` are a log, or a data frame with usual columns, as in `Comparisons.from_frame`. An empty log gives an empty
    table. A competitor without a battle has no row.

    Raises:
        RatingError: Votes that cannot be read, invalid parameters, an anchor that is not a competitor, or a fit without
            a result; see `bradley_terry`.
    """
    comparisons = Comparisons.of(votes)
    weighted = unweighted = pair_counts(comparisons)
    if comparisons.weight is not None:
        unweighted = pair_counts(comparisons, weighted=False)
    return compute_counted(
        comparisons,
        weighted,
        unweighted,
        parameters or LeaderboardParameters(),
        seed=seed,
        executor=executor,
        share=share,
    )


def compute_counted(
    comparisons: Comparisons,
    weighted: PairCounts,
    votes: PairCounts,
    parameters: LeaderboardParameters,
    *,
    seed: int,
    executor: Executor | None = None,
    share: Share | None = None,
    pool: Pool | None = None,
    fit: BoardFit | None = None,
) -> Leaderboard:
    """`compute` with given pair counts of the log: weighted, and of votes with a weight above 0.

    The log of a category may borrow from the `pool` that it belongs to. `fit` is that of the log, if it is known.
    """
    rows = ClusteredRows.of(comparisons)
    elo = elo_over_orders(comparisons, parameters.elo, seed=seed, executor=executor, share=share)
    errors = board_errors(fit or BoardFit.of(rows, weighted, parameters), rows, weighted, elo, seed, parameters.method)
    independent, robust = errors.fit.independent, errors.fit.robust
    loan = Borrowed.nothing(robust.fit) if pool is None else pool.borrow(robust)
    ratings = sorted(
        _rows(weighted, votes, elo, errors, loan, parameters.anchor),
        key=lambda row: (row.component, row.rank, row.name),
    )
    return Leaderboard(
        rows=tuple(ratings),
        pairs=tuple(_pairs(weighted, votes)),
        method=parameters.method,
        parameters=parameters,
        seed=seed,
        votes=round(votes.battles.sum() / 2),
        clusters=errors.clusters,
        components=len({row.component for row in ratings}),
        iterations=independent.iterations,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Shifts:
    """Points to add to each competitor's ratings, float64 [m] each."""

    elo: NDArray[np.float64]
    bt: NDArray[np.float64]


def _anchor_shifts(
    elo: OrderAveragedElo, fit: BradleyTerry, rating: NDArray[np.float64], anchor: Anchor | None
) -> _Shifts:
    zeros = np.zeros(len(fit.names))
    if anchor is None:
        return _Shifts(zeros, zeros)
    if anchor.name not in fit.names:
        raise BadParameters(f"the anchor {anchor.name!r} is not a competitor")
    place = fit.names.index(anchor.name)
    if np.isnan(fit.rating[place]):
        return _Shifts(zeros, zeros)
    same_component = fit.component == fit.component[place]
    return _Shifts(
        same_component * (anchor.rating - elo.rating[place]), same_component * (anchor.rating - rating[place])
    )


def _rows(
    weighted: PairCounts,
    votes: PairCounts,
    elo: OrderAveragedElo,
    errors: BoardErrors,
    loan: Borrowed,
    anchor: Anchor | None,
) -> Iterator[Rating]:
    table, tally = points_table(weighted), points_table(votes)
    fit, robust = errors.fit.independent, errors.fit.robust
    shifts = _anchor_shifts(elo, fit, loan.rating, anchor)
    rank = ranks(round_column(loan.rating, DECIMALS), fit.component)
    half = errors.quantile * errors.elo * robust.has_interval
    heaviest, (rate_low, rate_high) = errors.rates.heaviest, errors.rates.intervals(robust.fit.level)
    if errors.method == METHOD_BY_CLUSTER:
        heaviest, rate_low, rate_high = np.zeros(len(fit.names)), *np.full((2, len(RATES), len(fit.names)), np.nan)
    else:
        rest = way_left(tally.played, np.nan_to_num(table.points_per_battle), elo.parameters)
        half = np.where(rest <= SETTLED, half, np.nan)
    width = loan.high - loan.low
    columns = {
        "elo": elo.rating + shifts.elo,
        "elo_low": elo.rating + shifts.elo - half,
        "elo_high": elo.rating + shifts.elo + half,
        "elo_error": elo.error,
        "order_spread": elo.spread,
        "bt": loan.rating + shifts.bt,
        "bt_low": loan.low + shifts.bt,
        "bt_high": loan.high + shifts.bt,
        "borrowed": loan.share,
        "bt_independent_low": fit.low + shifts.bt,
        "bt_independent_high": fit.high + shifts.bt,
        "design_effect": robust.design_effect,
        **{f"{name}_error": error for name, error in zip(RATES, errors.rates.error, strict=True)},
        **{f"{name}_low": low for name, low in zip(RATES, rate_low, strict=True)},
        **{f"{name}_high": high for name, high in zip(RATES, rate_high, strict=True)},
    }
    cells = {name: _cells(column) for name, column in columns.items()}
    rates, carena = win_rate(weighted), carena_rate(weighted)
    for i in np.flatnonzero(tally.played > 0).tolist():
        battles, clusters = int(tally.played[i]), int(robust.clusters[i])
        yield Rating(
            name=elo.names[i],
            rank=int(rank[i]),
            rank_low=min(int(errors.rank_low[i]), int(rank[i])),
            rank_high=max(int(errors.rank_high[i]), int(rank[i])),
            **{name: cell[i] for name, cell in cells.items()},
            component=int(fit.component[i]),
            points=float(table.points[i]),
            points_per_battle=float(table.points_per_battle[i]),
            win_rate=float(rates[i]),
            carena_rate=float(carena[i]),
            clusters=clusters,
            preliminary=preliminary_reasons(battles, clusters, width[i], heaviest[i]),
            battles=battles,
            wins=int(tally.won[i]),
            draws=int(tally.drawn[i]),
            losses=int(tally.lost[i]),
            both_bad=int(tally.both_bad[i]),
        )


def _cells(column: NDArray[np.float64]) -> list[Any]:
    """The rounded numbers, None for nan."""
    return [None if math.isnan(value) else value for value in round_column(column, DECIMALS).tolist()]


def _pairs(weighted: PairCounts, votes: PairCounts) -> Iterator[PairRecord]:
    names = votes.names
    by_name = np.array(sorted(range(len(names)), key=names.__getitem__), np.intp)
    adjacent = np.triu(votes.battles[np.ix_(by_name, by_name)] > 0, 1)
    places = tuple(np.take(by_name, np.argwhere(adjacent)).T)
    counts = (votes.battles, votes.wins, votes.wins.T, votes.ties, votes.both_bad)
    columns: list[list[int]] = [count[places].astype(np.int64).tolist() for count in counts]
    shares: list[float] = win_matrix(weighted).fraction[places].tolist()
    first: list[int] = places[0].tolist()
    second: list[int] = places[1].tolist()
    for i, j, row, share in zip(first, second, zip(*columns, strict=True), shares, strict=True):
        yield PairRecord(names[i], names[j], *row, fraction=None if math.isnan(share) else share)
