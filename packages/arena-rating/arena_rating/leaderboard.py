"""The leaderboard: all methods applied to one log, in one ordered table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import PRIOR, BradleyTerry, bradley_terry
from arena_rating.categories.shrinkage import Borrowed, Pool
from arena_rating.clustered_rates import RATES, RateErrors, elo_errors, rate_errors
from arena_rating.clusters import (
    MIN_CLUSTERS,
    MIN_SEPARATE,
    ClusteredFit,
    ClusteredRows,
    claimed_pairs,
    clustered,
    difference_errors,
    number_of_votes,
)
from arena_rating.comparisons import Comparisons
from arena_rating.counts import PairCounts, pair_counts, round_column
from arena_rating.elo import SETTLED, EloParameters, OrderAveragedElo, Share, elo_over_orders, way_left
from arena_rating.errors import BadParameters
from arena_rating.frames.reading import VoteFrame
from arena_rating.points import points_table
from arena_rating.rank_sets import ranks
from arena_rating.student import student_quantile
from arena_rating.winrate import carena_rate, win_matrix, win_rate

METHOD: Final = "elo-orders+clustered-bt+claims+borrowing"
"""Name of the procedure in `compute`; a changed procedure gets a new name."""
METHOD_BY_CATEGORY: Final = "elo-orders+clustered-bt+claims"
"""The procedure before: the board of a category is that of its votes alone; wider intervals below 20 clusters."""
METHODS_WITH_CLAIMS: Final = frozenset({METHOD, METHOD_BY_CATEGORY})
"""Procedures whose statements about differences hold at all looks."""
METHOD_BY_LOOK: Final = "elo-orders+clustered-bt+rate-intervals"
"""The procedure before that: best and worst ranks that hold at one look."""
METHOD_BY_CLUSTER: Final = "elo-orders+clustered-bradley-terry"
"""The first by cluster: errors of rates without correction and intervals, Elo intervals whether settled or not."""
METHODS: Final = METHODS_WITH_CLAIMS | {METHOD_BY_LOOK, METHOD_BY_CLUSTER}
"""All procedures by cluster."""
DECIMALS: Final = 6
"""Decimals of published ratings, which hide platform differences in the last bits of a logarithm."""
FEWEST_VOTES: Final = 200
"""Votes below which a row is preliminary."""
WIDEST: Final = 100.0
"""Width of an interval, in points, above which a row is preliminary."""
HEAVIEST: Final = 0.1
"""Share of one cluster in a competitor's battles above which a row is preliminary."""
RATE_BOUNDS: Final = tuple(f"{rate}_{end}" for rate in RATES for end in ("low", "high"))
"""Fields of a row that `METHOD_BY_CLUSTER` lacks."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A competitor with a fixed rating, in points, which makes tables of different days comparable."""

    name: str
    rating: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.rating):
            raise BadParameters("the anchor's rating must be finite")


@dataclass(frozen=True, slots=True)
class LeaderboardParameters:
    """Parameters of `compute`. Bradley-Terry uses init, base and scale of `elo`; prior and level as in `bradley_terry`.

    `anchor` shifts all Elo and Bradley-Terry ratings of its component, with their intervals, so that the anchor has its
    rating in both; errors, spreads and ranks do not change. Other components, and a log in which the anchor has no
    battle, stay centred at `elo.init`. `widening` multiplies the errors by cluster; see `measure_widening`. `method` is
    `METHOD`, or another name of `METHODS` to compute an earlier board again.
    """

    elo: EloParameters = field(default_factory=EloParameters)
    prior: float = PRIOR
    level: float = 0.95
    anchor: Anchor | None = None
    widening: float = 1.0
    method: str = METHOD

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise BadParameters(f"there is no method {self.method!r}")
        if not (math.isfinite(self.widening) and self.widening >= 1):
            raise BadParameters("widening must be finite and at least 1")

    @property
    def min_separate(self) -> int:
        """Clusters below which intervals are never narrower than those of independent votes."""
        return MIN_SEPARATE if self.method == METHOD else MIN_CLUSTERS


