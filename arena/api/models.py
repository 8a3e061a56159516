"""Routes about endpoints as the public sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter

from arena.api.deps import OnDatabase, OnStage
from arena.errors import ModelNotFound
from arena.store import endpoints, snapshots, votes
from arena.wire import ModelView, StatusView

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.store.tables import EndpointRow

router = APIRouter(tags=["models"])


@router.get("/models")
async def every(database: OnDatabase) -> list[ModelView]:
    """All models that take or took part."""
    return await database.read(_every)


@router.get("/models/{name:path}")
async def one(name: str, database: OnDatabase) -> ModelView:
    """One model."""
    return await database.read(_one, name)


@router.get("/status")
async def status(stage: OnStage) -> StatusView:
    """How many models can be drawn, how long the vote log is, and whether battles may start."""
    active, count, newest = await stage.database.read(_status)
    return StatusView(
        endpoints=active,
        votes=count,
        accepting=active > 1 and not stage.closing,
        terms=stage.terms,
        board=newest > 0,
    )


def _every(session: Session) -> list[ModelView]:
    return [_view(row) for row in endpoints.every(session)]


def _one(session: Session, name: str) -> ModelView:
    row = endpoints.by_name(session, name)
    if row is None:
        raise ModelNotFound
    return _view(row)


def _status(session: Session) -> tuple[int, int, int]:
    return endpoints.count_active(session), votes.last_number(session), snapshots.newest_id(session)


def _view(row: EndpointRow) -> ModelView:
    return ModelView(
        name=row.name,
        owner=row.owner.name,
        licence=row.licence,
        link=row.link,
        demo=row.demo,
        description_en=row.description_en,
        description_zh=row.description_zh,
        state=row.state,
        joined_at=row.created_at,
    )
