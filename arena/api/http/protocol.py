"""uvicorn protocol with time and header limits per request.

Uvicorn itself waits for a request without limit and keeps any number of headers. Behind a proxy that buffers whole
requests these limits are not reached.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from arena.domain.errors import HeadersTooLarge, Malformed, TooSlow

if TYPE_CHECKING:
    from asyncio import TimerHandle, Transport

    from uvicorn._types import ASGISendEvent

    from arena.domain.errors import ArenaError

UPLOADS: Final = "/api/v1/images"
VOTE_FILES: Final = frozenset({"/api/v1/operator/votes", "/api/v1/operator/votes/preview"})
FILES: Final = frozenset(path.encode() for path in (UPLOADS, *VOTE_FILES))
"""Paths whose bodies are files and not JSON; the routes limit the time of these."""
OPERATED_FILES: Final = {
    "/api/v1/operator/site": 2**20,
    "/api/v1/operator/part": 2**20,
    "/api/v1/operator/evaluations": 2**22,
}
"""Maximum body size in bytes by prefix of the operators' paths that take whole pages or sets of questions."""
PATIENCE: Final = 10.0
"""Seconds from the first byte of a request, or from the connection, to its last byte."""
MOMENT: Final = 0.1
"""Seconds in which a blocked event loop may still read a request that has arrived in time."""
HEAD_LIMIT: Final = 16_384
"""Maximum size of a request's head in bytes."""
LINGER: Final = 1.0
"""Seconds in which a refused client may still read the response."""


class UnchunkedCycle(RequestResponseCycle):
    """Response to an HTTP/1.0 request, which knows no chunks: a body of unknown length ends with the connection."""

    has_unknown_length: bool = False

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message of the response, its body as it is."""
        if message["type"] == "http.response.start":
            self.has_unknown_length = not any(
                name.lower() == b"content-length" for name, _ in message.get("headers", ())
            )
            self.chunked_encoding = False if self.has_unknown_length else None
        elif message["type"] == "http.response.body" and self.has_unknown_length:
            self.expected_content_length = len(message.get("body", b""))
        await super().send(message)


class LimitedProtocol(HttpToolsProtocol):
    """Answers 408 to a request that arrives too slowly, 431 to an oversized head, and 400 to invalid HTTP."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._timer: TimerHandle | None = None
        self._head: int | None = None
        """Bytes of the head that is being read; None between two requests and in a body."""
        self._refused = False
        self._receives_upload = False
        """Whether the body being read is a file, whose time its route limits."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        before, in_body = self._head or 0, self._head is None and self._timer is not None and self._running is not None
        super().data_received(data)
        if self._head is not None and not in_body:
            self._head = before + len(data)
            if self._head > HEAD_LIMIT:
                self._refuse(HeadersTooLarge())

    def eof_received(self) -> bool:  # type: ignore[override]
        """Answer 400 to a client that stops sending within a request; after whole requests the connection ends."""
        cycle = self._running
        in_body = cycle is not None and cycle.more_body and not cycle.response_started
        if not self._refused and (self._head or in_body):
            self._refuse(Malformed())
        return self._refused

    def on_message_begin(self) -> None:
        self._head = 0
        self._start()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head = None
        if sum(name == b"host" for name, _ in self.headers) > 1:
            # A proxy in front may have used the other one. The parser fails with this error, which gives a 400.
            raise ValueError("two Host headers")
        self._receives_upload = self.url.partition(b"?")[0] in FILES
        if self._receives_upload:
            self._stop()
        super().on_headers_complete()
        if self._running is not None and self._running.scope["http_version"] == "1.0":
            # uvicorn has no setting for the class of its cycles; this one has not begun to respond.
            self._running.__class__ = UnchunkedCycle

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's words
        self._refuse(Malformed())

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing: a request for a WebSocket is answered like any other, and anybody may send many."""

    def on_message_complete(self) -> None:
        self._receives_upload = False
        self._stop()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Limit the time of the rest of an upload that was answered early like that of any request."""
        super().on_response_complete()
        if self._receives_upload:
            self._start()

    @property
    def _running(self) -> RequestResponseCycle | None:
        """The last request with a complete head; uvicorn's own type hides that there may be none yet."""
        return self.cycle

    def _start(self, patience: float | None = None) -> None:
        self._stop()
        self._timer = self.loop.call_later(PATIENCE if patience is None else patience, self._recheck)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _recheck(self) -> None:
        """Check after one more read: a loop that was blocked runs its timers before it reads data that has arrived."""
        self._timer = self.loop.call_later(MOMENT, self._time_out)

    def _time_out(self) -> None:
        """Refuse a request that has started and can be answered; otherwise close the connection."""
        cycle = self._running
        is_answering = cycle is not None and cycle.response_started and not cycle.response_complete
        if self.pipeline:
            # A pipelined request is read once the response before it has ended.
            self._start()
        elif is_answering or (self._head is None and (cycle is None or cycle.response_started)):
            self.transport.close()
        else:
            self._refuse(TooSlow())

    def _refuse(self, error: ArenaError) -> None:
        """Send the error, end the application's wait for the rest of the body, and stop reading."""
        # FastAPI takes half a second to import, and pages are served before it is.
        from arena.api.http.problems import problem

        self._refused = True
        self._stop()
        answer = problem(error)
        headers = [*answer.raw_headers, (b"connection", b"close")]
        lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
        self.transport.write(STATUS_LINE[error.status] + lines + b"\r\n" + bytes(answer.body))
        if (cycle := self._running) is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        self.loop.call_later(LINGER, self.transport.close)
