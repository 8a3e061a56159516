"""Routes of the public view of endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Response

from arena.adapters.store import endpoints, site, snapshots, votes
from arena.api.contract import BASE, NOT_MODIFIED, refusals
from arena.api.dependencies import BoardsDep, DatabaseDep, KeysDep, ModelsDep, RuntimeDep
from arena.api.http.caching import ConditionsDep
from arena.api.public_models import model_view
from arena.domain.errors import ModelNotFound, NotFound
from arena.domain.schemas.models import MeetingView, ModelResultsView, ModelView, PlacementView, VersionView
from arena.domain.schemas.status import StatusView
from arena.domain.terms import Part, Side
from arena.usecases.endpoints.figures import published
from arena.usecases.endpoints.same_weights import same_models

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.endpoints import EndpointRow
    from arena.api.boards.cache import Boards
    from arena.calls.targets import Keys
    from arena.domain.schemas.leaderboard import PairView
    from arena.usecases.endpoints.figures import Figures

router = APIRouter(prefix=BASE, tags=["models"])


@router.get("/models", response_model=list[ModelView], responses=NOT_MODIFIED)
async def list_models(models: ModelsDep, conditions: ConditionsDep) -> Response:
    """List all models that take part or took part."""
    return conditions.answer(await models.document())


@router.get("/models/{name:path}", responses=refusals(ModelNotFound))
async def get_model(name: str, database: DatabaseDep, keys: KeysDep, boards: BoardsDep) -> ModelResultsView:
    """Return a model with its results, if it has votes."""
    model, versions, figures, same_as = await database.read(_model_facts, name, keys)
    placements, pairs = await _results(boards, name)
    return ModelResultsView(
        **model.model_dump(),
        versions=versions,
        standings=placements,
        meetings=[meeting(name, pair) for pair in pairs],
        answered=figures.calls,
        failed=figures.failed,
        as_of=figures.as_of,
        same_as=same_as,
    )


@router.get("/status")
async def get_status(runtime: RuntimeDep) -> StatusView:
    """Return the number of available models, the number of votes, and whether battles may start."""
    active, count, newest, (practice, mixed), seeing, closed = await runtime.database.read(_status, runtime.keys)
    return StatusView(
        endpoints=active,
        votes=count,
        accepting=active > 1 and not runtime.closing,
        closed=closed,
        terms=runtime.asked_terms,
        board=newest > 0,
        practice=practice,
        mixed=mixed,
        vision=seeing >= len(Side),
        vision_endpoints=seeing,
    )


async def _results(boards: Boards, name: str) -> tuple[list[PlacementView], list[PairView]]:
    """Return a model's rows on all boards, and its pairs; none before the first snapshot."""
    try:
        return (await boards.placements()).get(name, []), (await boards.leaderboard()).pairs.get(name, [])
    except NotFound:
        return [], []


def meeting(name: str, pair: PairView) -> MeetingView:
    """The results of a pair from the side of one of its models."""
    won, lost = (pair.a_wins, pair.b_wins) if pair.a == name else (pair.b_wins, pair.a_wins)
    return MeetingView(
        opponent=pair.b if pair.a == name else pair.a,
        battles=pair.battles,
        wins=won,
        losses=lost,
        ties=pair.ties,
        both_bad=pair.both_bad,
    )


def _model_facts(session: Session, name: str, keys: Keys) -> tuple[ModelView, list[VersionView], Figures, list[str]]:
    row = endpoints.public_by_name(session, name)
    if row is None:
        raise ModelNotFound
    figures, variants = published(session, row.id), endpoints.variants(session).get(row.owner_id)
    versions = [_version(version) for version in endpoints.versions(session, row)]
    model = model_view(session, row, keys.lost(session), variants, week=figures.week)
    return model, versions, figures, same_models(session, row.id)


def _version(row: EndpointRow) -> VersionView:
    return VersionView.from_row(row, joined_at=row.created_at)


def _status(session: Session, keys: Keys) -> tuple[int, int, int, tuple[bool, bool], int, list[Part]]:
    keyless = keys.lost(session)
    active, practice = endpoints.count_active(session, keyless), endpoints.practice(session, keyless)
    newest, seeing = snapshots.newest_id(session), endpoints.count_seeing(session, keyless)
    return active, votes.last_number(session), newest, practice, seeing, site.closed_parts(session)
