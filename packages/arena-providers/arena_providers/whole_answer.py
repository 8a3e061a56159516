"""Answers without streaming: one JSON object as the whole response, with which a probe compares the stream."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from arena_providers.answer import parse
from arena_providers.errors import BadReply, TimedOut
from arena_providers.marks.visible_text import VisibleText
from arena_providers.reasoning import Thoughts
from arena_providers.refusals import error_in_stream, error_object
from arena_providers.terms import Finish
from arena_providers.transport.http_client import DOCUMENT_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena_providers.answer import JsonObject
    from arena_providers.answer_stream import AnswerRequest
    from arena_providers.transport.http_client import HttpClient

SECONDS: Final = 60.0
"""Time limit of one request."""


async def whole_text(client: HttpClient, request: AnswerRequest, read: Callable[[JsonObject], str]) -> str:
    """The text that `read` finds in the response, without reasoning between tags.

    Raises:
        ProviderError: The endpoint failed, or the response is not a JSON object or an error.
    """
    reply = await whole_reply(client, request)
    if error := error_object(reply):
        raise error_in_stream(error, request.key)
    visible = VisibleText(Thoughts())
    return visible.take(read(reply)) + visible.rest(Finish.STOP)


async def whole_reply(client: HttpClient, request: AnswerRequest) -> JsonObject:
    """The JSON object of a complete response.

    Raises:
        ProviderError: The response is not a JSON object, or not complete within `SECONDS`.
    """
    content = bytearray()
    post = client.post(request.url, request.body, headers=request.headers, secret=request.key, private=request.private)
    try:
        async with asyncio.timeout(SECONDS), post as response:
            while (piece := response.take()) is not None:
                content += piece
                if len(content) > DOCUMENT_LIMIT:
                    raise BadReply(f"the answer is longer than {DOCUMENT_LIMIT} bytes", fault="too_large")
                if not piece:
                    await response.wait()
    except TimeoutError:
        raise TimedOut("total") from None
    return parse(content.decode("utf-8", "replace"))
