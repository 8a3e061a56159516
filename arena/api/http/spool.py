"""Uploads of operators, received into a temporary file at a minimum rate, and written by threads."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from starlette.requests import ClientDisconnect

from arena.api.http.upload_limits import GRACE, RATE
from arena.domain.errors import RETRY_SECONDS, Busy, Invalid, Malformed, StoreUnavailable, TooSlow
from arena.domain.file_names import file_name

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable
    from typing import BinaryIO

FILE_BYTES: Final = 256 * 2**20
"""Maximum size of a file in bytes."""
_PIECE: Final = 2**20
"""Bytes that a thread writes at once."""
MAX_FILES: Final = 4
"""Most files at once; with their sizes they bound the disk that uploads can fill."""
_places: Final = set[object]()


@dataclass(frozen=True, slots=True)
class Spool:
    """A received file: its path, its size in bytes, and its SHA-256 in hexadecimal."""

    path: Path
    size: int
    digest: str


@asynccontextmanager
async def spooled(pieces: AsyncIterable[bytes], name: str) -> AsyncGenerator[Spool]:
    """Store a body for the block, under its own name, which tells the format.

    Raises:
        Busy: As many files as may be are being received or read.
        TooSlow: It arrived at less than the minimum rate of uploads.
        Invalid: It is empty, or its name is no name of a file.
        Malformed: The connection was closed before its end.
        StoreUnavailable: It cannot be written to the disk.
    """
    end = file_name(name)
    if len(_places) >= MAX_FILES:
        raise Busy(retry_after=RETRY_SECONDS)
    place = object()
    _places.add(place)
    try:
        folder = await asyncio.to_thread(TemporaryDirectory)
        try:
            yield await _receive(pieces, Path(folder.name) / end)
        finally:
            await asyncio.to_thread(folder.cleanup)
    finally:
        _places.discard(place)


async def _receive(pieces: AsyncIterable[bytes], path: Path) -> Spool:
    now = asyncio.get_running_loop().time
    start, size, digest = now(), 0, sha256()
    try:
        async with asyncio.timeout(GRACE) as deadline:
            with path.open("wb") as file:
                async for piece in _join(pieces):
                    await asyncio.to_thread(_write, file, piece)
                    digest.update(piece)
                    size += len(piece)
                    deadline.reschedule(start + GRACE + size / RATE)
    except TimeoutError:
        raise TooSlow from None
    except ClientDisconnect:
        raise Malformed from None
    except OSError:
        raise StoreUnavailable from None
    if not size:
        raise Invalid(rule="file_empty")
    return Spool(path, size, digest.hexdigest())


async def _join(pieces: AsyncIterable[bytes]) -> AsyncGenerator[bytes]:
    buffer = bytearray()
    async for piece in pieces:
        buffer += piece
        if len(buffer) >= _PIECE:
            yield bytes(buffer)
            buffer.clear()
    if buffer:
        yield bytes(buffer)


def _write(file: BinaryIO, piece: bytes) -> None:
    file.write(piece)
