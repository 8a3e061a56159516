"""Routes by which owners manage their endpoints, and object to the vote gate."""

from __future__ import annotations

import secrets
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Depends

from arena.adapters.store import endpoints as stored
from arena.api.contract import BASE, CsvResponse, JsonLinesResponse, refusals
from arena.api.dependencies import DatabaseDep, ExportsDep, KeyHolder, OwnerRulesDep, RuntimeDep, WindowsDep
from arena.api.http.export_places import Export
from arena.domain.errors import (
    AliasCommon,
    AliasUncounts,
    Busy,
    Closed,
    EndpointNotFound,
    KeyLost,
    KeysNotAccepted,
    ModelNotFound,
    NameTaken,
    ObjectionOpen,
    RateLimited,
    ResultsStay,
    UnlistedLimit,
    WrongState,
)
from arena.domain.schemas.discovery import (
    DiscoveryRequest,
    DiscoveryView,
    JoinedView,
    JoinManyRequest,
    TwinsComparedView,
    TwinsRequest,
)
from arena.domain.schemas.endpoints import (
    ChangeRequest,
    EndpointView,
    KeyRequest,
    OwnedEndpointView,
    PresetView,
    RegisterRequest,
    UseRequest,
)
from arena.domain.schemas.integrity import GateEffectView, ObjectionView, TextRequest
from arena.domain.terms import EndpointState, Use
from arena.usecases.endpoints import definition, ownership, registration, same_weights, uses, versions, views
from arena.usecases.endpoints.discovery import owned
from arena.usecases.endpoints.ownership import By
from arena.usecases.exchange import feedback, writer
from arena.usecases.votes import decisions
from arena_providers import registry

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.breaker import Condition
    from arena.calls.targets import Keys

router = APIRouter(prefix=BASE, tags=["endpoints"])
REGISTERING = refusals(AliasCommon, NameTaken, UnlistedLimit, KeysNotAccepted, RateLimited, Closed)
STEERING = refusals(EndpointNotFound, WrongState)
PROBING = STEERING | refusals(RateLimited)
CHANGING = refusals(
    EndpointNotFound,
    WrongState,
    AliasCommon,
    AliasUncounts,
    NameTaken,
    UnlistedLimit,
    ResultsStay,
    KeyLost,
    KeysNotAccepted,
    RateLimited,
)
_DIGITS: Final = 10
_NUMBERS: Final = 2**31
"""Numbers of endpoints lie below, in every database."""


@router.get("/presets")
async def list_presets(rules: OwnerRulesDep) -> list[PresetView]:
    """List the vendors and local servers that an endpoint may name as its preset."""
    return [
        PresetView(name=row.name, dialect=row.dialect, base_url=row.base_url, needs_key=not row.local)
        for row in definition.open_presets(rules.policy)
    ]


@router.get("/dialects")
async def list_dialects() -> list[str]:
    """List the supported dialects."""
    return list(registry.dialects())


async def _number(endpoint_id: str) -> int:
    if not (endpoint_id.isascii() and endpoint_id.isdigit() and len(endpoint_id) <= _DIGITS):
        raise EndpointNotFound
    if (number := int(endpoint_id)) >= _NUMBERS:
        raise EndpointNotFound
    return number


async def _by(owner: KeyHolder, runtime: RuntimeDep, rules: OwnerRulesDep) -> By:
    return By(owner.id, rules, runtime.keys.keyring, runtime.now())


Acting = Annotated[By, Depends(_by)]
Number = Annotated[int, Depends(_number)]


@router.post("/endpoints", status_code=201, responses=REGISTERING)
async def register_endpoint(
    request: RegisterRequest, by: Acting, database: DatabaseDep, windows: WindowsDep
) -> EndpointView:
    """Register an endpoint; a probe starts in the background."""
    async with windows.counted(windows.probes, str(by.owner)):
        return await registration.register_as_owner(database, by, request)


