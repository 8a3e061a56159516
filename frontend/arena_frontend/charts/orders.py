"""Effect of the order of votes on a model (LLMEval, figures 5 and 6).

Its ranks and ratings along the log, and its Elo ranks over random orders, beside points and Bradley-Terry, which do not
depend on the order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena_frontend.charts.scales import Scale, levels, marks, pad, path, scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.schemas.board_details import OrderSensitivityView, OrdersView, RatingPathView

METHODS: Final = ("elo", "points", "bt")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 230, 46, 12, 24, 28


def orders(view: OrdersView, names: Sequence[str], chosen: str) -> dict[str, object] | None:
    """Return the pictures of the chosen model or the best-ranked one; None without a model."""
    rows = {row.name: row for row in view.rows}
    order = [name for name in names if name in rows]
    if not order:
        return None
    row = rows[chosen if chosen in order else order[0]]
    along = next((course for course in view.paths if course.name == row.name), None)
    return {
        "row": row,
        "names": order,
        "orders": view.orders,
        "ranks": _ranks(along, view.ends) if along else None,
        "ratings": _ratings(along, view.ends) if along else None,
        "shares": _shares(row),
        "methods": METHODS,
    }


def _frame(ends: Sequence[int]) -> tuple[Scale, dict[str, object]]:
    x = scale(0, max(1, len(ends) - 1), LEFT, WIDTH - RIGHT)
    votes = [(ends[0], x(0)), (ends[-1], x(len(ends) - 1))]
    return x, {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT, "votes": votes}


def _line(number: int, values: Sequence[float | None], x: Scale, y: Scale) -> dict[str, object]:
    """A line and its points: a model that joined late has a single one, which no line would show."""
    points = [(x(place), y(value)) for place, value in enumerate(values) if value is not None]
    return {"colour": number, "path": path(values, x, y), "points": points}


def _ranks(along: RatingPathView, ends: Sequence[int]) -> dict[str, object]:
    courses = [along.elo_rank, along.points_rank, along.bt_rank]
    worst = max([2, *(rank for course in courses for rank in course if rank is not None)])
    x, frame = _frame(ends)
    y = scale(1, worst, TOP, HEIGHT - BOTTOM)
    ticks = sorted({1.0, *(mark for mark in marks(1, worst, 4) if mark.is_integer())})
    return frame | {"levels": levels(ticks, y), "lines": [_line(n, course, x, y) for n, course in enumerate(courses)]}


def _ratings(along: RatingPathView, ends: Sequence[int]) -> dict[str, object]:
    courses = {0: along.elo, 2: along.bt}
    low, high = pad([value for course in courses.values() for value in course if value is not None] or [0], 0.08, 5)
    x, frame = _frame(ends)
    y = scale(low, high, HEIGHT - BOTTOM, TOP)
    lines = [_line(n, course, x, y) for n, course in courses.items()]
    return frame | {"levels": levels(marks(low, high, 4), y), "lines": lines}


def _shares(row: OrderSensitivityView) -> dict[str, object]:
    """Columns are shares of the orders with each rank; pointers the ranks that do not depend on the order."""
    first, last = min(row.rank_best, row.points_rank, row.bt_rank), max(row.rank_worst, row.points_rank, row.bt_rank)
    x = scale(first - 0.5, last + 0.5, LEFT, WIDTH - RIGHT)
    floor = HEIGHT - BOTTOM - 18
    y = scale(0, max(row.rank_share), floor, TOP + 14)
    wide = round(min(48, (x(1) - x(0)) * 0.7), 1)
    every = max(1, -(-(last - first) // 12))
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "wide": wide,
        "columns": [
            {"rank": rank, "x": x(rank), "y": y(part), "high": max(0.5, floor - y(part)), "share": part}
            for rank, part in enumerate(row.rank_share, row.rank_best)
        ],
        "ranks": [(rank, x(rank)) for rank in range(first, last + 1, every)],
        "pointers": [
            {"method": method, "rank": rank, "colour": number, "x": x(rank) + (number - 1.5) * 14}
            for number, (method, rank) in enumerate((("points", row.points_rank), ("bt", row.bt_rank)), 1)
        ],
    }
