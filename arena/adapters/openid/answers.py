"""An answer of a provider that everybody who signs in shares, such as its metadata."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from arena.domain.errors import ProviderAway

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")
LIFETIME: Final = 3_600
"""Seconds for which an answer is kept."""
FAILED_SECONDS: Final = 5
"""Seconds for which a failure is kept, so that a flood of sign-ins is one request in that time."""


class SharedAnswer(Generic[T]):
    """An answer that is asked for once at a time, by whoever needs it first, and kept; a failure is kept too."""

    def __init__(
        self,
        ask: Callable[[], Awaitable[T]],
        clock: Callable[[], float],
        lifetime: Callable[[T], float] = lambda _: LIFETIME,
    ) -> None:
        """`lifetime` gives the seconds for which an answer is kept."""
        self._ask = ask
        self._clock = clock
        self._lifetime = lifetime
        self._request: asyncio.Task[T | None] | None = None
        self._asked_at = 0.0

    @property
    def current(self) -> T | None:
        """The answer, if there is one by now."""
        request = self._request
        is_there = request is not None and request.done() and not request.cancelled() and not request.exception()
        return request.result() if request and is_there else None

    async def get(self) -> T:
        """The answer.

        Raises:
            ProviderAway: The provider gave none.
        """
        if self._request is None or self._is_old(self._request):
            self.renew()
        # Whoever leaves does not end the request of the others.
        answer = await asyncio.shield(self._request) if self._request else None
        if answer is None:
            raise ProviderAway(retry_after=FAILED_SECONDS)
        return answer

    def renew(self) -> None:
        """Ask anew, unless a request is under way."""
        if self._request is None or self._request.done():
            self._asked_at = self._clock()
            self._request = asyncio.create_task(self._answer())

    def close(self) -> None:
        """End a request under way."""
        if self._request:
            self._request.cancel()

    async def _answer(self) -> T | None:
        try:
            return await self._ask()
        except ProviderAway:
            return None

    def _is_old(self, request: asyncio.Task[T | None]) -> bool:
        if not request.done():
            return False
        answer = self.current
        return self._clock() - self._asked_at > (FAILED_SECONDS if answer is None else self._lifetime(answer))
