"""Rows of a table that shows another Bradley-Terry fit beside the usual one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.domain.schemas import RefitView
from arena_rating import ranks
from arena_rating.leaderboard import DECIMALS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena_rating import BradleyTerry, StyleBradleyTerry


def beside(fit: BradleyTerry | StyleBradleyTerry, plain: BradleyTerry) -> list[RefitView]:
    """The competitors of a fit by rank, each with its `plain` rating on the same votes."""
    found = _rows(fit, plain)
    return sorted(found, key=lambda row: (row.component, row.rank, row.name))


def _rows(fit: BradleyTerry | StyleBradleyTerry, plain: BradleyTerry) -> Iterator[RefitView]:
    ratings, usual = fit.rating.round(DECIMALS), plain.rating.round(DECIMALS)
    rank, before = ranks(ratings, fit.component), ranks(usual, plain.component)
    for i, name in enumerate(fit.names):
        if rank[i] > 0:
            yield RefitView(
                name=name,
                component=int(fit.component[i]),
                rank=int(rank[i]),
                rank_low=int(fit.rank_low[i]),
                rank_high=int(fit.rank_high[i]),
                bt=float(ratings[i]),
                bt_low=round(float(fit.low[i]), DECIMALS),
                bt_high=round(float(fit.high[i]), DECIMALS),
                plain=float(usual[i]),
                plain_rank=int(before[i]),
            )
