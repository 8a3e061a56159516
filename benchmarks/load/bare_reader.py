"""Driver that only reads answers of the upstream: a baseline for the arena's CPU time per token.

Its argument is `Workload` as JSON; it reports the CPU microseconds per token after `seconds`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import uvloop

from benchmarks.load.http import request

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Workload:
    """Port of the upstream, number of answers, and seconds to measure."""

    upstream: int
    answers: int
    seconds: float


class Reader(asyncio.Protocol):
    """Connection that parses each event on arrival."""

    def __init__(self, count: Callable[[], None]) -> None:
        self._count = count
        self._tail = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.Transport", transport).write(request("POST", "/v1/chat/completions", b"{}"))

    def data_received(self, data: bytes) -> None:
        *events, self._tail = (self._tail + data).split(b"\n\n")
        for event in events:
            _, result, value = event.partition(b"data: {")
            if result and json.loads(b"{" + value)["choices"][0]["delta"].get("content"):
                self._count()


async def main(work: Workload) -> None:
    """Read answers, and report CPU microseconds per token."""
    tokens = 0

    def count() -> None:
        nonlocal tokens
        tokens += 1

    loop = asyncio.get_running_loop()
    for _ in range(work.answers):
        await loop.create_connection(lambda: Reader(count), "127.0.0.1", work.upstream)
    await asyncio.sleep(0.5)
    tokens, cpu = 0, time.process_time()
    await asyncio.sleep(work.seconds)
    cpu = time.process_time() - cpu
    print(json.dumps(1_000_000 * cpu / max(1, tokens)), flush=True)


if __name__ == "__main__":
    uvloop.run(main(Workload(**json.loads(sys.argv[1]))))
