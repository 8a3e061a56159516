"""A local Chat Completions server with the timing of the mocks; the model's name is the mock's number.

Its argument is a seed; it reports its port and serves until end of input.
"""

from __future__ import annotations

import asyncio
import sys
from random import Random
from typing import Any

from benchmarks.blindness.mocks import MOCKS
from benchmarks.upstreams import listen, talk


async def main(seed: int) -> None:
    """Serve until end of input."""
    rng = Random(seed)

    async def answer(writer: asyncio.StreamWriter, body: Any) -> None:  # noqa: ANN401 - any JSON
        pieces = MOCKS[int(body["model"])].pieces(rng)
        await talk(writer, ((wait, "x" * size) for wait, size in pieces))

    print(await listen(answer), flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
