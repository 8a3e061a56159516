"""Places of requests: a neighbourhood that sends many at once waits for itself, not others for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from arena.adapters.limits.rules import Lease
from arena.api.http.clients import network
from arena.api.http.problems import problem
from arena.domain.errors import RETRY_SECONDS, RateLimited

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

AT_WORK: Final = 32
"""Requests of one neighbourhood that are worked on at a time. A request takes a few milliseconds of the event loop, on
which more at a time are no faster."""
OPEN: Final = 2_000
"""Requests of one neighbourhood that are open at a time, those that wait and open streams among them: as in the
proxy (deploy/nginx)."""
HOLD: Final = 1.0
"""Longest time in seconds for which a request holds its place: one that takes longer waits for something else, such as
a provider or a slow client, and not for the event loop."""


class RequestPlaces:
    """Works on few requests of one neighbourhood at a time, so that they do not delay those of others.

    Requests above `AT_WORK` wait in their order; those above `OPEN` are refused. A request gives its place back with
    the head of its response, so that open streams and slow readers hold none.
    """

    def __init__(self, app: ASGIApp, at_work: int = AT_WORK, most_open: int = OPEN) -> None:
        self.app = app
        self._at_work = at_work
        self._most_open = most_open
        self._neighbourhoods: WeakValueDictionary[str, _Neighbourhood] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not (client := scope.get("client")):
            await self.app(scope, receive, send)
            return
        name = network(client[0])
        neighbourhood = self._neighbourhoods.get(name) or _Neighbourhood(asyncio.Semaphore(self._at_work))
        self._neighbourhoods[name] = neighbourhood
        if neighbourhood.open >= self._most_open:
            await problem(RateLimited(retry_after=RETRY_SECONDS))(scope, receive, send)
            return
        neighbourhood.open += 1
        try:
            await self._answer(neighbourhood.places, scope, receive, send)
        finally:
            neighbourhood.open -= 1

    async def _answer(self, places: asyncio.Semaphore, scope: Scope, receive: Receive, send: Send) -> None:
        await places.acquire()
        place = Lease(places.release)
        timer = asyncio.get_running_loop().call_later(HOLD, place.release)

        async def respond(message: Message) -> None:
            place.release()
            await send(message)

        try:
            await self.app(scope, receive, respond)
        finally:
            timer.cancel()
            place.release()


@dataclass(slots=True, weakref_slot=True)
class _Neighbourhood:
    places: asyncio.Semaphore
    open: int = 0
