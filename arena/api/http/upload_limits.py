"""Limits on uploads while they are received: few at once from one network, a minimum rate, and a bound on memory."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from starlette.requests import ClientDisconnect

from arena.domain.errors import RETRY_SECONDS, Busy, Malformed, RateLimited, TooSlow

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable

AT_ONCE: Final = 2
"""Uploads of one network at once, from the first byte of the body to the decoded image."""
WAIT: Final = 20.0
"""Seconds that an upload waits for earlier ones of its network."""
RATE: Final = 20_000
"""Minimum rate in bytes per second, after the first seconds."""
GRACE: Final = 10.0
"""Seconds in which the rate is not enforced."""
MEMORY: Final = 128 * 2**20
"""Bytes of all uploads that are being received; above it the oldest one is refused."""


@dataclass(slots=True)
class UploadLimits:
    """Receives the uploads of this process within limits per network and for all."""

    at_once: int = AT_ONCE
    wait: float = WAIT
    rate: float = RATE
    grace: float = GRACE
    memory: int = MEMORY
    _places: WeakValueDictionary[str, asyncio.Semaphore] = field(
        default_factory=WeakValueDictionary[str, asyncio.Semaphore]
    )
    _receiving: dict[asyncio.Timeout, bytearray] = field(default_factory=dict[asyncio.Timeout, bytearray])
    """Deadline and content of each upload, the oldest first."""

    @asynccontextmanager
    async def place(self, network: str) -> AsyncGenerator[None]:
        """Hold one of the places of a network for the block, once one is free.

        Raises:
            RateLimited: None has become free in time; carries the seconds to wait.
        """
        places = self._places.setdefault(network, asyncio.Semaphore(self.at_once))
        try:
            async with asyncio.timeout(self.wait if places.locked() else None):
                await places.acquire()
        except TimeoutError:
            raise RateLimited(retry_after=RETRY_SECONDS) from None
        try:
            yield
        finally:
            places.release()

    async def receive(self, pieces: AsyncIterable[bytes]) -> bytes:
        """Return the whole body.

        Raises:
            TooSlow: It arrived at less than the minimum rate.
            Malformed: The connection was closed before its end.
            Busy: Newer uploads needed the memory.
        """
        now = asyncio.get_running_loop().time
        start, body = now(), bytearray()
        deadline = asyncio.timeout(self.grace)
        self._receiving[deadline] = body
        try:
            async with deadline:
                async for piece in pieces:
                    if deadline not in self._receiving:
                        break
                    body += piece
                    deadline.reschedule(start + self.grace + len(body) / self.rate)
                    self._make_room()
        except TimeoutError:
            if deadline in self._receiving:
                raise TooSlow from None
        except ClientDisconnect:
            raise Malformed from None
        finally:
            is_evicted = self._receiving.pop(deadline, None) is None
        if is_evicted:
            raise Busy(retry_after=RETRY_SECONDS)
        return bytes(body)

    def _make_room(self) -> None:
        """End the oldest uploads until the others fit into memory; the oldest are the slow ones."""
        while sum(map(len, self._receiving.values())) > self.memory:
            oldest = next(iter(self._receiving))
            del self._receiving[oldest]
            if not oldest.expired():
                oldest.reschedule(0)
