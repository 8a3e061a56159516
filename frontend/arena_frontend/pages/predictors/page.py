"""The page of predictors: each evaluation against each board, their best mix, and forecasts of models without votes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.evaluations.domain.schemas.predictors import PredictorsView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.reports import refusal, report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.contents import Content

_PREDICTORS: Final = TypeAdapter(PredictorsView)


async def read(reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page."""
    try:
        return report("predictors", {"view": await reading.view("/predictors", _PREDICTORS)})
    except ApiRefusal as refused:
        return refusal("predictors", refused, "/predictors")
