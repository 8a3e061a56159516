"""Rows in a growing file without a name, which other processes map: not each of them holds a copy in memory."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from numpy.typing import NDArray

log = logging.getLogger(__name__)

PIECE: Final = 1 << 16
"""Rows of a column that are read at a time."""


class MappedRows:
    """A file of rows of one type, deleted with this object or its process, even if that is killed.

    Its pages are the system's cache of files, which shrinks where memory is needed. On Linux the file moves to memory
    once the disk does not take rows, so that a full disk stops nobody.
    """

    def __init__(self, kind: np.dtype[np.void], folder: Path | None = None) -> None:
        """Start without rows; the file is made in `folder`, by default that of temporary files, with the first."""
        self._kind, self._folder, self._size = kind, folder, 0
        self._file: BinaryIO | None = None

    def __len__(self) -> int:
        return self._size

    def append(self, rows: NDArray[np.void]) -> None:
        """Append rows; those of an earlier call that failed are written over.

        Raises:
            OSError: They cannot be written; the file has the rows from before.
        """
        file = self._file or self._made()
        try:
            self._write(file, rows)
        except OSError as error:
            self._move_to_memory(file, error)
            self._write(file, rows)
        self._size += len(rows)

    @property
    def rows(self) -> NDArray[np.void]:
        """The rows so far, mapped into memory and read-only."""
        return _mapped(self._file, self._kind, self._size) if self._file and self._size else np.empty(0, self._kind)

    def stored(self) -> StoredRows:
        """The rows so far, for another process on this machine; they can be opened while this object exists."""
        if self._file and self._size and sys.platform == "linux":
            return StoredRows(f"/proc/{os.getpid()}/fd/{self._file.fileno()}", self.rows[:0], self._size)
        return StoredRows("", self.rows, self._size)

    def _made(self) -> BinaryIO:
        if self._folder:
            self._folder.mkdir(parents=True, exist_ok=True)
        self._file = file = tempfile.TemporaryFile(buffering=0, dir=self._folder)  # noqa: SIM115 — closed below
        weakref.finalize(self, file.close)
        return file

    def _write(self, file: BinaryIO, rows: NDArray[np.void]) -> None:
        file.seek(self._size * self._kind.itemsize)
        _write_all(file, rows.astype(self._kind, copy=False))

    def _move_to_memory(self, file: BinaryIO, error: OSError) -> None:
        """Replace the open file by one in memory with the rows so far; earlier views keep theirs."""
        if sys.platform != "linux":
            raise error
        log.warning("a file of rows moves to memory, since the disk takes no more: %s", error)
        with open(os.memfd_create("rows"), "wb", buffering=0) as memory:  # noqa: PTH123 — it has no path
            _write_all(memory, self.rows)
            os.dup2(memory.fileno(), file.fileno(), inheritable=False)


@dataclass(frozen=True, slots=True, eq=False)
class StoredRows:
    """The first `size` rows of a file; `rows` are these rows themselves where other processes cannot open the file."""

    path: str
    rows: NDArray[np.void]
    size: int

    def open(self, part: slice = slice(None)) -> NDArray[np.void]:
        """The rows, or those of a part, mapped into memory and read-only.

        Raises:
            OSError: The process with the file has ended.
        """
        start, stop, _ = part.indices(self.size)
        return _mapped(self.path, self.rows.dtype, stop - start, start) if self.path else self.rows[start:stop]

    def column(self, name: str, chosen: NDArray[np.bool_] | None = None) -> StoredColumn:
        """A column of the rows that are `chosen`, or of all."""
        return StoredColumn(self, name, chosen)


@dataclass(frozen=True, slots=True, eq=False)
class StoredColumn:
    """A column of the `chosen` rows, or of all: some of it is a copy, a part read a piece at a time.

    So the file, most of which is other columns, is never in memory as a whole.
    """

    rows: StoredRows
    name: str
    chosen: NDArray[np.bool_] | None

    def __len__(self) -> int:
        return self.rows.size if self.chosen is None else int(self.chosen.sum())

    def __getitem__(self, part: slice | NDArray[np.int64]) -> NDArray[Any]:
        if not isinstance(part, slice):
            places = part if self.chosen is None else np.flatnonzero(self.chosen)[part]
            return self.rows.open()[self.name][places]
        start, stop, _ = part.indices(len(self))
        none = self.rows.rows[:0][self.name]
        column = np.empty((max(0, stop - start), *none.shape[1:]), none.dtype)
        for first in range(start, stop, PIECE):
            last = min(first + PIECE, stop)
            column[first - start : last - start] = self._piece(first, last)
        return column

    def _piece(self, first: int, last: int) -> NDArray[Any]:
        if self.chosen is None:
            return self.rows.open(slice(first, last))[self.name]
        places = np.flatnonzero(self.chosen)[first:last]
        return self.rows.open(slice(places[0], places[-1] + 1))[self.name][places - places[0]]


def _write_all(file: BinaryIO, rows: NDArray[np.void]) -> None:
    """Write rows to an unbuffered file; `tofile` loses the last ones without an error where the disk is full."""
    rest = memoryview(rows.tobytes())
    while rest:
        rest = rest[file.write(rest) :]


def _mapped(file: BinaryIO | str, kind: np.dtype[np.void], size: int, start: int = 0) -> NDArray[np.void]:
    return np.asarray(np.memmap(file, kind, mode="r", offset=start * kind.itemsize, shape=(size,)))
