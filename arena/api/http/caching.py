"""Conditional responses: published documents that caches keep and revalidate by ETag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Header, Response

from arena.domain.http_documents import Document

REVALIDATE: Final = "public, max-age=0, must-revalidate"


@dataclass(frozen=True, slots=True)
class Conditions:
    """Request headers that choose the coding of a document, or 304 in place of it."""

    if_none_match: str | None
    accept_encoding: str

    def answer(self, document: Document, media_type: str = "application/json") -> Response:
        """Return the document in the best accepted coding, or 304 to a client that has it."""
        headers = {"ETag": document.etag, "Cache-Control": REVALIDATE, "Vary": "Accept-Encoding"}
        if document.is_unchanged(self.if_none_match):
            return Response(status_code=304, headers=headers)
        if coding := document.coding(self.accept_encoding):
            headers["Content-Encoding"] = coding
        return Response(document.bodies[coding], media_type=media_type, headers=headers)


async def _conditions(
    if_none_match: Annotated[str | None, Header()] = None, accept_encoding: Annotated[str, Header()] = ""
) -> Conditions:
    return Conditions(if_none_match, accept_encoding)


ConditionsDep = Annotated[Conditions, Depends(_conditions)]
