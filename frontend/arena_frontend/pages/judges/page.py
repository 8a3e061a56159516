"""The page of judges: how each decides, how far people agree, what length and order do to it, and what it costs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.domain.schemas.labels import LabellersView
from arena.evaluations.domain.schemas.figures import by_area
from arena.evaluations.domain.schemas.judges import JudgedModelView, JudgesView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.charts.intervals import Ends
from arena_frontend.figures import percent, share
from arena_frontend.pages.evaluations.summary import Standing
from arena_frontend.reports import refusal, report

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena_frontend.api_reader import Reading
    from arena_frontend.contents import Content
    from arena_frontend.texts import Texts

_JUDGES: Final = TypeAdapter(list[JudgesView])
_LABELLERS: Final = TypeAdapter(list[LabellersView])


async def read(reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page; labellers of prompts stand below the judges."""
    try:
        reports = await reading.view("/judges", _JUDGES)
        labellers = await reading.view("/labellers", _LABELLERS)
    except ApiRefusal as refused:
        return refusal("judges", refused, "/judges")
    agreed = agreements(reports)
    picture = {"agreements": agreed, "scale": Ends(0, 1), "percent": percent, "share": share}
    tables = {"reports": reports, "labellers": labellers, "level": _level, "by_area": by_area}
    return report("judges", {"opened_by": partial(summary, rows=agreed)} | picture | tables)


def agreements(reports: Sequence[JudgesView]) -> list[Standing]:
    """Return the judges by the share of pairs on which they agree with most people, best first, with intervals."""
    rows = [
        Standing(f"{judge.judge} · {one.evaluation}", part.raw.value, part.raw.low, part.raw.high)
        for one in reports
        for judge in one.judges
        for part in judge.agreement
        if not part.area and part.raw.value is not None
    ]
    return sorted(rows, key=lambda row: -row.score)


def summary(words: Texts, rows: Sequence[Standing]) -> str:
    """Say which judge agrees with people most often, as far as the reports tell."""
    if not rows:
        return words["judges.first.none"]
    key = "judges.first.one" if len(rows) == 1 else "judges.first.most"
    return words.fill(key, judge=rows[0].name, share=percent(rows[0].score))


def _level(models: list[JudgedModelView]) -> dict[str, int]:
    """Rank models by their ratings as if all answers were of one length."""
    levels = sorted(
        models, key=lambda model: -(float("-inf") if model.rating_at_length is None else model.rating_at_length)
    )
    return {model.name: rank for rank, model in enumerate(levels, 1)}
