"""The published files of the transparency log in a folder: immutable tiles and entry bundles, and the checkpoint."""

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
"""Folder of earlier logs, which were set aside."""
_OWN: Final = (KEY, CHECKPOINT + SUFFIX, "tile", CHECKPOINT)
"""Entries of one log, moved in this order. The checkpoint is the last, so an interrupted move can be continued."""
_RETRY: Final = 0.05
"""Seconds between two tries to lock the folder."""


@dataclass(frozen=True, slots=True)
class LogFiles:
    """The files of one log; `folder` is served unchanged.

    With `public`, other users of the machine can read the files, which another web server needs.
    """

    folder: Path
    public: bool = False

    def read(self, tile: Tile) -> bytes:
        """The bytes of a tile.

        Raises:
            Unsound: There is no such file.
        """
        try:
            return (self.folder / tile.path).read_bytes()
        except OSError:
            raise Unsound(f"{tile.path} is missing.") from None

    def write(self, tile: Tile, data: bytes) -> None:
        """Write a tile, flushed to disk before it gets its name; an existing tile must have the same contents.

        Raises:
            Unsound: The tile was published with other contents.
        """
        path = self.folder / tile.path
        with suppress(FileNotFoundError):
            if path.read_bytes() == data:
                return
            raise Unsound(f"{tile.path} was published with other contents.")
        self._put(path, data)

    def checkpoint(self) -> str | None:
        """The published checkpoint, or None."""
        try:
            return (self.folder / CHECKPOINT).read_text("utf-8")
        except FileNotFoundError:
            return None

    def publish(self, note: str, key: str = "", proofs: Sequence[str] = ()) -> None:
        """Replace the published checkpoint, and with a new `key` also the key and the `proofs` of all its changes.

        The order of writes suits readers of the key, then the checkpoint, then the proofs: the proofs they get always
        lead from their key to that of their checkpoint.
        """
        if key:
            self.put(CHECKPOINT + SUFFIX, json.dumps(proofs))
        self.put(CHECKPOINT, note)
        if key:
            self.put(KEY, f"{key}\n")

    def key(self) -> str:
        """The published verifier key, or an empty text."""
        try:
            return (self.folder / KEY).read_text("utf-8").strip()
        except FileNotFoundError:
            return ""

    def put(self, path: str, text: str) -> None:
        """Write a text that may change, at a path in the folder."""
        self._put(self.folder / path, text.encode())

    @asynccontextmanager
    async def locked(self) -> AsyncGenerator[None]:
        """Exclude all other writers of this folder, so that no tile of one log gets into the next one."""
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
        """Move the files to a subfolder to make room for a new log; returns the subfolder, or None without files.

        The folder itself may be a volume, which cannot be renamed.
        """
        paths = [path for name in _OWN if (path := self.folder / name).exists()]
        if not paths:
            return None
        number = 1
        while (place := self.folder / EARLIER / str(number)).exists():
            number += 1
        self._make(place)
        for path in paths:
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
        """Create a folder and its parents, each with the mode of the log."""
        if not folder.is_dir():
            self._make(folder.parent)
            folder.mkdir(mode=0o777 if self.public else 0o700, exist_ok=True)
