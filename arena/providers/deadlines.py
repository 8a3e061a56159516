"""How long an endpoint may take: until its first token, between two tokens, and in all."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.providers.errors import TimedOut

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from arena.providers.base import Chunk


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds; `connect` is kept by the HTTP client, the others by `within`."""

    connect: float = 5.0
    first_token: float = 30.0
    between_tokens: float = 20.0
    total: float = 180.0


async def within(stream: AsyncIterator[Chunk], limits: TimeLimits) -> AsyncGenerator[Chunk]:
    """Pass a provider's chunks on; whatever ends this, the provider's stream is closed.

    Raises:
        TimedOut: With the phase in which the endpoint was silent for too long.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + limits.total
    phase, patience = "first token", limits.first_token
    async with aclosing(stream):  # pyright: ignore[reportArgumentType, reportUnknownVariableType] - providers are generators
        while True:
            left = end - loop.time()
            try:
                async with asyncio.timeout(min(patience, left)):
                    chunk = await anext(stream)
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise TimedOut("total" if left <= patience else phase) from None
            yield chunk
            if chunk.text:
                phase, patience = "between tokens", limits.between_tokens
