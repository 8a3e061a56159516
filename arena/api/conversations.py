"""Shared parts of the routes of battles and chats: acceptance of the terms, and the event stream of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from fastapi import Depends, Header, Response

from arena.api import event_stream
from arena.api.contract import Responses
from arena.api.dependencies import RuntimeDep

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from arena.usecases.battles.feed import Step


async def _assumed(
    runtime: RuntimeDep, sec_fetch_site: Annotated[str | None, Header(include_in_schema=False)] = None
) -> int | None:
    """The version of the terms that a request without `terms` accepts.

    A page sends the version that its visitor has accepted; a program accepts the current one by calling. Browsers are
    told from programs by `Sec-Fetch-Site`, which only browsers send.
    """
    return runtime.terms if sec_fetch_site is None else None


STREAM_RESPONSES: Final[Responses] = {204: {"description": "Nothing is left to follow"}}
"""The answer beside the events; an EventSource does not reconnect after it."""
AssumedTerms = Annotated[int | None, Depends(_assumed)]


def event_response(events: AsyncIterator[list[Step]] | None) -> Response:
    """Server-sent events of a turn; 204 tells an EventSource that nothing is left."""
    return Response(status_code=204) if events is None else event_stream.stream(_encoded(events))


async def _encoded(events: AsyncIterator[list[Step]]) -> AsyncGenerator[bytes]:
    async for steps in events:
        yield b"".join([event_stream.event(event, str(cursor)) for cursor, event in steps])
