"""The page of judges: how each decides, how far people agree, what length and order do to it, and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.domain.schemas.labels import LabellersView
from arena.evaluations.domain.schemas.figures import by_area
from arena.evaluations.domain.schemas.judges import JudgedModelView, JudgesView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.reports import refusal, report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.contents import Content

_JUDGES: Final = TypeAdapter(list[JudgesView])
_LABELLERS: Final = TypeAdapter(list[LabellersView])


async def read(reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page; labellers of prompts stand below the judges."""
    try:
        reports = await reading.view("/judges", _JUDGES)
        labellers = await reading.view("/labellers", _LABELLERS)
    except ApiRefusal as refused:
        return refusal("judges", refused, "/judges")
    return report("judges", {"reports": reports, "labellers": labellers, "level": _level, "by_area": by_area})


def _level(models: list[JudgedModelView]) -> dict[str, int]:
    """Rank models by their ratings as if all answers were of one length."""
    levels = sorted(
        models, key=lambda model: -(float("-inf") if model.rating_at_length is None else model.rating_at_length)
    )
    return {model.name: rank for rank, model in enumerate(levels, 1)}
