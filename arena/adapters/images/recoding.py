"""Recoding of untrusted image files, each in its own child process, a few at a time."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.domain.errors import Busy, ImageRefused
from arena.domain.terms import JsonObject
from arena_providers.terms import Image

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncGenerator

log = logging.getLogger(__name__)

_SECONDS: Final = 20.0
"""Time limit for one file."""
_MAX_BYTES: Final = 4 * 2**20
"""Bytes of an answer above which reading stops; the decoder's own limits are lower."""
_PIECE: Final = 2**16
_RETRY_AFTER: Final = 5
_COMMAND: Final = (sys.executable, "-I", "-m", "arena.adapters.images.decoder_program")


@dataclass(slots=True)
class Recoder:
    """Capacity for files: `places` in memory, of which `at_once` are decoded while the others wait."""

    places: int = 8
    at_once: int = 2
    _used_places: int = 0
    _free: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._free = asyncio.Semaphore(self.at_once)

    @asynccontextmanager
    async def place(self) -> AsyncGenerator[None]:
        """Hold a place for a file while it is recoded.

        Raises:
            Busy: All places are in use.
        """
        if self._used_places >= self.places:
            raise Busy(retry_after=_RETRY_AFTER)
        self._used_places += 1
        try:
            yield
        finally:
            self._used_places -= 1

    async def recode(self, file: bytes) -> Image:
        """The new image of a file.

        Raises:
            ImageRefused: The file is refused; `rule` is the reason.
        """
        async with self._free:
            answer = await _run_decoder(file)
        head, _, data = answer.partition(b"\n")
        header = _parse_header(head)
        if "media_type" not in header:
            raise ImageRefused(rule=header.get("refused", "broken"))
        return Image(header["media_type"], data, header.get("perceptual_hash"))


def _parse_header(head: bytes) -> JsonObject:
    """The first line of an answer; empty if the decoder died."""
    with suppress(ValueError):
        return dict(json.loads(head))
    return {}


async def _run_decoder(file: bytes) -> bytes:
    """The answer of a new decoder process, without environment variables and open files; empty after the time limit."""
    pipe, none = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*_COMMAND, stdin=pipe, stdout=pipe, stderr=none, env={})
    try:
        async with asyncio.timeout(_SECONDS):
            return await _exchange(process, file)
    except TimeoutError:
        return b""
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        if await process.wait():
            log.info("an image decoder ended with %s", process.returncode)


async def _exchange(process: Process, file: bytes) -> bytes:
    assert process.stdin is not None  # noqa: S101 - asked for above
    assert process.stdout is not None  # noqa: S101
    with suppress(ConnectionError):
        process.stdin.write(file)
        await process.stdin.drain()
        process.stdin.close()
    answer = bytearray()
    while len(answer) < _MAX_BYTES and (piece := await process.stdout.read(_PIECE)):
        answer += piece
    return bytes(answer)
