"""Places of exports: few at once in a process and for a neighbourhood, since one takes seconds of processor time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.limits.rules import SOON, Lease
from arena.api.contract import JsonLinesResponse
from arena.domain.errors import Busy, RateLimited

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from starlette.types import Receive, Scope, Send

AT_ONCE: Final = 8
"""Exports of a process at once, those that wait for slow clients among them."""
AT_ONCE_HERE: Final = 2
"""Exports of one neighbourhood at once."""


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
            raise RateLimited(retry_after=SOON)
        if self._held.total() >= self.at_once:
            raise Busy(retry_after=SOON)
        self._held[network] += 1
        return Lease(lambda: self._give_back(network))

    def _give_back(self, network: str) -> None:
        self._held[network] -= 1
        self._held += Counter()  # Deletes the names of networks without an export.


class Export(JsonLinesResponse):
    """Sends JSON lines and then releases `place`, also if the client has gone."""

    def __init__(self, pages: AsyncIterator[bytes], place: Lease, headers: Mapping[str, str]) -> None:
        super().__init__(pages, headers=headers)
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._place.release()
