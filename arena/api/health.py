"""Liveness and readiness, for whoever watches the process."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from arena.api.deps import OnStage
from arena.store import votes

router = APIRouter(tags=["health"])


@router.api_route("/healthz", methods=["GET", "HEAD"], response_class=PlainTextResponse)
async def alive() -> str:
    """The process answers."""
    return "ok"


@router.api_route("/readyz", methods=["GET", "HEAD"], response_class=PlainTextResponse)
async def ready(stage: OnStage) -> str:
    """The database answers and new battles may start."""
    stage.check_open()
    await stage.database.read(votes.last_number)
    return "ok"
