"""Score against cost: a point per verdict, what the model saves and its difference in points, with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena_frontend.charts.plot import LEFT, RIGHT, TOP, Plot
from arena_frontend.charts.scales import levels, marks, pad, scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.evaluations.domain.schemas.evaluation_reports import VerdictView

PLOT = Plot(320)
_PERCENT = 100


def savings(verdicts: Sequence[VerdictView]) -> dict[str, object] | None:
    """Return the points of verdicts with costs and finite intervals, and the line of their margin; None without any."""
    points = [
        (verdict, verdict.cheaper * _PERCENT, (verdict.points_low, verdict.points, verdict.points_high))
        for verdict in verdicts
        if verdict.cheaper is not None and not {verdict.points_low, verdict.points, verdict.points_high} & {None}
    ]
    if not points:
        return None
    margin = points[0][0].margin
    left, right = pad([0.0, *(saved for _, saved, _ in points)], 0.08, 5)
    low, high = pad([-margin, 0.0, *(bound for *_, bounds in points for bound in bounds if bound is not None)], 0.06, 5)
    x, y = scale(left, right, LEFT, RIGHT), scale(low, high, PLOT.bottom, TOP)
    drawn = [
        {
            "verdict": verdict,
            "x": x(saved),
            "bottom": y(bounds[0] or 0.0),
            "y": y(bounds[1] or 0.0),
            "top": y(bounds[2] or 0.0),
        }
        for verdict, saved, bounds in points
    ]
    return {
        **PLOT.places(),
        "margin": y(-margin),
        "levels": levels(marks(low, high), y),
        "shares": [(value, x(value)) for value in marks(left, right)],
        "points": drawn,
    }
