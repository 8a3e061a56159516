"""The board that Open WebUI shows for its feedback, for comparison with one with intervals.

One pass of Elo from 1000 with K = 32: a rated answer against each of its siblings in turn, without ties. The order is
that of the rows in its database, on SQLite the order of creation (version 0.7 and later; until 0.6 the browser began at
the newest). Source: `routers/evaluations.py` and `models/feedbacks.py` of version 0.12.4.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.domain.terms import Outcome
from arena.usecases.exchange.open_webui import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arena.usecases.exchange.open_webui import Feedback

_START: Final = 1000.0
_K: Final = 32
_SCALE: Final = 400


@dataclass(frozen=True, slots=True)
class OpenWebUiRow:
    """A model on that board; `reversed` is its rating by the same feedback in the opposite order."""

    model: str
    rating: int
    won: int
    lost: int
    reversed: int


def open_webui_board(feedback: Iterable[Feedback]) -> list[OpenWebUiRow]:
    """The rows, highest rating first; unlike votes here, they include comparisons of a model with itself."""
    ordered = in_order(feedback)
    ratings, backwards = _elo(ordered), _elo(reversed(ordered))
    won, lost = defaultdict[str, int](int), defaultdict[str, int](int)
    for better, worse in (pair for item in ordered for pair in _pairs(item)):
        won[better] += 1
        lost[worse] += 1
    rows = [
        OpenWebUiRow(name, round(rating), won[name], lost[name], round(backwards[name]))
        for name, rating in ratings.items()
    ]
    return sorted(rows, key=lambda row: row.rating, reverse=True)


def _pairs(item: Feedback) -> Iterable[tuple[str, str]]:
    """Winner and loser of each comparison of a rated answer."""
    if item.outcome is Outcome.A:
        return [(item.model, sibling) for sibling in item.siblings]
    return [(sibling, item.model) for sibling in item.siblings] if item.outcome else []


def _elo(feedback: Iterable[Feedback]) -> dict[str, float]:
    ratings = defaultdict[str, float](lambda: _START)
    for item in feedback:
        for better, worse in _pairs(item):
            step = _K * (1 - 1 / (1 + 10 ** ((ratings[worse] - ratings[better]) / _SCALE)))
            ratings[better] += step
            ratings[worse] -= step
    return dict(ratings)
