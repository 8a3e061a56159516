"""Reading of strangers' files in child processes with little memory and time, so that none of it is done here."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from arena.domain.errors import RETRY_SECONDS, Busy, Invalid

if TYPE_CHECKING:
    from asyncio import StreamReader
    from collections.abc import AsyncGenerator, Callable, Mapping
    from pathlib import Path

    from pydantic import TypeAdapter

log = logging.getLogger(__name__)
T = TypeVar("T")

MAX_CHILDREN: Final = 3
"""Most files that are read at once in this process; further ones are refused."""
MAX_UNPACKED: Final = 2 * 2**30
"""Most unpacked bytes of a file."""
MAX_OUTPUT: Final = 256 * 2**20
"""Most bytes of all that a child reports, since this process keeps it."""
PROGRAM: Final = "arena.adapters.row_files.reader_program"
_PIECE: Final = 2**16
_places: Final = set[object]()


@dataclass(frozen=True, slots=True)
class ConfinedReader:
    """A function by module and name, so that this process need not import it, and what its process may take.

    The function gets the path, a function for the progress in bytes, and options by name. It yields items, which JSON
    can express; every `Invalid` that it raises is raised here. Memory is in bytes, time in seconds of the processor.
    """

    module: str
    function: str
    memory: int = 768 * 2**20
    seconds: int = 120
    unpacked: int = MAX_UNPACKED


async def read_apart(
    reader: ConfinedReader,
    path: Path,
    options: Mapping[str, object],
    item: TypeAdapter[T],
    reach: Callable[[int], object] = id,
) -> list[T]:
    """The items that a reader finds in a file; `reach` gets the number of bytes read.

    The child ends with the call, also if that is cancelled.

    Raises:
        Invalid: The reader refuses the file, or takes more than it may.
        Busy: As many files as may be are being read.
    """
    if len(_places) >= MAX_CHILDREN:
        raise Busy(retry_after=RETRY_SECONDS)
    place = object()
    _places.add(place)
    try:
        return await _run(reader, path, options, item, reach)
    except Invalid as error:
        params: Any = error.params
        raise Invalid(str(error).replace(f"{path.parent}/", ""), **params) from None
    finally:
        _places.discard(place)


async def _run(
    reader: ConfinedReader,
    path: Path,
    options: Mapping[str, object],
    item: TypeAdapter[T],
    reach: Callable[[int], object],
) -> list[T]:
    limits = {"memory": reader.memory, "seconds": reader.seconds, "unpacked": reader.unpacked}
    request = {"module": reader.module, "function": reader.function, "path": str(path), "options": options, **limits}
    none = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", PROGRAM, json.dumps(request)), stdin=none, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout  # noqa: S101 - a pipe
    try:
        items = await _items(process.stdout, item, reach)
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if items is None:
        raise _death(reader, path, process.returncode)
    return items


async def _items(output: StreamReader, item: TypeAdapter[T], reach: Callable[[int], object]) -> list[T] | None:
    """The items on the child's lines; None if the last line is missing."""
    items = list[T]()
    async for line in _lines(output):
        kind, content = line[:1], line[1:]
        if kind == b"i":
            items.append(item.validate_json(content))
        elif kind == b"p":
            reach(int(content))
        elif kind == b"r":
            sentence, params = json.loads(content)
            raise Invalid(sentence, **params)
        elif kind == b"e":
            return items
    return None


async def _lines(output: StreamReader) -> AsyncGenerator[bytes]:
    """The lines of a child; other tasks run between two pieces, however fast it writes."""
    pending, size = list[bytes](), 0
    while piece := await output.read(_PIECE):
        size += len(piece)
        if size > MAX_OUTPUT:
            raise Invalid("The file has more than can be taken at once; split it.", rule="file_costly")
        *ends, rest = piece.split(b"\n")
        for end in ends:
            yield b"".join([*pending, end])
            pending.clear()
        pending.append(rest)
        await asyncio.sleep(0)


def _death(reader: ConfinedReader, path: Path, code: int | None) -> Invalid:
    """The error of a child that ended before its last line; its traceback, if there is one, is in the log."""
    log.warning("%s.%s ended with %s", reader.module, reader.function, code)
    if code in {-signal.SIGXCPU, -signal.SIGKILL}:
        sentence = f"{path}: reading it takes more than {reader.seconds} seconds of processor; split the file."
        return Invalid(sentence, rule="file_costly")
    return Invalid(f"{path}: it cannot be read.", rule="file_unread")
