"""Ratings over time, a line per model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena_frontend.charts.scales import levels, marks, pad, path, scale
from arena_frontend.figures import day, moment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.schemas.board_details import CourseView, HistoryView

MAX_LINES: Final = 8
"""Lines in one picture."""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 300, 46, 12, 12, 30
_DAY_TICKS_SECONDS: Final = 172_800
"""Seconds from which on days are enough to tell times apart."""


def history(view: HistoryView, names: Sequence[str]) -> dict[str, object] | None:
    """Return the lines of the first of these models, in the order of their colours; None while no score has changed."""
    courses = {course.name: course for course in view.courses}
    shown = [courses[name] for name in names[:MAX_LINES] if name in courses]
    values = [value for course in shown for value in course.bt if value is not None]
    if not any(_changes(course) for course in shown):
        return None
    times = [moment.created_at.timestamp() for moment in view.moments]
    x = scale(times[0], times[-1], LEFT, WIDTH - RIGHT)
    low, high = pad(values, 0.06, 5)
    y = scale(low, high, HEIGHT - BOTTOM, TOP)
    written = day if times[-1] - times[0] > _DAY_TICKS_SECONDS else moment
    lines = [
        {
            "name": course.name,
            "path": path(course.bt, lambda place: x(times[place]), y),
            "points": [
                {"x": x(times[place]), "y": y(value), "value": value, "moment": view.moments[place]}
                for place, value in enumerate(course.bt)
                if value is not None
            ],
        }
        for course in shown
    ]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "levels": levels(marks(low, high), y),
        "dates": [(written(view.moments[place].created_at), x(times[place])) for place in (0, -1)],
        "lines": lines,
        "radius": 2 if len(times) > 30 else 3.5,  # as many stand apart
        "more": MAX_LINES if len(names) > MAX_LINES else 0,
    }


def _changes(course: CourseView) -> bool:
    """Whether a model's score has had two values, as they are shown: a flat line says nothing."""
    return len({round(value) for value in course.bt if value is not None}) > 1
