"""Lines of the leaderboard: rows with what owners tell of the models, in groups, order and bands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arena.domain.schemas.further_fits import RefitView
    from arena.domain.schemas.leaderboard import LeaderboardRowView
    from arena.domain.schemas.models import ModelView

_NAMED: Final = re.compile(
    r"(?:^|[^\d.])(?:(?P<times>\d{1,4})x)?(?P<size>\d{1,5}(?:\.\d{1,4})?)b(?![a-z])", re.IGNORECASE
)
"""A size in a name, such as `7b` or `8x7B`."""
_PROMPTS: Final = 3
"""Tokens that are read for each that is written, in one figure for the price of both."""


@dataclass(frozen=True)
class Line:
    """A row with the facts of its model, if they are known, and its rating with the effect of style removed."""

    row: LeaderboardRowView
    facts: ModelView | None = None
    style: RefitView | None = None

    @property
    def open_weights(self) -> bool | None:
        """Whether its weights are open, by its owner's word."""
        stated = self.facts.open_weights if self.facts else None
        return self.row.open_weights if stated is None else stated

    @property
    def billions(self) -> float | None:
        """Billions of parameters, as its owner tells, or else as its name says."""
        stated = (self.facts.billions if self.facts else None) or self.row.billions
        match = _NAMED.search(self.row.name)
        return stated or (int(match["times"] or 1) * float(match["size"]) if match else None)

    def has(self, name: str) -> bool:
        """Whether a figure of the last seven days is published of its model."""
        return bool(self.facts and self.facts.week and getattr(self.facts.week, name))

    def of_week(self, name: str) -> float | None:
        """The median of a figure of the last seven days, or its share; None if it is not published."""
        week = self.facts.week if self.facts else None
        if week is None:
            return None
        if name == "void":
            return week.void.share if week.void else None
        spread = week.first_token if name == "first_token" else week.speed
        return spread.median if spread else None

    @property
    def price(self) -> float | None:
        """Dollars per million tokens in a usual mix of prompts and answers; None unless both prices are known."""
        return blended_price(self.facts)


def blended_price(facts: ModelView | None) -> float | None:
    """Return the price of a usual mix of prompts and answers."""
    if facts is None or facts.price_in is None or facts.price_out is None:
        return None
    return (_PROMPTS * facts.price_in + facts.price_out) / (_PROMPTS + 1)


def sort_by_rank(lines: Iterable[Line]) -> list[Line]:
    """Return lines by group, the largest first, and within it by rank."""
    return sorted(lines, key=lambda line: (line.row.component, line.row.rank, -line.row.elo))


def group_by_component(lines: Iterable[Line]) -> list[list[Line]]:
    """Divide lines into the groups of models that have met, directly or through others."""
    return [list(group) for _, group in groupby(sort_by_rank(lines), key=lambda line: line.row.component)]


def kinds_of(groups: list[list[Line]]) -> list[str]:
    """Return what each group after the first is: practice models beside real ones, or models that met none of those."""
    only_practice = bool(groups) and groups[0][0].row.demo
    return ["practice" if group[0].row.demo and not only_practice else "new" for group in groups]


def bands(lines: Iterable[Line]) -> dict[str, int]:
    """Return the band of each name, from 1: one begins with a model that is proved worse than the first of the last."""
    rows = (line.row for line in sort_by_rank(lines))
    return number_bands((row.name, row.component, row.rank, row.rank_low) for row in rows)


def number_bands(ranks: Iterable[tuple[str, int, int, int]]) -> dict[str, int]:
    """Return the bands of names with their component, rank and best rank, in this order."""
    result: dict[str, int] = {}
    within, number, first = -1, 0, 0
    for name, component, rank, best in ranks:
        if component != within:
            within, number, first = component, 0, 0
        if best > first:
            number, first = number + 1, rank
        result[name] = number
    return result