@dataclass(frozen=True, slots=True)
class Rating:
    """One competitor's row.

    Ratings are in points. `elo_error` is the standard error of the mean over orders, `order_spread` the standard
    deviation over orders. The intervals `bt_low` to `bt_high` and `elo_low` to `elo_high` have the level
    `LeaderboardParameters.level` and are cluster-robust; they are None if one cluster has all votes, and those of Elo
    while it has not settled (`way_left`), since they say nothing about where it is going. The interval
    `bt_independent_low` to `bt_independent_high` takes votes as independent; `design_effect` is the ratio of the two
    variances. `rank` orders the Bradley-Terry ratings within the component, equal ratings sharing the better rank;
    `rank_low` and `rank_high` are the best and worst rank by `rank_sets` from differences that are claims
    (`claimed_pairs`), so they hold for all competitors at once, and for each pair at all looks.
    `preliminary` has the codes of `preliminary_reasons`.

    On the board of a category `bt` with its interval borrows from the board of all votes; `borrowed` is the weight of
    all votes, 0 to 1, None elsewhere. All other numbers are those of the category's votes alone; best and worst rank
    include the rank.

    Points and rates are weighted, with errors and intervals by cluster. Battles, wins, draws, losses and both_bad
    count votes with a weight above 0; `clusters` counts the clusters of these votes.
    """

    name: str
    rank: int
    rank_low: int
    rank_high: int
    elo: float
    elo_low: float | None
    elo_high: float | None
    elo_error: float
    order_spread: float
    bt: float | None
    bt_low: float | None
    bt_high: float | None
    borrowed: float | None
    bt_independent_low: float | None
    bt_independent_high: float | None
    design_effect: float | None
    component: int
    points: float
    points_per_battle: float
    points_per_battle_error: float | None
    points_per_battle_low: float | None
    points_per_battle_high: float | None
    win_rate: float
    win_rate_error: float | None
    win_rate_low: float | None
    win_rate_high: float | None
    carena_rate: float
    carena_rate_error: float | None
    carena_rate_low: float | None
    carena_rate_high: float | None
    clusters: int
    preliminary: list[str]
    battles: int
    wins: int
    draws: int
    losses: int
    both_bad: int


@dataclass(frozen=True, slots=True)
class PairRecord:
    """The votes on one pair with names a < b; `fraction` is a's weighted share of decided votes, None without any."""

    a: str
    b: str
    battles: int
    a_wins: int
    b_wins: int
    ties: int
    both_bad: int
    fraction: float | None


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
    errors = _errors(fit or BoardFit.of(rows, weighted, parameters), rows, weighted, elo, seed, parameters.method)
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
class BoardFit:
    """The Bradley-Terry fit of a board: of independent votes, and with errors by cluster."""

    independent: BradleyTerry
    robust: ClusteredFit

    @classmethod
    def of(cls, rows: ClusteredRows, weighted: PairCounts, parameters: LeaderboardParameters) -> Self:
        """The fit from the rows of a log and their weighted counts."""
        rule = parameters.elo
        fit = bradley_terry(
            weighted, init=rule.init, base=rule.base, scale=rule.scale, prior=parameters.prior, level=parameters.level
        )
        robust = clustered(fit, rows, weighted, min_separate=parameters.min_separate)
        return cls(fit, robust if rows.log.voter is None else robust.widened(parameters.widening))


def preliminary_reasons(votes: int, clusters: int, width: float, heaviest: float = 0.0) -> list[str]:
    """Codes for why a row may still change much.

    `few_votes`, `few_voters` (clusters), `wide` (its interval), `heavy_voter` (the largest share of one cluster).
    """
    reasons = {
        "few_votes": votes < FEWEST_VOTES,
        "few_voters": clusters < MIN_CLUSTERS,
        "wide": not width <= WIDEST,
        "heavy_voter": heaviest > HEAVIEST,
    }
    return [reason for reason, holds in reasons.items() if holds]


@dataclass(frozen=True, slots=True, eq=False)
class _Errors:
    """The fit, errors by cluster, the quantile [m] of intervals, and rank sets [m]."""

    fit: BoardFit
    elo: NDArray[np.float64]
    rates: RateErrors
    quantile: NDArray[np.float64]
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]
    clusters: int
    method: str


def _errors(
    fit: BoardFit, rows: ClusteredRows, counts: PairCounts, elo: OrderAveragedElo, seed: int, method: str
) -> _Errors:
    robust = fit.robust
    quantile = student_quantile(robust.fit.level, robust.freedom)
    allowed = _claimed(robust, rows.log) if method in METHODS_WITH_CLAIMS else None
    rank_low, rank_high = robust.rank_sets(seed, allowed)
    rates = rate_errors(rows, counts, robust.clusters, corrected=method != METHOD_BY_CLUSTER)
    return _Errors(
        fit=fit,
        elo=elo_errors(elo, counts, robust.meat),
        rates=rates._replace(error=robust.widening * rates.error),
        quantile=quantile,
        rank_low=rank_low,
        rank_high=rank_high,
        clusters=len(rows),
        method=method,
    )


def _claimed(robust: ClusteredFit, log: Comparisons) -> NDArray[np.bool_]:
    """Pairs [m, m] whose difference is a claim."""
    fit, quantile = robust.fit, student_quantile(robust.fit.level, robust.freedom)
    error = difference_errors(fit.covariance, fit.unit)
    return claimed_pairs(fit.rating / fit.unit, error, quantile, robust.clusters, number_of_votes(log), fit.level)


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
    errors: _Errors,
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
