"""The style-controlled Bradley-Terry table of the votes whose answers were measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.domain.schemas.board_details import StyleFeatureView, StyleTableView
from arena.usecases.ranking.further_fits import refit_rows
from arena.usecases.ranking.methods import FEWEST
from arena_rating import STYLE_FEATURES, bradley_terry, pair_counts, share_differences, style_bradley_terry
from arena_rating.leaderboard import DECIMALS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from arena.usecases.ranking.methods import Method
    from arena_rating import Comparisons, StyleBradleyTerry


POSITION: Final = "position"
"""The advantage of the left side."""
SAME_OWNER: Final = "same_owner"
"""How much more the left side has of it where both models are of one owner."""


def style(
    log: Comparisons, counts: NDArray[np.int32], method: Method, owners: Mapping[str, str]
) -> StyleTableView | None:
    """Fits with and without style control on the same votes; None with too few of them, or of one voter.

    `counts` [n, 8] are the features of the left and then the right answer, -1 if not measured. `owners` are those of
    the competitors by name. Sides are drawn at random, so that position and owner are 0 within their errors unless
    voters prefer a side.
    """
    has_counts = counts[:, 0] >= 0
    if has_counts.sum() < FEWEST or (log.voter is not None and np.ptp(log.voter[has_counts]) == 0):
        return None
    votes, size = log.where(has_counts), len(STYLE_FEATURES)
    sides = counts[has_counts].astype(float)
    rule, how = method.parameters.elo, method.parameters
    settings: dict[str, Any] = {"prior": how.prior, "level": how.level}
    settings |= {"init": rule.init, "base": rule.base, "scale": rule.scale}
    features = np.column_stack([share_differences(sides[:, :size], sides[:, size:]), _same_owner(votes, owners)])
    names = (*STYLE_FEATURES, SAME_OWNER)
    fit = style_bradley_terry(votes, features, feature_names=names, position=POSITION, **settings)
    plain = bradley_terry(pair_counts(votes), **settings)
    return StyleTableView(
        votes=len(votes),
        features=list(_features(fit)),
        dropped=list(fit.dropped),
        rows=refit_rows(fit, plain),
    )


def _same_owner(votes: Comparisons, owners: Mapping[str, str]) -> NDArray[np.float64]:
    """1 for each vote between two models of one owner, else 0."""
    of = np.array([owners.get(name, name) for name in votes.names])
    return (of[votes.left] == of[votes.right]).astype(np.float64)


def _features(fit: StyleBradleyTerry) -> Iterator[StyleFeatureView]:
    for row in zip(fit.features, fit.coefficient, fit.coefficient_error, fit.spread, strict=True):
        name, *numbers = row
        coefficient, error, spread = (round(float(number), DECIMALS) for number in numbers)
        yield StyleFeatureView(name=name, coefficient=coefficient, error=error, spread=spread)
