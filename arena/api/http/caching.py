"""Conditional responses: published documents that caches keep and revalidate by ETag."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import Depends, Header, Response
from starlette.datastructures import Headers
from starlette.responses import FileResponse

from arena.domain.http_documents import Document

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request
    from starlette.types import Scope

REVALIDATE: Final = "public, max-age=0, must-revalidate"


@dataclass(frozen=True, slots=True)
class Conditions:
    """Request headers that choose the coding of a document, or 304 in place of it."""

    if_none_match: str | None
    accept_encoding: str

    def answer(self, document: Document, media_type: str = "application/json") -> Response:
        """Return the document in the best accepted coding, or 304 to a client that has it."""
        coding = document.coding(self.accept_encoding)
        headers = {"ETag": document.tag(coding), "Cache-Control": REVALIDATE, "Vary": "Accept-Encoding"}
        if document.is_unchanged(self.if_none_match, coding):
            return Response(status_code=304, headers=headers)
        if coding:
            headers["Content-Encoding"] = coding
        return Response(document.bodies[coding], media_type=media_type, headers=headers)


def conditions_of(request: Request) -> Conditions:
    """The conditions of a request, for routes outside FastAPI."""
    return Conditions(request.headers.get("if-none-match"), request.headers.get("accept-encoding", ""))


async def answer_file(scope: Scope, path: Path, media_type: str, caching: str) -> Response:
    """Return a file that everybody may read, or 304 to a client that has it.

    Raises:
        FileNotFoundError: It has gone meanwhile.
    """
    headers = {"Cache-Control": caching, "Access-Control-Allow-Origin": "*"}
    stat = await asyncio.to_thread(path.stat)
    answer = FileResponse(path, media_type=media_type, headers=headers, stat_result=stat)
    document = Document({}, answer.headers["etag"])
    if document.is_unchanged(Headers(scope=scope).get("if-none-match")):
        return Response(status_code=304, headers={**headers, "ETag": document.etag})
    return answer


async def _conditions(
    if_none_match: Annotated[str | None, Header()] = None, accept_encoding: Annotated[str, Header()] = ""
) -> Conditions:
    return Conditions(if_none_match, accept_encoding)


ConditionsDep = Annotated[Conditions, Depends(_conditions)]
