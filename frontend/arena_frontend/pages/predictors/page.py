"""The page of predictors: each evaluation against each board, their best mix, and forecasts of models without votes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.evaluations.domain.schemas.figures import by_area, combined_table, leaders
from arena.evaluations.domain.schemas.predictors import PredictorsView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.charts.radar import wheel
from arena_frontend.charts.violins import violins
from arena_frontend.reports import refusal, report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.evaluations.domain.schemas.predictors import CapabilitiesView
    from arena_frontend.api_reader import Reading
    from arena_frontend.contents import Content

_PREDICTORS: Final = TypeAdapter(PredictorsView)


async def read(reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page."""
    try:
        view = await reading.view("/predictors", _PREDICTORS)
    except ApiRefusal as refused:
        return refusal("predictors", refused, "/predictors")
    return report("predictors", {"view": view, "capabilities": [_capabilities(one) for one in view.capabilities]})


def _capabilities(table: CapabilitiesView) -> dict[str, object]:
    """A table by capability: who is first by each statistic, its wheels, and its lines."""
    whole = [(figure.statistic, figure.model, figure.value) for figure in table.figures if not figure.area]
    measures = {
        statistic: [(model, value) for name, model, value in whole if name == statistic and value is not None]
        for statistic, _, _ in whole
    }
    wheels = [(statistic, wheel(lines)) for statistic, lines in by_area(table.figures).items()]
    return {
        "of": table,
        "leaders": {statistic: ", ".join(models) for statistic, models in leaders(table.figures).items()},
        "wheels": [(statistic, drawn) for statistic, drawn in wheels if drawn],
        "violins": violins(measures),
        "lines": combined_table(table.figures),
    }
