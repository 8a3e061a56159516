"""Route of the vote log: everything a rating needs, for everybody."""

from __future__ import annotations

import secrets

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from arena import exchange
from arena.api.deps import OnDatabase

router = APIRouter(prefix="/votes", tags=["votes"])


@router.get("/export", response_class=StreamingResponse)
async def export(database: OnDatabase) -> StreamingResponse:
    """All votes as JSON lines: names, outcome, day, and a pseudonym per voter that holds for this file only."""
    return StreamingResponse(
        exchange.export_pages(database, salt=secrets.token_bytes(32)),
        media_type="application/jsonl",
        headers={"Content-Disposition": 'attachment; filename="votes.jsonl"', "Cache-Control": "no-store"},
    )
