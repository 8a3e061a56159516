"""What the routes of battles and of chats have in common: whose word the terms are, and how a turn is followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Header, Response

from arena.api import sse
from arena.api.deps import OnStage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from arena.battles.feeds import Cursor
    from arena.wire import BattleEvent


async def _assumed(stage: OnStage, sec_fetch_site: Annotated[str | None, Header()] = None) -> int | None:
    """The version of the terms that is accepted by calling.

    A page says which terms its visitor has accepted; a program accepts them by calling, and browsers alone send
    `Sec-Fetch-Site`.
    """
    return stage.terms if sec_fetch_site is None else None


AssumedTerms = Annotated[int | None, Depends(_assumed)]


def following(events: AsyncIterator[tuple[Cursor, BattleEvent]] | None) -> Response:
    """Server-sent events of a turn; 204 tells an EventSource that nothing is left."""
    return Response(status_code=204) if events is None else sse.stream(_encoded(events))


async def _encoded(events: AsyncIterator[tuple[Cursor, BattleEvent]]) -> AsyncIterator[bytes]:
    async for cursor, event in events:
        yield sse.event(event, str(cursor))
