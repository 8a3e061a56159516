"""The stream of one answer from the request to the last chunk, which all dialects share.

A dialect provides the request (`AnswerRequest`), a subclass of `AnswerState` that reads one event, and a parser.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena_providers.answer import part, strip_key
from arena_providers.answer_reader import AnswerReader
from arena_providers.base import Chunk
from arena_providers.errors import BadReply, ProviderError, RequestRefused
from arena_providers.presets import key_header
from arena_providers.refusals import error_in_stream, error_object, quotation
from arena_providers.transport.sse import EventParser

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from arena_providers.answer import AnswerState
    from arena_providers.answer_reader import Parser
    from arena_providers.base import Target
    from arena_providers.presets import KeyHeader
    from arena_providers.transport.http_client import HttpClient, OpenResponse

LIFE_SECONDS: Final = 1.0
"""Seconds between empty chunks that report that a model is still reasoning."""
TAIL_SECONDS: Final = 2.0
"""Seconds to wait for usage and end marker after the finish reason."""
DOUBT_SECONDS: Final = 10.0
"""Seconds without data to wait for more text after a finish reason that may not be the end."""
_VALUES: Final = (b"{", b"[", b'"')
"""The first bytes of JSON values, with which no line of an event stream begins."""
_LINES: Final = ("ndjson", "jsonl")
"""Ends of the media types of lines of JSON."""


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """One outgoing request; `key` is redacted from all responses, `private` and `unopened` are as in `Target`.

    `optional` names fields of the body without which the request is sent again if the server refuses them by name.
    """

    url: str
    body: Mapping[str, object]
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    key: str | None = field(default=None, repr=False)
    private: bool = False
    unopened: bool = False
    optional: frozenset[str] = frozenset()

    @classmethod
    def to(cls, target: Target, path: str, body: Mapping[str, object], auth: KeyHeader, **headers: str) -> Self:
        """The request to a path below the target's URL, with its key in the header of its vendor or else in `auth`."""
        url = target.url.rstrip("/") + path
        return cls(
            url, body, key_header(target, auth) | headers, strip_key(target.key), target.private, target.unopened
        )


class AnswerStream:
    """The chunks of one answer; the request is sent at the first `anext`.

    Each chunk has all text since the previous one; while a model reasons, empty chunks show that it is alive. The last
    chunk has the finish, and the usage if reported. After the first chunk a reader may `poll` instead of waiting.
    """

    def __init__(
        self,
        client: HttpClient,
        request: AnswerRequest,
        answer: AnswerState,
        *,
        parser: Parser | None = None,
        whole: bool = False,
    ) -> None:
        """`answer` is a new state of the dialect; the default `parser` reads server-sent events.

        `whole` accepts the media type `application/json` for a stream.
        """
        self._client = client
        self._request = request
        self._answer = answer
        self._answer.visible.heed(request.body, unopened=request.unopened)
        self._retractions = 0
        self._reader = AnswerReader(answer, parser or EventParser())
        self._whole = whole
        self._stack = AsyncExitStack()
        self._response: OpenResponse | None = None
        self._clock = asyncio.get_running_loop().time
        self._failure: ProviderError | None = None
        self._tail_ends = float("inf")
        self._life, self._thoughts = self._clock() + LIFE_SECONDS, 0
        self._ended = self._clean = False
        self.over = False
        """Whether the last chunk has been given."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Chunk:
        """The next chunk, as soon as something has arrived.

        Raises:
            ProviderError: See `errors`; all text before the failure has been given.
        """
        if self.over:
            raise StopAsyncIteration
        response = self._response = self._response or await self._open()
        while (chunk := self.poll()) is None:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._tail_ends if self._answer.closed else None):
                    await response.wait()
        return chunk

    def poll(self) -> Chunk | None:
        """The next chunk without a wait, or None if nothing has arrived; raises as `__anext__`."""
        text, retractions = self._text(), self._answer.visible.retractions
        if text or retractions != self._retractions:
            is_retracted, self._retractions = retractions != self._retractions, retractions
            return Chunk(text, retracts=is_retracted)
        if self._thinks():
            return Chunk()
        if self._failure is not None:
            raise self._failure
        if not self._ended or self.over:
            return None
        self.over = True
        return self._answer.end(clean=self._clean)

    async def aclose(self) -> None:
        """Close the connection, or keep it for the next request if the response was read to its end."""
        self.over = True
        await self._stack.aclose()

    async def _open(self) -> OpenResponse:
        try:
            response = await self._send(self._request.body)
        except RequestRefused as error:
            refused = {name for name in self._request.optional if name in str(error)}
            if not refused:
                raise
            body = {name: value for name, value in self._request.body.items() if name not in refused}
            response = await self._send(body)
        await _check_media_type(response, self._request.key, whole=self._whole)
        return response

    async def _send(self, body: Mapping[str, object]) -> OpenResponse:
        request = self._request
        post = self._client.post(
            request.url, body, headers=request.headers, secret=request.key, private=request.private
        )
        try:
            return await self._stack.enter_async_context(post)
        except ProviderError as error:
            raise self._answer.explain(error) from None

    def _text(self) -> str:
        """The text of the bytes that have arrived; records a failure and the end."""
        if self._response is None or self._ended or self._failure is not None:
            return ""
        texts: list[str] = []
        data: bytes | None = b""
        try:
            data = self._response.take()
            if data != b"":
                self._reader.read(data, texts)
            self._ended, self._clean = data is None, data is None and self._response.framed
        except ProviderError as error:
            if data == b"":
                # The connection broke: the last event may lack nothing but its line end.
                with suppress(ProviderError):
                    self._reader.read(None, texts)
            # Failures after the end are ignored, as the answer is complete.
            self._failure, self._ended = (None, True) if self._answer.settled else (error, False)
        else:
            if self._answer.closed:
                self._note_closing(idle=data == b"")
        return "".join(texts)

    def _thinks(self) -> bool:
        """Whether an empty chunk is due: what is never shown has arrived since the last one, `LIFE_SECONDS` ago.

        Besides reasoning these are large events, which take seconds at one read for each frame.
        """
        pieces = self._answer.thoughts.pieces + self._answer.visible.hidden + self._reader.unshown
        if pieces == self._thoughts or self._clock() < self._life:
            return False
        self._life, self._thoughts = self._clock() + LIFE_SECONDS, pieces
        return True

    def _note_closing(self, *, idle: bool) -> None:
        """Limit the wait for what may follow a reason; `idle` says that nothing has arrived now."""
        now = self._clock()
        if not self._answer.doubtful:
            self._tail_ends = min(self._tail_ends, now + TAIL_SECONDS)
        elif not idle:
            self._tail_ends = now + DOUBT_SECONDS
        self._ended = self._ended or self._answer.marked or now >= self._tail_ends


async def _check_media_type(response: OpenResponse, key: str | None, *, whole: bool) -> None:
    """Reject web pages and single JSON values, whatever their media type says, which is often wrong."""
    if response.media_type == "text/html":
        raise BadReply("the answer is a web page; is the base address right?", fault="web_page")
    first = b"" if whole else await response.first_byte()
    if first in _VALUES or (not whole and not first and response.media_type == "application/json"):
        text = await response.excerpt()
        with suppress(ValueError, RecursionError):
            if error := error_object(part(json.loads(text))):
                raise error_in_stream(error, key)
        # Lines of JSON are a stream, but of another dialect.
        fault = None if response.media_type.endswith(_LINES) else "no_stream"
        raise BadReply(f"the answer is not a stream: {text}", fault=fault, words=quotation(text))
