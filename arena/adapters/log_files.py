"""The published files of the transparency log in a folder: tiles and bundles that never change, and the checkpoint."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena_trust.tlog.hashing import Unsound
from arena_trust.tlog.rotations import SUFFIX

try:
    import fcntl
except ImportError:  # no such locks on Windows
    fcntl = None

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from typing import BinaryIO

    from arena_trust.tlog.tiles import Tile

CHECKPOINT: Final = "checkpoint"
KEY: Final = "key"
EARLIER: Final = "earlier"
"""Folder of the logs that were set aside."""
_OWN: Final = (KEY, CHECKPOINT + SUFFIX, "tile", CHECKPOINT)
"""Entries of one log. The checkpoint is the last: while it is there, a log set aside in part can be set aside again."""
_RETRY: Final = 0.05
"""Seconds between two tries to lock the folder."""


@dataclass(frozen=True, slots=True)
class LogFiles:
    """The files of one log; `folder` is served as it is.

    Other users of the machine can read them only if they are `public`, as those for another web server have to be.
    """

    folder: Path
    public: bool = False

    def read(self, tile: Tile) -> bytes:
        """The bytes of a tile.

        Raises:
            Unsound: It is not there.
        """
        try:
            return (self.folder / tile.path).read_bytes()
        except OSError:
            raise Unsound(f"{tile.path} is missing.") from None

    def write(self, tile: Tile, data: bytes) -> None:
        """Write a tile, flushed to disk before it has its name; a tile that is there already must be the same.

        Raises:
            Unsound: Another tile of this name has been published.
        """
        path = self.folder / tile.path
        with suppress(FileNotFoundError):
            if path.read_bytes() == data:
                return
            raise Unsound(f"{tile.path} was published with other contents.")
        self._put(path, data)

    def checkpoint(self) -> str | None:
        """The published checkpoint."""
        try:
            return (self.folder / CHECKPOINT).read_text("utf-8")
        except FileNotFoundError:
            return None

    def publish(self, note: str, key: str = "", proofs: Sequence[str] = ()) -> None:
        """Replace the published checkpoint, and if `key` is new, that and the `proofs` of all changes of it.

        Whoever reads the key first, then the checkpoint, then the proofs, is led from the one to the other.
        """
        if key:
            self.put(CHECKPOINT + SUFFIX, json.dumps(proofs))
        self.put(CHECKPOINT, note)
        if key:
            self.put(KEY, f"{key}\n")

    def key(self) -> str:
        """The published verifier key, empty without one."""
        try:
            return (self.folder / KEY).read_text("utf-8").strip()
        except FileNotFoundError:
            return ""

    def put(self, path: str, text: str) -> None:
        """Write a text that may change, at a path below the log."""
        self._put(self.folder / path, text.encode())

    @asynccontextmanager
    async def locked(self) -> AsyncGenerator[None]:
        """Keep all other writers of this folder waiting: a tile of one log must not be left in the next one."""
        self._make(self.folder)
        with self._opened(self.folder / ".lock") as file:
            while fcntl is not None:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    await asyncio.sleep(_RETRY)
            yield

    def set_aside(self) -> Path | None:
        """Move the files out of the way of a new log; returns where they are now.

        They stay in the folder, which may be a volume that cannot be renamed.
        """
        results = [path for name in _OWN if (path := self.folder / name).exists()]
        if not results:
            return None
        number = 1
        while (place := self.folder / EARLIER / str(number)).exists():
            number += 1
        self._make(place)
        for path in results:
            path.rename(place / path.name)
        return place

    def _opened(self, path: Path) -> BinaryIO:
        mode = 0o666 if self.public else 0o600
        return os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, mode), "wb")

    def _put(self, path: Path, data: bytes) -> None:
        part = path.with_name(f".{path.name}.{os.getpid()}")
        self._make(path.parent)
        with self._opened(part) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)

    def _make(self, folder: Path) -> None:
        """Create a folder and those above it, each with the mode of the log."""
        if not folder.is_dir():
            self._make(folder.parent)
            folder.mkdir(mode=0o777 if self.public else 0o700, exist_ok=True)