@router.post("/endpoints/discoveries", responses=refusals(RateLimited))
async def discover_models(
    request: DiscoveryRequest, by: Acting, database: DatabaseDep, windows: WindowsDep
) -> DiscoveryView:
    """List the models that a proxy offers, beside the owner's endpoints at the same address."""
    async with windows.counted(windows.probes, str(by.owner)):
        return await owned.discover(database, by, request)


@router.post("/endpoints/twins", responses=refusals(RateLimited))
async def compare_twins(
    request: TwinsRequest, by: Acting, runtime: RuntimeDep, windows: WindowsDep
) -> TwinsComparedView:
    """Compare the answers of two names of a proxy that may be one model."""
    async with windows.counted(windows.probes, str(by.owner)):
        return await owned.compare_twins(runtime.caller, by, request)


@router.post("/endpoints/batch", responses=refusals(RateLimited))
async def register_endpoints(
    request: JoinManyRequest, by: Acting, database: DatabaseDep, windows: WindowsDep
) -> list[JoinedView]:
    """Register many models of a proxy with one key, each with its own result; probes start in the background."""
    async with windows.counted(windows.batches, str(by.owner)):
        return await owned.register_many(database, by, request)


@router.get("/endpoints")
async def list_my_endpoints(by: Acting, runtime: RuntimeDep) -> list[EndpointView]:
    """List the owner's endpoints, newest first."""
    return await runtime.database.read(_own_endpoints, by.owner, runtime.keys)


@router.get("/endpoints/{endpoint_id}", responses=refusals(EndpointNotFound))
async def get_my_endpoint(by: Acting, endpoint_id: Number, runtime: RuntimeDep) -> OwnedEndpointView:
    """Return an endpoint with its report, votes, errors and budget."""
    condition = runtime.chat_breakers.condition(endpoint_id)
    return await runtime.database.read(_own_endpoint, by, endpoint_id, condition, runtime.keys)


@router.get(
    "/endpoints/{endpoint_id}/votes",
    response_class=JsonLinesResponse,
    responses=refusals(EndpointNotFound, Busy, RateLimited),
)
async def export_endpoint_votes(by: Acting, endpoint_id: Number, database: DatabaseDep, exports: ExportsDep) -> Export:
    """Export the votes on an endpoint as JSON lines without texts; voters are pseudonyms of this file."""
    row = await database.read(stored.owned, endpoint_id, by.owner)
    headers = {"Content-Disposition": f'attachment; filename="votes-{row.id}.jsonl"', "Cache-Control": "no-store"}
    return exports.of(writer.export_endpoint(database, row.id, salt=secrets.token_bytes(32)), headers)


@router.get("/endpoints/{endpoint_id}/feedback", response_class=CsvResponse, responses=refusals(EndpointNotFound))
async def get_endpoint_feedback(by: Acting, endpoint_id: Number, database: DatabaseDep) -> CsvResponse:
    """Export counts of counted votes and their remarks on an endpoint as CSV; each row is of at least five people."""
    row = await database.read(stored.owned, endpoint_id, by.owner)
    name = f'attachment; filename="feedback-{row.id}.csv"'
    headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
    return CsvResponse(await database.read(feedback.feedback_table, row.id), headers=headers)


@router.patch("/endpoints/{endpoint_id}", responses=CHANGING)
async def change_endpoint(
    request: ChangeRequest, by: Acting, endpoint_id: Number, database: DatabaseDep, windows: WindowsDep
) -> EndpointView:
    """Change its description, or make a new version, which is probed at once."""
    async with windows.counted(windows.probes, str(by.owner)) if request.moves else nullcontext():
        return await versions.change(database, by, endpoint_id, request)


@router.put("/endpoints/{endpoint_id}/key", status_code=204, responses=STEERING | refusals(KeysNotAccepted))
async def set_endpoint_key(request: KeyRequest, by: Acting, endpoint_id: Number, database: DatabaseDep) -> None:
    """Store its key, encrypted; no response ever contains it."""
    await ownership.set_key(database, by, endpoint_id, request.key.get_secret_value())


@router.delete("/endpoints/{endpoint_id}/key", status_code=204, responses=refusals(EndpointNotFound))
async def delete_endpoint_key(by: Acting, endpoint_id: Number, database: DatabaseDep) -> None:
    """Delete its key."""
    await ownership.drop_key(database, by, endpoint_id)


