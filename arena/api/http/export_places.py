"""Exports as JSON lines: few at once in a process and for a neighbourhood, and none for a reader who takes nothing."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.limits.rules import Lease
from arena.api.contract import JsonLinesResponse
from arena.domain.errors import RETRY_SECONDS, Busy, RateLimited

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from starlette.types import Message, Receive, Scope, Send

log = logging.getLogger(__name__)

AT_ONCE: Final = 8
"""Exports of a process at once, of all routes; one takes seconds of processor time."""
AT_ONCE_HERE: Final = 2
"""Exports of one neighbourhood at once."""

STALL_SECONDS: Final = 30.0
"""Longest time in which a reader takes a piece; after that the export ends, so that others have its place."""
_PIECE: Final = 2**16
"""Bytes of a piece: a reader of 2.2 KB a second is fast enough."""


class StalledReader(Exception):
    """The reader takes nothing any more."""


@dataclass(slots=True)
class ExportPlaces:
    """Counts the exports that are being sent by this process."""

    at_once: int = AT_ONCE
    at_once_here: int = AT_ONCE_HERE
    _held: Counter[str] = field(default_factory=Counter[str])

    def take(self, network: str) -> Lease:
        """Take a place for an export to a neighbourhood, until the lease is released.

        Raises:
            RateLimited: Its places are taken; carries the seconds to wait.
            Busy: The places of the process are taken; carries the seconds to wait.
        """
        if self._held[network] >= self.at_once_here:
            raise RateLimited(retry_after=RETRY_SECONDS)
        if self._held.total() >= self.at_once:
            raise Busy(retry_after=RETRY_SECONDS)
        self._held[network] += 1
        return Lease(lambda: self._give_back(network))

    def _give_back(self, network: str) -> None:
        self._held[network] -= 1
        self._held += Counter()  # Deletes the names of networks without an export.


class Export(JsonLinesResponse):
    """Sends JSON lines and then releases `place`, also if the client has gone or takes nothing for too long."""

    def __init__(self, pages: AsyncIterator[bytes], place: Lease, headers: Mapping[str, str]) -> None:
        super().__init__(_pieces(pages), headers=headers)
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines; an export that is cut lacks the end of its answer, and the server closes the connection."""

        async def send_in_time(message: Message) -> None:
            try:
                async with asyncio.timeout(STALL_SECONDS):
                    await send(message)
            except TimeoutError:
                raise StalledReader from None

        try:
            await super().__call__(scope, receive, send_in_time)
        except StalledReader:
            log.info("an export to a reader who took nothing for %.0f s was ended", STALL_SECONDS)
        finally:
            self._place.release()


@dataclass(frozen=True, slots=True)
class Exports:
    """The exports to one neighbourhood."""

    places: ExportPlaces
    network: str

    def of(self, pages: AsyncIterator[bytes], headers: Mapping[str, str]) -> Export:
        """An export of these pages.

        Raises:
            RateLimited, Busy: All places are taken.
        """
        return Export(pages, self.places.take(self.network), headers)


async def _pieces(pages: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for page in pages:
        for start in range(0, len(page), _PIECE):
            yield page[start : start + _PIECE]
