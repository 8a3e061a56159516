"""Further tables of a snapshot: inverse probability weights, style, majorities, ties, and the grounded one."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

import arena_rating
from arena.domain.schemas.board_details import StyleFeatureView, StyleTableView
from arena.domain.schemas.further_fits import (
    GroundedView,
    MajoritiesView,
    RefitTableView,
    RefitView,
    TieModelsView,
    TieModelView,
)
from arena.domain.terms import JsonObject
from arena.usecases.ranking.methods import FEWEST
from arena_rating import (
    METHOD,
    STYLE_FEATURES,
    bradley_terry,
    inverse_probability,
    pair_counts,
    ranks,
    share_differences,
    style_bradley_terry,
    tie_fits,
)
from arena_rating.board.rows import DECIMALS
from arena_rating.research.grounded import grounded_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from arena.adapters.mapped_rows import StoredColumn
    from arena.usecases.ranking.methods import Method
    from arena_rating import BradleyTerry, Comparisons, StyleBradleyTerry, TieFit

_CIRCLE: Final = 3
_TIE_DECIMALS: Final = 6
_PIECE: Final = 1 << 15
"""Votes whose features are made at a time."""
POSITION: Final = "position"
"""The advantage of the left side."""
SAME_OWNER: Final = "same_owner"
"""The additional advantage of the left side if both models have the same owner."""


def inverse_probability_refit(
    log: Comparisons, probability: NDArray[np.float32], method: Method
) -> RefitTableView | None:
    """Fits with and without weights 1 / `probability` [n], on the votes for which that is not nan.

    None with too few of them, or if all pairs were equally probable, so that both fits are the same.
    """
    is_finite = np.isfinite(probability)
    if is_finite.sum() < FEWEST or np.ptp(probability[is_finite]) == 0:
        return None
    votes, settings = log.where(is_finite), _settings(method)
    plain = bradley_terry(pair_counts(votes), **settings)
    fit = _align(inverse_probability(votes, probability[is_finite], **settings), plain)
    return RefitTableView(votes=len(votes), rows=refit_rows(fit, plain))


def _settings(method: Method) -> JsonObject:
    fit, rule = method.parameters, method.parameters.elo
    return {"prior": fit.prior, "level": fit.level, "init": rule.init, "base": rule.base, "scale": rule.scale}


def _align(fit: BradleyTerry, plain: BradleyTerry) -> BradleyTerry:
    """The fit shifted so that each component has the mean rating of `plain`; the zero of a fit depends on its votes."""
    offset = fit.rating - plain.rating
    for number in range(int(fit.component.max(initial=-1)) + 1):
        members = fit.component == number
        offset[members] = offset[members].mean()
    return replace(fit, rating=fit.rating - offset, low=fit.low - offset, high=fit.high - offset)


def refit_rows(fit: BradleyTerry | StyleBradleyTerry, plain: BradleyTerry) -> list[RefitView]:
    """The competitors of a fit by rank, each with its `plain` rating on the same votes."""
    result = _rows(fit, plain)
    return sorted(result, key=lambda row: (row.component, row.rank, row.name))


def _rows(fit: BradleyTerry | StyleBradleyTerry, plain: BradleyTerry) -> Iterator[RefitView]:
    ratings, plain_ratings = fit.rating.round(DECIMALS), plain.rating.round(DECIMALS)
    rank, plain_rank = ranks(ratings, fit.component), ranks(plain_ratings, plain.component)
    for i, name in enumerate(fit.names):
        if rank[i] > 0:
            yield RefitView(
                name=name,
                component=int(fit.component[i]),
                rank=int(rank[i]),
                rank_low=int(fit.rank_low[i]),
                rank_high=int(fit.rank_high[i]),
                bt=float(ratings[i]),
                bt_low=_finite(fit.low[i]),
                bt_high=_finite(fit.high[i]),
                plain=float(plain_ratings[i]),
                plain_rank=int(plain_rank[i]),
            )


def _finite(value: float) -> float | None:
    """A rounded number; None for nan, as for the interval of a model with too few voters."""
    return None if np.isnan(value) else round(float(value), DECIMALS)


def majorities(log: Comparisons) -> MajoritiesView | None:
    """Majorities between models and circles of them; None below three models."""
    if len(log.names) < _CIRCLE:
        return None
    return MajoritiesView(votes=len(log), **asdict(arena_rating.majorities(pair_counts(log))))


def ties(log: Comparisons, method: Method) -> TieModelsView | None:
    """Davidson's and Rao and Kupper's models; None without a tie or a win.

    Raises:
        NotConverged: A fit did not converge.
    """
    fits = tie_fits(pair_counts(log), prior=method.parameters.prior)
    return TieModelsView(votes=len(log), rows=[_row(fit) for fit in fits]) if fits else None


def _row(fit: TieFit) -> TieModelView:
    values = {
        name: round(entry, _TIE_DECIMALS) if isinstance(entry, float) else entry for name, entry in asdict(fit).items()
    }
    return TieModelView.model_validate({name: values[name] for name in TieModelView.model_fields})


def grounded(log: Comparisons, method: Method) -> GroundedView | None:
    """The bar of grounded ratings (see the glossary) on the scale of the board, by its largest component.

    Raises:
        NotConverged: The fit did not converge.
    """
    table = grounded_table(log, method.parameters)
    return GroundedView.model_validate(table, from_attributes=True) if table else None


def style(
    log: Comparisons, counts: NDArray[np.int32] | StoredColumn, method: Method, owners: Mapping[str, str]
) -> StyleTableView | None:
    """Fits with and without style control on the votes with a known style; None with too few of them, or of one voter.

    `counts` [n, 8] has the features of the left and then the right answer, -1 if unknown; `owners`, the owner of each
    competitor by name. Sides are drawn at random, so the coefficients of position and owner are 0 within their errors
    unless voters prefer a side.
    """
    same_owner = _same_owner(log, owners)
    names = (*STYLE_FEATURES, *([SAME_OWNER] if same_owner.any() else []), POSITION)
    has_counts = _has_counts(counts)
    votes, settings = log.where(has_counts), _settings(method)
    if len(votes) < FEWEST or (votes.voter is not None and np.ptp(votes.voter) == 0):
        return None
    features = _StyleRows(counts, None if has_counts.all() else np.flatnonzero(has_counts), same_owner, len(names))
    claims = method.parameters.method == METHOD
    fit = style_bradley_terry(votes, features, feature_names=names, constant=POSITION, claims=claims, **settings)
    plain = bradley_terry(pair_counts(votes), **settings)
    return StyleTableView(
        votes=len(votes),
        features=list(_features(fit)),
        dropped=[*fit.dropped, *([] if SAME_OWNER in names else [SAME_OWNER])],
        rows=refit_rows(fit, plain),
    )


def _has_counts(counts: NDArray[np.int32] | StoredColumn) -> NDArray[np.bool_]:
    """Whether the counts of each vote are known, [n]."""
    is_known = np.empty(len(counts), np.bool_)
    for start in range(0, len(counts), _PIECE):
        is_known[start : start + _PIECE] = counts[start : start + _PIECE][:, 0] >= 0
    return is_known


@dataclass(frozen=True, slots=True, eq=False)
class _StyleRows:
    """Features of the votes at `places`, or of all, made by rows: their table would be the largest one of all parts.

    The columns are the style differences, that of one owner if there is a further one, and that of the position.
    """

    counts: NDArray[np.int32] | StoredColumn
    places: NDArray[np.int64] | None
    same_owner: NDArray[np.bool_]
    columns: int

    @property
    def shape(self) -> tuple[int, int]:
        """Number of votes and of columns."""
        return len(self.counts) if self.places is None else len(self.places), self.columns

    def __getitem__(self, rows: slice | NDArray[np.int64]) -> NDArray[np.float64]:
        places = np.arange(self.shape[0])[rows] if self.places is None else self.places[rows]
        features, styles = np.ones((len(places), self.columns)), len(STYLE_FEATURES)
        for start in range(0, len(places), _PIECE):
            piece = places[start : start + _PIECE]
            counts = self.counts[piece].astype(float)
            features[start : start + len(piece), :styles] = share_differences(*np.split(counts, 2, axis=1))
        if self.columns > styles + 1:
            features[:, styles] = self.same_owner[places]
        return features


def _same_owner(votes: Comparisons, owners: Mapping[str, str]) -> NDArray[np.bool_]:
    """Whether each vote is between two models of one owner."""
    numbers: dict[str, int] = {}
    names = [owners.get(name, name) for name in votes.names]
    owner = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int32)
    return owner[votes.left] == owner[votes.right]


def _features(fit: StyleBradleyTerry) -> Iterator[StyleFeatureView]:
    for row in zip(fit.features, fit.coefficient, fit.coefficient_error, fit.spread, strict=True):
        name, *numbers = row
        coefficient, error, spread = (round(float(number), DECIMALS) for number in numbers)
        yield StyleFeatureView(name=name, coefficient=coefficient, error=error, spread=spread)
