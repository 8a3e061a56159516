"""A local Chat Completions server for hundreds of concurrent readers; each token has a timestamp of its sending.

Its arguments are the tokens per second and, for Markdown in place of the timestamps, `markdown`; it reports its port.
An input line ends all running answers. It uses asyncio protocols directly, since it shares the machine with the server
under load.
"""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import cycle
from typing import TYPE_CHECKING, Final, cast

import uvloop

from benchmarks.load.timestamps import TOKEN, stamp

if TYPE_CHECKING:
    from collections.abc import Callable

SLOTS: Final = 32
"""Number of groups of readers, served in turn to spread tokens evenly over time."""
_HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def _event(delta: dict[str, str], finish: str | None) -> bytes:
    """Encode an event as long as vendors' events for one token."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    chunk = {
        "id": "chatcmpl-BkTq0ZbHk3m1cXW9vF7yLr2Jd5sNe",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": "bench",
        "service_tier": "default",
        "system_fingerprint": "fp_0123456789",
        "choices": [choice],
        "usage": None,
    }
    return b"data: " + json.dumps(chunk, separators=(",", ":")).encode() + b"\n\n"


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


_BEFORE, _AFTER = _chunk(_event({"content": "#" * (TOKEN - 1) + " "}, None)).split(b"#" * (TOKEN - 1))
PARAGRAPH: Final = (
    "Here is **bold** and `code` with *stress*, and words that go on as in any answer.\n\n- one\n- two\n\n"
)
"""Plain Markdown, which an answer of it repeats."""
_END: Final = _chunk(_event({}, "stop")) + _chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n"


def _stamped() -> bytes:
    return _BEFORE + stamp().encode() + _AFTER


def _markdown() -> Callable[[], bytes]:
    """The chunks of an answer without end, one for each call."""
    pieces = [PARAGRAPH[start : start + TOKEN] for start in range(0, len(PARAGRAPH), TOKEN)]
    return cycle([_chunk(_event({"content": piece}, None)) for piece in pieces]).__next__


class Speaker:
    """Sends `rate` tokens per second to each reader, slot after slot; `tokens` has a source of them for each slot."""

    def __init__(self, rate: float, tokens: list[Callable[[], bytes]]) -> None:
        self._pause = 1 / rate / SLOTS
        self._tokens = tokens
        self._slots: list[set[asyncio.Transport]] = [set() for _ in range(SLOTS)]
        self._next = 0

    def welcome(self, reader: asyncio.Transport) -> None:
        """Start an answer."""
        self._next = (self._next + 1) % SLOTS
        reader.write(_HEAD)
        self._slots[self._next].add(reader)

    def end(self) -> None:
        """End all running answers."""
        for slot in self._slots:
            for reader in slot:
                if not reader.is_closing():
                    reader.write(_END)
            slot.clear()

    async def speak(self) -> None:
        """Send tokens until cancelled; overdue ones are sent at once."""
        clock = asyncio.get_running_loop().time
        next_time = clock()
        while True:
            for slot, token in zip(self._slots, self._tokens, strict=True):
                next_time += self._pause
                if (wait := next_time - clock()) > 0:
                    await asyncio.sleep(wait)
                self._say(slot, token)

    @staticmethod
    def _say(slot: set[asyncio.Transport], token: Callable[[], bytes]) -> None:
        chunk = token()
        for reader in list(slot):
            if reader.is_closing():
                slot.discard(reader)
            else:
                reader.write(chunk)


class Reader(asyncio.Protocol):
    """A keep-alive connection."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, blank, body = self._buffer.partition(b"\r\n\r\n")
        if blank and len(body) >= int(head.lower().partition(b"content-length:")[2].split()[0]):
            self._buffer = b""
            self._speaker.welcome(self._transport)


async def main(rate: float, content: str = "") -> None:
    """Serve until end of input."""
    speaker = Speaker(rate, [_markdown() if content == "markdown" else _stamped for _ in range(SLOTS)])
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Reader(speaker), "127.0.0.1", 0, backlog=2048)
    task = asyncio.create_task(speaker.speak())
    print(server.sockets[0].getsockname()[1], flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        speaker.end()
    task.cancel()


if __name__ == "__main__":
    uvloop.run(main(float(sys.argv[1]), *sys.argv[2:]))