@router.put("/endpoints/{endpoint_id}/uses/{use}", status_code=204, responses=STEERING)
async def choose_endpoint_use(
    request: UseRequest, use: Use, by: Acting, endpoint_id: Number, database: DatabaseDep
) -> None:
    """Allow or forbid a use beyond battles, with a cap of calls per day of its own."""
    await uses.choose_use(database, by, endpoint_id, use, request)


@router.put(
    "/endpoints/{endpoint_id}/same-as/{name:path}",
    status_code=204,
    responses=refusals(EndpointNotFound, ModelNotFound, WrongState),
)
async def state_same_weights(name: str, by: Acting, endpoint_id: Number, database: DatabaseDep) -> None:
    """State that it serves the same weights as another model; it counts once that one's owner, or an operator, does."""
    await same_weights.state_same(database, by.owner, endpoint_id, name, by.now)


@router.delete(
    "/endpoints/{endpoint_id}/same-as/{name:path}",
    status_code=204,
    responses=refusals(EndpointNotFound, ModelNotFound),
)
async def take_back_same_weights(name: str, by: Acting, endpoint_id: Number, database: DatabaseDep) -> None:
    """Take it back, whichever of the two owners has stated it."""
    await same_weights.take_back(database, by.owner, endpoint_id, name)


@router.post("/endpoints/{endpoint_id}/probe", status_code=202, responses=PROBING)
async def probe_endpoint(by: Acting, endpoint_id: Number, database: DatabaseDep, windows: WindowsDep) -> EndpointView:
    """Start a probe: three prompts, sent as in a battle; afterwards its report is part of the endpoint."""
    async with windows.counted(windows.probes, str(by.owner)):
        return await ownership.probe(database, by, endpoint_id)


@router.post("/endpoints/{endpoint_id}/pause", responses=STEERING)
async def pause_endpoint(by: Acting, endpoint_id: Number, database: DatabaseDep) -> EndpointView:
    """Keep it out of new battles until it is resumed."""
    return await ownership.steer(database, by, endpoint_id, EndpointState.PAUSED)


@router.post("/endpoints/{endpoint_id}/resume", responses=STEERING)
async def resume_endpoint(by: Acting, endpoint_id: Number, database: DatabaseDep) -> EndpointView:
    """Resume a paused endpoint."""
    return await ownership.steer(database, by, endpoint_id, EndpointState.ACTIVE)


@router.post("/endpoints/{endpoint_id}/retire", responses=STEERING)
async def retire_endpoint(by: Acting, endpoint_id: Number, database: DatabaseDep) -> EndpointView:
    """Retire it; its votes and ratings stay."""
    return await ownership.steer(database, by, endpoint_id, EndpointState.RETIRED)


@router.get("/endpoints/{endpoint_id}/gate", responses=refusals(EndpointNotFound))
async def get_gate_effect(by: Acting, endpoint_id: Number, database: DatabaseDep) -> GateEffectView:
    """Return the endpoint's rating with and without the vote gate, and the objections to it."""
    return await database.read(decisions.effect, endpoint_id, by.owner)


@router.post(
    "/endpoints/{endpoint_id}/objections", status_code=201, responses=refusals(EndpointNotFound, ObjectionOpen)
)
async def object_to_gate(by: Acting, endpoint_id: Number, database: DatabaseDep, request: TextRequest) -> ObjectionView:
    """Object to the decisions that touch the endpoint; the operator answers."""
    return await database.write(decisions.object_to, endpoint_id, by.owner, request.text, by.now)


def _own_endpoints(session: Session, owner_id: int, keys: Keys) -> list[EndpointView]:
    keyless = keys.lost(session)
    return [views.view(session, row, keyless=keyless) for row in stored.of_owner(session, owner_id)]


def _own_endpoint(session: Session, by: By, number: int, condition: Condition, keys: Keys) -> OwnedEndpointView:
    return views.detail(session, stored.owned(session, number, by.owner), by.now, condition, keys.lost(session))
