"""Routes by which an operator imports votes from a file: first a look at it, then the import."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Query, Request

from arena.adapters.store import endpoints
from arena.api.contract import BINARY_BODY, JsonLinesResponse, Responses, refusals
from arena.api.dependencies import RuntimeDep
from arena.api.http.long_work import LongWork, WorkProgress
from arena.api.http.spool import spooled
from arena.api.operators import Acting, acts, asks
from arena.api.routes.operator import router as operator
from arena.domain.errors import Busy, Conflict, FileTooLarge, Invalid, Malformed, TooSlow
from arena.domain.operators import ActKind, OperatorRole
from arena.domain.schemas.vote_files import VoteFileLineView, VoteFileView, VotesAddedView
from arena.usecases.exchange.file_process import preview_apart, votes_apart
from arena.usecases.exchange.importer import import_votes

if TYPE_CHECKING:
    from datetime import datetime

    from arena.adapters.store.engine import Database
    from arena.api.http.spool import Spool

ROWS: Final = 100_000
"""Maximum rows of a file: each takes half a kilobyte of memory."""
_LINES: Final[Responses] = {
    200: {
        "model": VoteFileLineView,
        "description": "One object per line: the progress, and last the result.",
    }
}
_REFUSALS: Final = refusals(Invalid, FileTooLarge, Malformed, TooSlow, Busy)
Name = Annotated[str, Query(min_length=1, max_length=200, examples=["votes.csv"])]

router = APIRouter(
    prefix=operator.prefix, tags=operator.tags, dependencies=operator.dependencies, responses=operator.responses
)


@router.post(
    "/votes/preview",
    dependencies=[asks(OperatorRole.OPERATOR)],
    response_class=JsonLinesResponse,
    openapi_extra=BINARY_BODY,
    responses=_LINES | _REFUSALS,
)
async def preview_votes(request: Request, runtime: RuntimeDep, name: Name, *, texts: bool = False) -> LongWork:
    """Return what the file in the body would add to the vote log, and its board; nothing is written."""
    resources = AsyncExitStack()
    file = await resources.enter_async_context(spooled(request.stream(), name))
    progress = WorkProgress(file.size)
    return LongWork(progress, _preview(runtime.database, file, progress, texts=texts), resources)


@router.post(
    "/votes",
    response_class=JsonLinesResponse,
    openapi_extra=BINARY_BODY,
    responses=_LINES | _REFUSALS | refusals(Conflict),
)
async def add_votes(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.VOTES_IMPORTED)],
    request: Request,
    runtime: RuntimeDep,
    name: Name,
    *,
    texts: bool = False,
) -> LongWork:
    """Add the good rows of the file in the body to the vote log; a second time adds what is missing, or nothing."""
    by.on(name)
    resources = AsyncExitStack()
    file = await resources.enter_async_context(spooled(request.stream(), name))
    progress = WorkProgress(file.size)
    return LongWork(progress, _add(by, file, progress, runtime.now(), texts=texts), resources)


async def _preview(database: Database, file: Spool, progress: WorkProgress, *, texts: bool) -> VoteFileView:
    view, names = await preview_apart(file.path, progress.reach, texts=texts, limit=ROWS)
    return view.among(names, await database.read(endpoints.registered_names))


async def _add(by: Acting, file: Spool, progress: WorkProgress, now: datetime, *, texts: bool) -> VotesAddedView:
    votes = await votes_apart(file.path, progress.reach, texts=texts, limit=ROWS)
    progress.begin(len(votes))
    added = await import_votes(by.database, votes, now, progress.reach, file=file.digest)
    return VotesAddedView(votes=added.votes, known=added.known, names=list(added.names))
