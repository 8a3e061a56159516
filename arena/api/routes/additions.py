"""Routes by which operators add models: those of a preset, and servers of this machine."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter

from arena.api.contract import refusals
from arena.api.dependencies import OwnerRulesDep, RuntimeDep, WindowsDep
from arena.api.operators import Acting, OperatorDep, acts, asks
from arena.api.routes.operator import router as operator
from arena.domain.errors import Invalid, KeysNotAccepted, NameTaken, OwnerTaken
from arena.domain.operators import ActKind, OperatorRole
from arena.domain.schemas.operated_models import AddedView, AddRequest, LocalServerView
from arena.usecases.endpoints import addition
from arena.usecases.endpoints.discovery import local

router = APIRouter(
    prefix=operator.prefix, tags=operator.tags, dependencies=operator.dependencies, responses=operator.responses
)


@router.get("/local-servers", dependencies=[asks(OperatorRole.OPERATOR)])
async def find_local_servers(
    operator: OperatorDep, runtime: RuntimeDep, rules: OwnerRulesDep, windows: WindowsDep
) -> list[LocalServerView]:
    """Look for Ollama, vLLM and LM Studio at their usual ports of the machine that the arena runs on."""
    async with windows.counted(windows.probes, f"operator {operator.name}"):
        return await local.find_local(runtime.database, rules.policy)


@router.post("/endpoints", responses=refusals(Invalid, NameTaken, OwnerTaken, KeysNotAccepted))
async def add_endpoint(
    request: AddRequest,
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.ENDPOINT_ADDED)],
    runtime: RuntimeDep,
    rules: OwnerRulesDep,
    windows: WindowsDep,
) -> AddedView:
    """Ask a model of a preset three questions, and add it if it answers; its problems say why it did not."""
    by.on(request.name)
    async with windows.counted(windows.probes, f"operator {by.operator.name}"):
        return await addition.add(by.database, runtime.caller, request, rules.policy)
