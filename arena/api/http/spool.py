"""Files that operators send, received into a temporary file: off the event loop, within a limit, and not too slowly."""

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
from arena.domain.errors import Invalid, Malformed, StoreUnavailable, TooSlow
from arena.domain.text import well_formed

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable
    from typing import BinaryIO

FILE_BYTES: Final = 256 * 2**20
"""Most bytes of one file."""
_PIECE: Final = 2**20
"""Bytes that are gathered before a thread writes them."""
_NAME: Final = 60
"""Characters of a file's name that are kept: file systems take 255 bytes, of which a character may need four."""


@dataclass(frozen=True, slots=True)
class Spool:
    """A received file: where it lies, its size in bytes, and its SHA-256 in hexadecimal."""

    path: Path
    size: int
    digest: str


@asynccontextmanager
async def spooled(pieces: AsyncIterable[bytes], name: str) -> AsyncGenerator[Spool]:
    """Keep a file under the end of its own name, by which its form is told, as long as the block lasts.

    Raises:
        TooSlow: It arrived at less than the minimum rate of uploads.
        Invalid: There is none.
        Malformed: The connection was closed before its end.
        StoreUnavailable: The disk cannot take it.
    """
    end = Path(well_formed(name).replace("\\", "/")).name[-_NAME:]
    folder = await asyncio.to_thread(TemporaryDirectory)
    try:
        yield await _receive(pieces, Path(folder.name) / (end if end.strip(".") else "file"))
    finally:
        await asyncio.to_thread(folder.cleanup)


async def _receive(pieces: AsyncIterable[bytes], path: Path) -> Spool:
    now = asyncio.get_running_loop().time
    start, size, digest = now(), 0, sha256()
    try:
        async with asyncio.timeout(GRACE) as deadline:
            with path.open("wb") as file:
                async for piece in _gathered(pieces):
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
        raise Invalid(field="file", rule="missing")
    return Spool(path, size, digest.hexdigest())


async def _gathered(pieces: AsyncIterable[bytes]) -> AsyncGenerator[bytes]:
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
