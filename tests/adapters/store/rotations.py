"""Keyrings whose master key is rotated concurrently: before the key file is read, or while a key is being sealed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from arena.adapters.store.engine import open_database
from arena.adapters.store.keyring import Keyring


class RotatedWhileReading(Keyring):
    """Rotates the master key before each of the first three reads; `rotations` counts those left."""

    def __init__(self, file: Path, rotate: Callable[[], None]) -> None:
        super().__init__("", file)
        self.rotations = 3
        self._rotate = rotate

    def ciphers(self) -> dict[str, Any]:
        if self.rotations:
            self.rotations -= 1
            self._rotate()
        return super().ciphers()


class RotatedWhileSealing(Keyring):
    """Starts a rotation after each call of `sealing`, and gives it half a second."""

    def __init__(self, file: Path, begin: Callable[[], Future[None]]) -> None:
        super().__init__("", file)
        self._begin = begin

    def sealing(self) -> Any:
        key = super().sealing()
        self.rotation = self._begin()
        with suppress(TimeoutError):
            self.rotation.result(0.5)
        return key


@contextmanager
def _rotating(url: str, file: Path, rewrap: Callable[..., int]) -> Iterator[Callable[[], Future[None]]]:
    """A function that starts a rotation on a second connection, since the test's database is busy."""
    loop, another, command = asyncio.get_running_loop(), open_database(url), Keyring("", file)

    async def rotate() -> None:
        command.renew()
        await another.write(rewrap, command)
        command.forget()

    try:
        yield lambda: asyncio.run_coroutine_threadsafe(rotate(), loop)
    finally:
        another.close()


@contextmanager
def keyring_rotated_while_reading(url: str, file: Path, rewrap: Callable[..., int]) -> Iterator[RotatedWhileReading]:
    """A keyring of `file` that is rotated before each read."""
    with _rotating(url, file, rewrap) as begin:
        yield RotatedWhileReading(file, lambda: begin().result(20))


@contextmanager
def keyring_rotated_while_sealing(url: str, file: Path, rewrap: Callable[..., int]) -> Iterator[RotatedWhileSealing]:
    """A keyring of `file` that is rotated while a key is sealed with it."""
    with _rotating(url, file, rewrap) as begin:
        yield RotatedWhileSealing(file, begin)
