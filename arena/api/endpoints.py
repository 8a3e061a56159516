"""Routes of endpoints as their owners steer them."""

from __future__ import annotations

import secrets
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Depends
from fastapi.responses import StreamingResponse

from arena import endpoints, exchange
from arena.api.bearer import KeyHolder, UnderRules
from arena.api.deps import OnDatabase, OnStage
from arena.api.windows import OnWindows
from arena.endpoints import By
from arena.errors import EndpointNotFound
from arena.providers import registry
from arena.store import endpoints as stored
from arena.terms import EndpointState
from arena.wire import (
    ChangeRequest,
    EndpointDetail,
    EndpointView,
    KeyRequest,
    PresetView,
    RegisterRequest,
)

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.health import Condition

router = APIRouter(tags=["endpoints"])
_DIGITS: Final = 18
"""Of a number that every database can compare."""


@router.get("/presets")
async def presets(rules: UnderRules) -> list[PresetView]:
    """Vendors and local servers that an endpoint may name."""
    return [
        PresetView(name=row.name, dialect=row.dialect, base_url=row.base_url, needs_key=not row.local)
        for row in endpoints.open_presets(rules.policy)
    ]


@router.get("/dialects")
async def dialects() -> list[str]:
    """How a server may be spoken to."""
    return list(registry.dialects())


async def _number(endpoint_id: str) -> int:
    if not (endpoint_id.isascii() and endpoint_id.isdigit() and len(endpoint_id) <= _DIGITS):
        raise EndpointNotFound
    return int(endpoint_id)


async def _by(owner: KeyHolder, stage: OnStage, rules: UnderRules) -> By:
    return By(owner.id, rules, stage.keys.keyring, stage.now())


Acting = Annotated[By, Depends(_by)]
Number = Annotated[int, Depends(_number)]


@router.post("/endpoints", status_code=201)
async def register(request: RegisterRequest, by: Acting, database: OnDatabase, windows: OnWindows) -> EndpointView:
    """Add an endpoint; it is probed at once, behind this answer."""
    async with windows.counted(windows.probes, str(by.owner)):
        return await endpoints.register(database, by, request)


@router.get("/endpoints")
async def mine(by: Acting, database: OnDatabase) -> list[EndpointView]:
    """All endpoints of the owner, the newest first."""
    return await database.read(_mine, by.owner)


@router.get("/endpoints/{endpoint_id}")
async def one(by: Acting, endpoint_id: Number, stage: OnStage) -> EndpointDetail:
    """Everything about one."""
    return await stage.database.read(_one, by, endpoint_id, stage.health.condition(endpoint_id))


@router.get("/endpoints/{endpoint_id}/votes", response_class=StreamingResponse)
async def votes(by: Acting, endpoint_id: Number, database: OnDatabase) -> StreamingResponse:
    """The votes on it as JSON lines, without any text; voters are pseudonyms that hold for this file only."""
    row = await database.read(stored.owned, endpoint_id, by.owner)
    return StreamingResponse(
        exchange.export_endpoint(database, row.id, salt=secrets.token_bytes(32)),
        media_type="application/jsonl",
        headers={
            "Content-Disposition": f'attachment; filename="votes-{row.id}.jsonl"',
            "Cache-Control": "no-store",
        },
    )


@router.patch("/endpoints/{endpoint_id}")
async def change(
    request: ChangeRequest, by: Acting, endpoint_id: Number, database: OnDatabase, windows: OnWindows
) -> EndpointView:
    """Change what describes it, or make a new version, which is probed at once."""
    async with windows.counted(windows.probes, str(by.owner)) if request.moves else nullcontext():
        return await endpoints.change(database, by, endpoint_id, request)


@router.put("/endpoints/{endpoint_id}/key", status_code=204)
async def set_key(request: KeyRequest, by: Acting, endpoint_id: Number, database: OnDatabase) -> None:
    """Store its key; nothing gives it back."""
    await endpoints.set_key(database, by, endpoint_id, request.key.get_secret_value())


@router.delete("/endpoints/{endpoint_id}/key", status_code=204)
async def drop_key(by: Acting, endpoint_id: Number, database: OnDatabase) -> None:
    """Forget its key."""
    await endpoints.drop_key(database, by, endpoint_id)


@router.post("/endpoints/{endpoint_id}/probe", status_code=202)
async def probe(by: Acting, endpoint_id: Number, database: OnDatabase, windows: OnWindows) -> EndpointView:
    """Ask it three prompts as a battle would; the report is part of its page when they are answered."""
    async with windows.counted(windows.probes, str(by.owner)):
        return await endpoints.probe(database, by, endpoint_id)


@router.post("/endpoints/{endpoint_id}/pause")
async def pause(by: Acting, endpoint_id: Number, database: OnDatabase) -> EndpointView:
    """Keep it out of new battles for a while."""
    return await endpoints.steer(database, by, endpoint_id, EndpointState.PAUSED)


@router.post("/endpoints/{endpoint_id}/resume")
async def resume(by: Acting, endpoint_id: Number, database: OnDatabase) -> EndpointView:
    """Let a paused one be drawn again."""
    return await endpoints.steer(database, by, endpoint_id, EndpointState.ACTIVE)


@router.post("/endpoints/{endpoint_id}/retire")
async def retire(by: Acting, endpoint_id: Number, database: OnDatabase) -> EndpointView:
    """Take it out for good; its votes and ratings stay."""
    return await endpoints.steer(database, by, endpoint_id, EndpointState.RETIRED)


def _mine(session: Session, owner_id: int) -> list[EndpointView]:
    return [endpoints.view(session, row) for row in stored.of_owner(session, owner_id)]


def _one(session: Session, by: By, number: int, condition: Condition) -> EndpointDetail:
    return endpoints.detail(session, stored.owned(session, number, by.owner), by.now, condition)
