"""Route of the public vote log."""

from __future__ import annotations

import secrets

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from arena.api.contract import BASE, Lines
from arena.api.dependencies import DatabaseDep
from arena.usecases import exchange

router = APIRouter(prefix=f"{BASE}/votes", tags=["votes"])


@router.get("/export", response_class=Lines)
async def export(database: DatabaseDep) -> StreamingResponse:
    """Export all votes as JSON lines: names, outcome, day, and a pseudonym per voter and day of this file."""
    return StreamingResponse(
        exchange.export_pages(database, salt=secrets.token_bytes(32)),
        media_type="application/jsonl",
        headers={"Content-Disposition": 'attachment; filename="votes.jsonl"', "Cache-Control": "no-store"},
    )
