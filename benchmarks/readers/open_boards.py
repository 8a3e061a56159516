"""Driver of open board pages: each polls the ids of the newest board and reads the board's tables when they change.

Its argument is `Workload` as JSON; it reports once all pages are open, and then the totals after each input line.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from dataclasses import asdict, dataclass, field
from typing import Final

import uvloop

from benchmarks.load.http import Connection, as_visitor, request

BOARD: Final = "/api/v1/leaderboard"
NEWEST: Final = f"{BOARD}/newest"
TABLES: Final = (BOARD, f"{BOARD}/style")
"""The tables that an open page reads for each new board."""
CODINGS: Final = "gzip, deflate, br, zstd"
PER_ADDRESS: Final = 250
"""Pages per address, since the proxy limits requests per address."""
PERIOD: Final = 15.0
"""Seconds between two polls of a page, as in its script."""
RETRY_SECONDS: Final = 1.0
"""Seconds until a page reads again tables that were still old."""
AT_ONCE: Final = 50
"""Pages that open concurrently."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Port of the proxy, and the number of open pages."""

    port: int
    pages: int


@dataclass(slots=True)
class Received:
    """Totals over all pages.

    Attributes:
        moves: Polls that named a new board.
        poll_bytes: Bytes of polls.
        table_bytes: Bytes of tables.
        early: New boards whose tables were still old, so that the page read them again.
        older: Those of `early` that were old in the second read, too.
        lost: Closed connections.
        statuses: Number of reads by status.
    """

    moves: int = 0
    poll_bytes: int = 0
    table_bytes: int = 0
    early: int = 0
    older: int = 0
    lost: int = 0
    statuses: dict[int, int] = field(default_factory=dict[int, int])


class OpenBoard:
    """An open page, with one request at a time."""

    def __init__(self, received: Received) -> None:
        self.received = received
        self._tags: dict[str, str] = dict.fromkeys((NEWEST, *TABLES), "none")
        self._connection: Connection

    async def open(self, port: int, visitor: int, phase: float) -> asyncio.Task[None]:
        """Read the tables once; returns the task that polls after `phase` seconds."""
        options = as_visitor(visitor)
        self._connection = await Connection.open(port, **options)
        await self._read(NEWEST)
        await self._read_tables()
        return asyncio.create_task(self._poll(port, options, phase))

    async def _poll(self, port: int, options: dict[str, object], phase: float) -> None:
        await asyncio.sleep(phase)
        while True:
            try:
                previous_tag = self._tags[NEWEST]
                self.received.poll_bytes += await self._read(NEWEST)
                if self._tags[NEWEST] != previous_tag:
                    await self._update()
            except ConnectionError:
                self.received.lost += 1
                self._connection = await Connection.open(port, **options)
            await asyncio.sleep(PERIOD)

    async def _update(self) -> None:
        """Read the new board; the proxy may serve the previous one until it has fetched the new one."""
        self.received.moves += 1
        await self._read_tables()
        if self._number(BOARD) < self._number(NEWEST):
            self.received.early += 1
            await asyncio.sleep(RETRY_SECONDS)
            await self._read_tables()
            self.received.older += self._number(BOARD) < self._number(NEWEST)

    async def _read_tables(self) -> None:
        for path in TABLES:
            self.received.table_bytes += await self._read(path)

    async def _read(self, path: str) -> int:
        """Read a path if it has changed (If-None-Match); returns the bytes of the response."""
        content = request("GET", path, Accept_Encoding=CODINGS, If_None_Match=self._tags[path])
        answer = await self._connection.ask(content)
        self.received.statuses[answer.status] = self.received.statuses.get(answer.status, 0) + 1
        self._tags[path] = answer.etag or self._tags[path]
        return len(answer.head) + len(answer.body) + 4

    def _number(self, path: str) -> int:
        """The number of the snapshot in an ETag."""
        number = self._tags[path].strip('W/"').partition("-")[0]
        return int(number) if number.isdecimal() else 0


async def main(work: Workload) -> None:
    """Open all pages, then report at each input line."""
    counts = Received()
    pages = [OpenBoard(counts) for _ in range(work.pages)]
    turn = asyncio.Semaphore(AT_ONCE)

    async def open_page(number: int, page: OpenBoard) -> asyncio.Task[None]:
        async with turn:
            return await page.open(work.port, number // PER_ADDRESS, PERIOD * number / work.pages)

    tasks = await asyncio.gather(*(open_page(*entry) for entry in enumerate(pages)))
    _report(counts)
    while await asyncio.to_thread(sys.stdin.readline):
        _report(counts)
    for task in tasks:
        task.cancel()


def _report(counts: Received) -> None:
    print(json.dumps(asdict(counts)), flush=True)


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(main(Workload(**json.loads(sys.argv[1]))))
