"""Routes of owners for configurations of their models, which are compared like models."""

from __future__ import annotations

from fastapi import APIRouter

from arena.api.contract import BASE, refusals
from arena.api.dependencies import DatabaseDep, KeyHolder, RuntimeDep
from arena.api.routes.endpoints import Number
from arena.domain.errors import Conflict, EndpointNotFound, Invalid, NameTaken
from arena.evaluations.domain.configurations import ConfigurationRequest, ConfigurationView
from arena.evaluations.usecases import configurations

router = APIRouter(prefix=f"{BASE}/endpoints/{{endpoint_id}}/configurations", tags=["endpoints"])


@router.get("", responses=refusals(EndpointNotFound))
async def list_configurations(endpoint_id: Number, owner: KeyHolder, database: DatabaseDep) -> list[ConfigurationView]:
    """List the newest version of each configuration of a model."""
    return await configurations.of_owned(database, owner.id, endpoint_id)


@router.post("", status_code=201, responses=refusals(EndpointNotFound, Invalid, NameTaken, Conflict))
async def add_configuration(
    endpoint_id: Number, request: ConfigurationRequest, owner: KeyHolder, runtime: RuntimeDep
) -> ConfigurationView:
    """Store a configuration; changed settings under the same name are its next version."""
    return await configurations.put_as_owner(runtime.database, owner.id, endpoint_id, request, runtime.now())
