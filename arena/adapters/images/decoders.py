"""The arena's side of the process that forks a decoder for each image."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import weakref
from contextlib import suppress
from typing import Final

from arena.adapters.images.fork_server import NUMBER_BYTES, STARTED

_COMMAND: Final = (sys.executable, "-I", "-m", "arena.adapters.images.decoder_program")
_SECONDS: Final = 20.0
"""Time limit for one file."""
_MAX_BYTES: Final = 4 * 2**20
"""Bytes of an answer above which reading stops; the decoder's own limits are lower."""
_PIECE: Final = 2**16
_ending: Final = list[subprocess.Popen[bytes]]()
"""Processes that have been told to end and may not have done so."""


class Decoders:
    """A process without environment variables and open files that forks a decoder for each file.

    The start of a program holds all threads of this process until the program runs; a message to a running one does
    not. The process ends when nobody uses this object any more, and when this process ends in whatever way.
    """

    def __init__(self) -> None:
        """Start the process."""
        _ending[:] = [process for process in _ending if process.poll() is None]
        self.files = 0
        self._control, far = socket.socketpair()
        self._control.setblocking(False)
        none = subprocess.DEVNULL
        with far:
            process = subprocess.Popen(_COMMAND, stdin=far.fileno(), stdout=none, stderr=none, env={})  # noqa: S603 - own words
        weakref.finalize(self, _end, self._control, process)

    async def answer(self, file: bytes) -> bytes | None:
        """The answer of a new decoder, empty if it died or took too long; None if there was nothing to fork it.

        The decoder ends with the call, also if that is cancelled.
        """
        self.files += 1
        number = self.files.to_bytes(NUMBER_BYTES)
        near, far = socket.socketpair()
        try:
            with far:
                socket.send_fds(self._control, [number], [far.fileno()])
            async with asyncio.timeout(_SECONDS):
                answer = await _exchange(near, file)
        except TimeoutError:
            return b""
        except OSError:
            return None
        finally:
            near.close()
            with suppress(OSError):
                self._control.send(number)
        return answer[len(STARTED) :] if answer else None


def _end(control: socket.socket, process: subprocess.Popen[bytes]) -> None:
    control.close()
    _ending.append(process)


async def _exchange(near: socket.socket, file: bytes) -> bytes:
    reader, writer = await asyncio.open_unix_connection(sock=near)
    answer = bytearray()
    try:
        with suppress(ConnectionError):
            writer.write(file)
            await writer.drain()
            writer.write_eof()
        with suppress(ConnectionError):
            while len(answer) < _MAX_BYTES and (piece := await reader.read(_PIECE)):
                answer += piece
    finally:
        writer.transport.abort()
    return bytes(answer)
