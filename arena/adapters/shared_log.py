"""The votes of a fit in a file for all workers, so that tasks contain only its path."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Generator

    from arena_rating.packed import PackedLog


@dataclass(frozen=True, slots=True, eq=False)
class SharedLog:
    """A packed log without its words, and the path of the file with them."""

    path: str
    log: PackedLog

    def __call__(self) -> PackedLog:
        """The log with its words memory-mapped, shared by all tasks on a machine."""
        # Copy-on-write, since a read-only array would have another type in numba.
        return replace(self.log, words=np.asarray(np.load(self.path, mmap_mode="c")))


@contextmanager
def share_log(folder: Path, log: PackedLog) -> Generator[SharedLog]:
    """Store the words in a temporary file in `folder` for the block."""
    handle, path = tempfile.mkstemp(suffix=".npy", prefix="votes-", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            np.save(file, log.words)
        yield SharedLog(path, replace(log, words=log.words[:0]))
    finally:
        Path(path).unlink(missing_ok=True)
