"""Routes by which an operator imports votes from a file: first a look at it, then the import."""

from __future__ import annotations

import asyncio
import base64
import binascii
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Request

from arena.adapters.whole_files import file_digest
from arena.api.contract import refusals
from arena.api.dependencies import RuntimeDep
from arena.api.operators import Acting, acts, asks
from arena.api.routes.operator import router as operator
from arena.domain.errors import Conflict, Invalid
from arena.domain.operators import ActKind, OperatorRole
from arena.domain.schemas.vote_files import VoteFileRequest, VoteFileView, VotesAddedView
from arena.domain.text import well_formed
from arena.usecases.exchange.importer import import_votes
from arena.usecases.exchange.preview_process import preview_apart
from arena.usecases.exchange.reader import read_votes

if TYPE_CHECKING:
    from collections.abc import Generator

_NAME: Final = 60
"""Characters of a file's name that are kept: file systems take 255 bytes, of which a character may need four."""

router = APIRouter(
    prefix=operator.prefix, tags=operator.tags, dependencies=operator.dependencies, responses=operator.responses
)


@router.post("/votes/preview", dependencies=[asks(OperatorRole.OPERATOR)], responses=refusals(Invalid))
async def preview(file: VoteFileRequest, request: Request) -> VoteFileView:
    """Say what a file would add to the vote log, with the board that it makes; nothing is written."""
    with _written(file) as path:
        return await preview_apart(path, request.is_disconnected, texts=file.texts)


@router.post("/votes", status_code=201, responses=refusals(Invalid, Conflict))
async def add(
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.VOTES_IMPORTED)],
    file: VoteFileRequest,
    runtime: RuntimeDep,
) -> VotesAddedView:
    """Add the good rows of a file to the vote log in one transaction; adding a file again adds nothing."""
    by.on(file.name)
    with _written(file) as path:
        votes, _ = await asyncio.to_thread(read_votes, path, texts=file.texts)
        added = await import_votes(by.database, votes, runtime.now(), file=await asyncio.to_thread(file_digest, path))
    return VotesAddedView(votes=added.votes, known=added.known, names=list(added.names))


@contextmanager
def _written(file: VoteFileRequest) -> Generator[Path]:
    """Keep the file under the end of its own name, by which its form is told, as long as the block lasts."""
    end = Path(well_formed(file.name).replace("\\", "/")).name[-_NAME:]
    name = end if end.strip(".") else "votes"
    try:
        body = base64.b64decode(file.content, validate=True)
    except (binascii.Error, ValueError):
        raise Invalid("content: not base64") from None
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(body)
        yield path
