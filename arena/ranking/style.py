"""The style-controlled Bradley-Terry table of those votes whose answers were measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.ranking.methods import FEWEST
from arena.rating import (
    STYLE_FEATURES,
    bradley_terry,
    pair_counts,
    ranks,
    share_differences,
    style_bradley_terry,
)
from arena.rating.leaderboard import DECIMALS
from arena.wire import FeatureRow, StyleRow, StyleStandings

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from arena.ranking.methods import Method
    from arena.rating import BradleyTerry, Comparisons, StyleBradleyTerry


def style(log: Comparisons, counts: NDArray[np.int32], method: Method) -> StyleStandings | None:
    """Both fits on the same votes, so that they differ by style alone; None with too few of them.

    `counts` [n, 8] are the features of the left and then the right answer, -1 where nobody has measured.
    """
    known = counts[:, 0] >= 0
    if known.sum() < FEWEST:
        return None
    votes, size = log.where(known), len(STYLE_FEATURES)
    sides = counts[known].astype(float)
    rule, how = method.parameters.elo, method.parameters
    settings: dict[str, Any] = {"prior": how.prior, "level": how.level}
    settings |= {"init": rule.init, "base": rule.base, "scale": rule.scale}
    features = share_differences(sides[:, :size], sides[:, size:])
    fit = style_bradley_terry(votes, features, feature_names=STYLE_FEATURES, **settings)
    plain = bradley_terry(pair_counts(votes), **settings)
    return StyleStandings(
        votes=len(votes),
        features=list(_features(fit)),
        dropped=list(fit.dropped),
        rows=sorted(_rows(fit, plain), key=lambda row: (row.component, row.rank, row.name)),
    )


def _features(fit: StyleBradleyTerry) -> Iterator[FeatureRow]:
    for row in zip(fit.features, fit.coefficient, fit.coefficient_error, fit.spread, strict=True):
        name, *numbers = row
        coefficient, error, spread = (round(float(number), DECIMALS) for number in numbers)
        yield FeatureRow(name=name, coefficient=coefficient, error=error, spread=spread)


def _rows(fit: StyleBradleyTerry, plain: BradleyTerry) -> Iterator[StyleRow]:
    controlled, usual = fit.rating.round(DECIMALS), plain.rating.round(DECIMALS)
    rank, before = ranks(controlled, fit.component), ranks(usual, plain.component)
    for i, name in enumerate(fit.names):
        if rank[i] > 0:
            yield StyleRow(
                name=name,
                component=int(fit.component[i]),
                rank=int(rank[i]),
                rank_low=int(fit.rank_low[i]),
                rank_high=int(fit.rank_high[i]),
                bt=float(controlled[i]),
                bt_low=round(float(fit.low[i]), DECIMALS),
                bt_high=round(float(fit.high[i]), DECIMALS),
                plain=float(usual[i]),
                plain_rank=int(before[i]),
            )
