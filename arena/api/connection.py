"""One connection, which has only so long and so much for each request before it costs a task.

Uvicorn waits for the rest of a request as long as its client likes, and keeps every header that comes. Behind a proxy
that waits for whole requests nothing of this is ever seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from arena.api.problems import problem
from arena.errors import HeadersTooLarge, TooSlow

if TYPE_CHECKING:
    from asyncio import TimerHandle, Transport

    from arena.errors import ArenaError

PATIENCE: Final = 10.0
"""Seconds from the first byte of a request, or from the connection, to its last byte."""
MOMENT: Final = 0.1
HEAD_LIMIT: Final = 16_384
"""Bytes of a head that has no end yet."""
LINGER: Final = 1.0
"""Seconds in which a refused client may still read why."""


class Connection(HttpToolsProtocol):
    """Answers 408 to a request that takes too long to arrive, and 431 to a head that does not end."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*args, **options)
        self._timer: TimerHandle | None = None
        self._head: int | None = None
        """Bytes of the head that is being read; None between two requests and in a body."""
        self._refused = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        before, in_body = self._head or 0, self._head is None and self._timer is not None and self._asked is not None
        super().data_received(data)
        if self._head is not None and not in_body:
            self._head = before + len(data)
            if self._head > HEAD_LIMIT:
                self._refuse(HeadersTooLarge())

    def on_message_begin(self) -> None:
        self._head = 0
        self._start()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop()
        super().on_message_complete()

    @property
    def _asked(self) -> RequestResponseCycle | None:
        """The last request, once its head was complete; uvicorn's own type conceals that there may be none yet."""
        return self.cycle

    def _start(self) -> None:
        self._stop()
        self._timer = self.loop.call_later(PATIENCE, self._look_again)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look_again(self) -> None:
        """Let a loop that stood still itself first read what has long been there: it runs its timers before."""
        self._timer = self.loop.call_later(MOMENT, self._late)

    def _late(self) -> None:
        """Refuse what has begun and can be answered; hang up on what has not begun, or has its answer already."""
        asked = self._asked
        answering = asked is not None and asked.response_started and not asked.response_complete
        if self.pipeline:
            # It is not read on before the answer to the request before it has ended.
            self._start()
        elif answering or (self._head is None and (asked is None or asked.response_started)):
            self.transport.close()
        else:
            self._refuse(TooSlow())

    def _refuse(self, error: ArenaError) -> None:
        """Say why, let go of whoever waits for the rest, and read nothing more."""
        self._refused = True
        self._stop()
        answer = problem(error)
        headers = [*answer.raw_headers, (b"connection", b"close")]
        lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
        self.transport.write(STATUS_LINE[error.status] + lines + b"\r\n" + bytes(answer.body))
        if (asked := self._asked) is not None and not asked.response_complete:
            asked.disconnected = True
            asked.message_event.set()
        self.loop.call_later(LINGER, self.transport.close)
