"""Files of a folder that change together: new ones are staged inside it, and replace the old ones in one short step."""

from __future__ import annotations

import asyncio
import os
import shutil
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

from arena.domain.errors import Invalid

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

STAGE: Final = ".staged"
"""Folder of the files that are being made; it lies inside, since a folder beside may be on another disk."""
_READY: Final = ".ready"
"""Folder of complete files, which are being moved to their places."""


@asynccontextmanager
async def staged_files(folder: Path, index: str) -> AsyncGenerator[Path]:
    """A folder for new files of `folder`, which replace those of the same names when the block ends.

    The file `index` is removed before another one is replaced, and comes back last: as long as it is there, all files
    are of one making. If the block fails, the folder is unchanged. A replacement that was killed in the middle is
    finished by the next call, before its block.

    Raises:
        Invalid: A file or folder cannot be written or replaced, or another process is writing this folder.
    """
    lock = await asyncio.to_thread(_begin, folder, index)
    try:
        yield folder / STAGE
        await asyncio.to_thread(_replace, folder, index)
    finally:
        await asyncio.to_thread(shutil.rmtree, folder / STAGE, ignore_errors=True)
        _unlock(lock)


def is_own_name(name: str) -> bool:
    """Whether a path relative to such a folder is none of its files, but one of the folders or notes beside them."""
    return name.startswith(".")


def _begin(folder: Path, index: str) -> int | None:
    """Lock the folder, finish an earlier replacement and make an empty stage; returns the descriptor of the lock."""
    lock = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = _lock(folder)
        _move(folder, index)
        if (folder / STAGE).exists():
            shutil.rmtree(folder / STAGE)
        (folder / STAGE).mkdir()
    except OSError as error:
        _unlock(lock)
        raise _refusal(folder, error) from None
    return lock


def _lock(folder: Path) -> int | None:
    """The descriptor of a lock on the folder; None on systems and network disks that have none."""
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise Invalid(f"{folder} is being written by another process.") from None
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _unlock(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)


def _replace(folder: Path, index: str) -> None:
    """Replace the old files by the staged ones; what can fail is tried before the first is touched."""
    try:
        _make_room(folder)
        (folder / STAGE).replace(folder / _READY)
        _move(folder, index)
    except OSError as error:
        raise _refusal(folder, error) from None


def _make_room(folder: Path) -> None:
    """Make the folders of new files; if one cannot be made or a file cannot be replaced, none is left."""
    made: list[Path] = []
    try:
        for path in sorted((folder / STAGE).rglob("*")):
            place = folder / path.relative_to(folder / STAGE)
            if path.is_dir() and not place.is_dir():
                place.mkdir()
                made.append(place)
            elif path.is_file() and place.is_dir():
                raise IsADirectoryError(None, "a folder is in the place of a file", str(place))
    except OSError:
        for place in reversed(made):
            with suppress(OSError):
                place.rmdir()
        raise


def _move(folder: Path, index: str) -> None:
    """Move complete files to their places, the index last; does nothing if there are none."""
    ready = folder / _READY
    if (ready / index).exists():
        (folder / index).unlink(missing_ok=True)
        paths = [path for path in ready.rglob("*") if path.is_file()]
        for path in sorted(paths, key=lambda path: path == ready / index):
            path.replace(folder / path.relative_to(ready))
    if ready.exists():
        shutil.rmtree(ready)


def _refusal(folder: Path, error: OSError) -> Invalid:
    return Invalid(f"{error.filename or folder}: {error.strerror or error}.")
