"""A tree of files that is being written: its new files, and the digests of all, of which only new ones are computed."""

from __future__ import annotations

import json
import os
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, BinaryIO, Final

from arena.adapters.staged_files import is_own_name
from arena.adapters.whole_files import file_digest, whole_file
from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

NOTES: Final = ".digests.json"
"""File of a tree with the digests of its files, and the times of their last changes, which are not published."""
_PIECE: Final = 1 << 20
"""Bytes of a file that are copied at once."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file's size, the time of its last change in nanoseconds, and its SHA-256 in hexadecimal."""

    bytes: int
    changed_at: int
    sha256: str

    def is_of(self, path: Path) -> bool:
        """Whether the file at a path has this size and this time of change."""
        try:
            stat = path.stat()
        except OSError:
            return False
        return (self.bytes, self.changed_at) == (stat.st_size, stat.st_mtime_ns)


def noted_states(folder: Path) -> dict[str, FileState]:
    """The states that the last list noted, by path; empty if there is none, or it cannot be read."""
    try:
        notes = json.loads((folder / NOTES).read_bytes())
        return {path: FileState(*values) for path, values in notes.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def notes_of(states: Mapping[str, FileState]) -> bytes:
    """The contents of `NOTES` for these states."""
    return json.dumps({path: astuple(state) for path, state in states.items()}, ensure_ascii=False).encode()


@dataclass(frozen=True, slots=True)
class TreeDraft:
    """A tree that is being written: its folder, the stage of the new files, and the states that were noted before."""

    folder: Path
    stage: Path
    noted: Mapping[str, FileState]

    def has(self, name: str) -> bool:
        """Whether the folder has the file as it was noted."""
        return name in self.noted and self.noted[name].is_of(self.folder / name)

    def write(self, name: str, body: bytes) -> None:
        """Stage a file.

        Raises:
            Invalid: It cannot be written.
        """
        with self.open(name) as out:
            out.write(body)

    def open(self, name: str) -> AbstractContextManager[BinaryIO]:
        """A staged file, open for writing.

        Raises:
            Invalid: It cannot be written.
        """
        path = self.stage / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Invalid(f"{path.parent}: {error.strerror or error}.") from None
        return whole_file(path)

    def copy(self, source: Path, name: str) -> None:
        """Stage a copy that keeps the time of the last change, unless the folder has it.

        Raises:
            Invalid: The source cannot be read, or the copy not be written.
        """
        try:
            stat = source.stat()
            if self.has(name) and FileState(stat.st_size, stat.st_mtime_ns, "").is_of(self.folder / name):
                return
            with self.open(name) as out:
                out.writelines(_pieces(source))
            os.utime(self.stage / name, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        except OSError as error:
            raise Invalid(f"{source}: {error.strerror or error}.") from None

    def state(self, name: str) -> FileState:
        """The state of a staged file.

        Raises:
            Invalid: It cannot be read.
        """
        return _state(self.stage / name, None)

    def states(self) -> dict[str, FileState]:
        """The states of all files of the folder once the staged ones have replaced theirs, sorted by path.

        Raises:
            Invalid: A file cannot be read.
        """
        paths = {path.relative_to(self.folder).as_posix(): path for path in self.folder.rglob("*")}
        paths |= {path.relative_to(self.stage).as_posix(): path for path in self.stage.rglob("*")}
        files = {name: path for name, path in sorted(paths.items()) if _is_listed(name, path)}
        return {name: _state(path, self.noted.get(name)) for name, path in files.items()}


def _pieces(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from iter(lambda: file.read(_PIECE), b"")
    except OSError as error:
        raise Invalid(f"{path}: {error.strerror or error}.") from None


def _is_listed(name: str, path: Path) -> bool:
    return path.is_file() and path.suffix != ".part" and not is_own_name(name)


def _state(path: Path, noted: FileState | None) -> FileState:
    if noted and noted.is_of(path):
        return noted
    try:
        stat = path.stat()
        return FileState(stat.st_size, stat.st_mtime_ns, file_digest(path))
    except OSError as error:
        raise Invalid(f"{path}: {error.strerror or error}.") from None
