"""The operator's routes of labels by people: what to read next, and what is said of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from arena.api.contract import refusals
from arena.api.dependencies import RuntimeDep
from arena.api.routes.takedowns import router
from arena.domain.errors import AlreadyAnnotated, NotFound
from arena.domain.schemas.labels import LabelReadingRequest, LabelTaskView, Pass, Reader, SetName
from arena.usecases.labelling import samples


@router.get("/labels")
async def work(
    runtime: RuntimeDep,
    label_set: Annotated[SetName, Query(alias="set")],
    reader: Annotated[Reader, Query()],
    reading: Annotated[Pass, Query()] = 1,
) -> LabelTaskView:
    """Return the next conversation of the sample that this reader has not read in this reading."""
    return await samples.work(runtime.database, label_set, reader, reading)


@router.post("/labels", status_code=204, responses=refusals(NotFound, AlreadyAnnotated))
async def read(runtime: RuntimeDep, said: LabelReadingRequest) -> None:
    """Append what a reader says of an item; it never changes."""
    await samples.read(runtime.database, said, runtime.now())
