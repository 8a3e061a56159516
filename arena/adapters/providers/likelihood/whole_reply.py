"""One JSON request and its whole JSON reply."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from arena.adapters.providers.answer import parse, stripped
from arena.adapters.providers.errors import TimedOut
from arena.adapters.providers.presets import BEARER, key_header

if TYPE_CHECKING:
    from arena.adapters.providers.base import Target
    from arena.adapters.providers.transport.http_client import HttpClient

SECONDS: Final = 60.0


async def post_json(client: HttpClient, target: Target, url: str, body: dict[str, Any]) -> dict[str, Any]:
    """The object that the endpoint answers.

    Raises:
        ProviderError: It did not answer with one, or not within `SECONDS`.
    """
    content = bytearray()
    key, headers = stripped(target.key), key_header(target, BEARER)
    try:
        async with (
            asyncio.timeout(SECONDS),
            client.post(url, body, headers=headers, secret=key, private=target.private) as reply,
        ):
            while (piece := reply.take()) is not None:
                content += piece
                if not piece:
                    await reply.wait()
    except TimeoutError:
        raise TimedOut("total") from None
    return parse(content.decode("utf-8", "replace"))
