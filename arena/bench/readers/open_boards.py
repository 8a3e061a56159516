"""Driver of open board pages: each follows the stream and reads the board's tables when there is a new one.

Its argument is `Workload` as JSON; it reports once all pages are open, and then after each line of its input what they
have received so far.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

import uvloop

from arena.bench.load.http import Connection, EventStream, as_visitor, request

if TYPE_CHECKING:
    from arena.adapters.providers.transport.sse import Event

BOARD: Final = "/api/v1/leaderboard"
TABLES: Final = (BOARD, f"{BOARD}/style")
"""The tables that an open page reads for each new board."""
CODINGS: Final = "gzip, deflate, br, zstd"
PER_ADDRESS: Final = 250
"""Pages behind one address: the proxy limits streams and requests of one."""
PAUSE: Final = 1.0
"""Seconds after which a page reads once more what was announced and is not there yet."""
AT_ONCE: Final = 50
"""Pages that open at the same time."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Port of the proxy, and the number of open pages."""

    port: int
    pages: int


@dataclass(slots=True)
class Received:
    """Sums over all pages: events of streams, reads by status and their bytes.

    `early` counts announced boards that were not there yet, so that the page read them once more; `older` those that
    were not there then either; `lost` connections that ended.
    """

    events: int = 0
    table_bytes: int = 0
    early: int = 0
    older: int = 0
    lost: int = 0
    statuses: Counter[int] = field(default_factory=Counter[int])


class Announcements(EventStream):
    """A stream whose bytes are counted; `size` is their number so far."""

    size: int = 0

    def data_received(self, data: bytes) -> None:
        """Take what has arrived."""
        self.size += len(data)
        super().data_received(data)


class OpenBoard:
    """An open page; one read at a time, and one more when something new is announced meanwhile."""

    def __init__(self, received: Received) -> None:
        self.received = received
        self._tags = dict.fromkeys(TABLES, "none")
        self._announced = 0
        self._new = asyncio.Event()
        self.stream: Announcements

    async def open(self, port: int, visitor: int) -> asyncio.Task[None]:
        """Read the tables once and begin to follow; returns the task that goes on."""
        how = as_visitor(visitor)
        connection = await Connection.open(port, **how)
        await self._read(connection)
        self.stream = await Announcements.open(port, request("GET", f"{BOARD}/stream"), self._hear, **how)
        return asyncio.create_task(self._follow(port, connection, how))

    def _hear(self, event: Event) -> None:
        if event.name == "snapshot":
            self.received.events += 1
            self._announced = json.loads(event.data)["id"]
            self._new.set()

    async def _follow(self, port: int, connection: Connection, how: dict[str, Any]) -> None:
        while True:
            await self._new.wait()
            self._new.clear()
            try:
                await self._update(connection)
            except ConnectionError:
                self.received.lost += 1
                connection = await Connection.open(port, **how)
                self._new.set()

    async def _update(self, connection: Connection) -> None:
        """Read what is announced; the proxy has the board before until it has fetched the new one."""
        await self._read(connection)
        if self._seen() < self._announced:
            self.received.early += 1
            await asyncio.sleep(PAUSE)
            await self._read(connection)
            self.received.older += self._seen() < self._announced

    async def _read(self, connection: Connection) -> None:
        """Read all tables, each if it is newer than the one at hand."""
        for path in TABLES:
            wanted = request("GET", path, Accept_Encoding=CODINGS, If_None_Match=self._tags[path])
            answer = await connection.ask(wanted)
            self.received.statuses[answer.status] += 1
            self.received.table_bytes += len(answer.head) + len(answer.body) + 4
            self._tags[path] = answer.etag or self._tags[path]

    def _seen(self) -> int:
        """The number of the snapshot whose board is shown."""
        number = self._tags[BOARD].strip('W/"').partition("-")[0]
        return int(number) if number.isdecimal() else 0


async def main(work: Workload) -> None:
    """Open all pages, then report whenever asked."""
    received = Received()
    pages = [OpenBoard(received) for _ in range(work.pages)]
    turn = asyncio.Semaphore(AT_ONCE)

    async def opened(number: int, page: OpenBoard) -> asyncio.Task[None]:
        async with turn:
            return await page.open(work.port, number // PER_ADDRESS)

    following = await asyncio.gather(*(opened(*each) for each in enumerate(pages)))
    _report(received, pages)
    while await asyncio.to_thread(sys.stdin.readline):
        _report(received, pages)
    for each in following:
        each.cancel()


def _report(received: Received, pages: list[OpenBoard]) -> None:
    facts = {each.name: getattr(received, each.name) for each in fields(received)}
    facts["stream_bytes"] = sum(page.stream.size for page in pages)
    print(json.dumps(facts), flush=True)  # noqa: T201 - the pipe to the benchmark


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(main(Workload(**json.loads(sys.argv[1]))))
