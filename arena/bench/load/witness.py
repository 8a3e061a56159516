"""A dialect for the benchmark alone: Chat Completions as the arena speaks them, with a note of how old each token is.

It is installed into the serving process as any other package's dialect is, so that what is measured is the arena as
it runs; what a note costs counts against the arena.
"""

from __future__ import annotations

import os
import time
from array import array
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.bench.load.stamps import TOKEN, age
from arena.providers.openai_chat import OpenAIChat

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Sequence

    from arena.providers.base import Chunk, Target
    from arena.providers.http import Client
    from arena.terms import Message

DIALECT: Final = "bench_chat"
FILE: Final = "ARENA_BENCH_WITNESS"
"""Variable that names the file of the notes."""


class Witness:
    """`openai_chat`, watched."""

    def __init__(self, client: Client) -> None:
        self._chat = OpenAIChat(client)
        self._path = Path(os.environ[FILE])

    async def stream(self, target: Target, messages: Sequence[Message]) -> AsyncGenerator[Chunk, None]:
        """Pass the answer on and append pairs of moment and age to the file once it has ended."""
        notes = array("d")
        try:
            async with aclosing(self._chat.stream(target, messages)) as chunks:
                async for chunk in chunks:
                    if len(chunk.text) == TOKEN:
                        now = time.monotonic()
                        notes.extend((now, age(chunk.text, now)))
                    yield chunk
        finally:
            with self._path.open("ab") as file:
                file.write(notes.tobytes())


def install(folder: Path) -> dict[str, str]:
    """Lay out a package of this dialect in `folder`; returns the variables with which a process finds it."""
    facts = folder / "arena_bench_witness-0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-bench-witness\nVersion: 0\n")
    (facts / "entry_points.txt").write_text(f"[arena.providers]\n{DIALECT} = {__name__}:{Witness.__name__}\n")
    before = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(folder), before))), FILE: str(folder / "notes")}


def notes(folder: Path, begin: float, end: float) -> list[float]:
    """Ages of the tokens that arrived between two moments."""
    found = array("d", (folder / "notes").read_bytes())
    return [each for moment, each in _pairs(found) if begin <= moment < end]


def _pairs(found: array[float]) -> Iterator[tuple[float, float]]:
    return zip(found[::2], found[1::2], strict=True)
