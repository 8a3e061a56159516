"""Square tables with warm and cold cells: who beats whom, and how often each pair met."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arena.domain.schemas.leaderboard import PairView

MAX_MODELS: Final = 20
"""Models in one table."""
STEPS: Final = 10
"""Steps of the heat of a cell, which the style sheet colours."""
_FAINT: Final = 0.25
Record = dict[tuple[str, str], "PairView"]
Cell = dict[str, object]


def heat(part: float) -> int:
    """Return the step of a share of the full heat."""
    return round(max(0.0, min(1.0, part)) * STEPS)


def matrix(names: Sequence[str], pairs: Sequence[PairView]) -> dict[str, object]:
    """Return a table whose cells are the row's share of wins among decided battles, fainter the fewer the battles."""
    highest = max((pair.battles for pair in pairs), default=1) or 1

    def cell(pair: PairView | None) -> Cell:
        if pair is None or pair.fraction is None:
            return {"pair": None}
        lean, firm = pair.fraction - 0.5, _FAINT + (1 - _FAINT) * sqrt(pair.battles / highest)
        return {"pair": pair, "side": "b" if lean < 0 else "a", "heat": heat(min(1, abs(lean) * 2.4) * firm)}

    return _square(names, recorded(pairs), cell)


def counts(names: Sequence[str], pairs: Sequence[PairView]) -> dict[str, object]:
    """Return a table whose cells are the numbers of battles of each pair."""
    highest = max((pair.battles for pair in pairs), default=1) or 1

    def cell(pair: PairView | None) -> Cell:
        return {"pair": pair, "side": "a", "heat": heat(pair.battles / highest if pair else 0)}

    return _square(names, recorded(pairs), cell)


def recorded(pairs: Sequence[PairView]) -> Record:
    """Return the records of pairs as each of the two models sees them."""
    return {
        (seen.a, seen.b): seen
        for pair in pairs
        for seen in (
            pair,
            pair.model_copy(
                update={
                    "a": pair.b,
                    "b": pair.a,
                    "a_wins": pair.b_wins,
                    "b_wins": pair.a_wins,
                    "fraction": None if pair.fraction is None else 1 - pair.fraction,
                }
            ),
        )
    }


def _square(names: Sequence[str], record: Record, cell: Callable[[PairView | None], Cell]) -> dict[str, object]:
    shown = names[:MAX_MODELS]
    lines = [
        {
            "name": name,
            "cells": [
                None if other == name else {"other": other, **cell(record.get((name, other)))} for other in shown
            ],
        }
        for name in shown
    ]
    return {"names": shown, "lines": lines, "more": MAX_MODELS if len(names) > MAX_MODELS else 0}
