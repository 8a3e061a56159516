"""Best and worst model by criterion and by area: where models differ most (LLMEval, figures 1 and 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arena.evaluations.domain.schemas.evaluation_reports import SpreadView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.evaluations.domain.schemas.evaluation_reports import CriterionView
    from arena.evaluations.domain.schemas.figures import FigureView


class _Mean(NamedTuple):
    value: float
    model: str


def spreads_of(criteria: Sequence[CriterionView], figures: Sequence[FigureView]) -> list[SpreadView]:
    """Differences of the best and the worst mean, the largest first; one model alone has none.

    By criterion in all areas and in each, and by area over all criteria where these have one scale.
    """
    cells: dict[tuple[str, str], list[_Mean]] = {}
    for row in criteria:
        cells.setdefault((f"{row.form} {row.criterion}", row.area), []).append(_Mean(row.mean, row.model))
    for figure in figures:
        if figure.statistic == "mean" and figure.area and figure.value is not None:
            cells.setdefault(("", figure.area), []).append(_Mean(figure.value, figure.model))
    spreads = [_spread(*key, means) for key, means in cells.items() if len(means) > 1]
    return sorted(spreads, key=lambda spread: -spread.difference)


def _spread(criterion: str, area: str, means: Sequence[_Mean]) -> SpreadView:
    best, worst = max(means), min(means)
    return SpreadView(
        criterion=criterion,
        area=area,
        difference=best.value - worst.value,
        best=best.model,
        worst=worst.model,
        models=len(means),
    )
