"""Published reports on judges, and on how well evaluations predict the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.evaluations.domain.schemas.judges import JudgesView
from arena.evaluations.domain.schemas.predictors import PredictorsView
from arena.evaluations.store import judgements

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database


async def published_judges(database: Database) -> list[JudgesView]:
    """Return the published reports on judges, those of the newest evaluation first."""
    return [JudgesView.model_validate(content) for content in await database.read(judgements.reports)]


async def published_predictions(database: Database) -> PredictorsView:
    """Return the newest report on predictors, or an empty one."""
    content = await database.read(judgements.newest_prediction)
    return PredictorsView.model_validate(content) if content else PredictorsView()
