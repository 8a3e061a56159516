"""A keyring that is overtaken: each time the key file is about to be read, the master key is rotated to the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.adapters.store.engine import open_database
from arena.adapters.store.keyring import Keyring


class Overtaken(Keyring):
    """Counts down the `rotations` that are still to come, three at first."""

    def __init__(self, file: Path, rotate: Callable[[], None]) -> None:
        super().__init__("", file)
        self.rotations = 3
        self._rotate = rotate

    def opening(self) -> dict[str, Any]:
        if self.rotations:
            self.rotations -= 1
            self._rotate()
        return super().opening()


@contextmanager
def overtaken(url: str, file: Path, rewrap: Callable[..., int]) -> Iterator[Overtaken]:
    """A keyring of `file`, rotated through a database of its own: the reader's waits meanwhile."""
    loop, another, command = asyncio.get_running_loop(), open_database(url), Keyring("", file)

    async def rotate() -> None:
        command.renew()
        await another.write(rewrap, command)
        command.forget()

    try:
        yield Overtaken(file, lambda: asyncio.run_coroutine_threadsafe(rotate(), loop).result(20))
    finally:
        another.close()
