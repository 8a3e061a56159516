"""Routes of labels of prompts: all rows, from which anybody computes the boards of topics again, and labellers."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from arena.api.contract import BASE, Lines
from arena.api.dependencies import DatabaseDep
from arena.domain.schemas.labels import LabellersView
from arena.usecases.labelling.label_file import label_pages
from arena.usecases.labelling.labellers import labellers

router = APIRouter(prefix=BASE, tags=["labels"])

LABELLERS_KEPT: Final = "public, max-age=60"


@router.get("/votes/labels", response_class=Lines)
async def export(database: DatabaseDep) -> StreamingResponse:
    """Export all labels of votes and questions as JSON lines; a row never changes."""
    return StreamingResponse(
        label_pages(database), media_type="application/jsonl", headers={"Cache-Control": "no-store"}
    )


@router.get("/labellers")
async def measured(database: DatabaseDep, response: Response) -> list[LabellersView]:
    """Measure each labeller by what people say of a sample; the tables count, and have no text."""
    response.headers["Cache-Control"] = LABELLERS_KEPT
    return await labellers(database)
