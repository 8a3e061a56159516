"""Rows of a table that shows another Bradley-Terry fit beside the usual one."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from arena_rating import ranks
from arena_rating.leaderboard import DECIMALS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.domain.schemas import BesideRow
    from arena_rating import BradleyTerry, StyleBradleyTerry

    Row = TypeVar("Row", bound=BesideRow)


def beside(kind: type[Row], fit: BradleyTerry | StyleBradleyTerry, plain: BradleyTerry) -> list[Row]:
    """The competitors of a fit by rank, each with its `plain` rating on the same votes."""
    found = _rows(kind, fit, plain)
    return sorted(found, key=lambda row: (row.component, row.rank, row.name))


def _rows(kind: type[Row], fit: BradleyTerry | StyleBradleyTerry, plain: BradleyTerry) -> Iterator[Row]:
    ratings, usual = fit.rating.round(DECIMALS), plain.rating.round(DECIMALS)
    rank, before = ranks(ratings, fit.component), ranks(usual, plain.component)
    for i, name in enumerate(fit.names):
        if rank[i] > 0:
            yield kind(
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
