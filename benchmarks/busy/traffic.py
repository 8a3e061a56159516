"""Driver of a busy arena's visitors: votes at a steady rate on prepared battles, and readers of the board.

Its input is `Workload` as JSON; it reports its figures at the end. A vote's time counts from the moment at which it was
due, so that an arena that stands still is not asked less.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import uvloop

from benchmarks.load.http import Answer, Connection, as_visitor, request
from benchmarks.results import percentiles

if TYPE_CHECKING:
    from collections.abc import Iterator

BOARD: Final = "/api/v1/leaderboard"
READ_SECONDS: Final = 10.0
"""Seconds between two looks of a reader, as the page's."""
VOTERS: Final = 32
"""Connections that vote, each from a neighbourhood of its own."""
OUTCOMES: Final = ("a", "b", "tie", "both_bad")
PATIENCE: Final = 30.0
"""Seconds after which an answer counts as lost."""


@dataclass(frozen=True, slots=True)
class Workload:
    """One vote on each of `battles` (battle → cookie), `rate` a second, for so many seconds; and `readers`."""

    port: int
    rate: float
    seconds: float
    readers: int
    battles: dict[str, str]
    proxied: bool = False


@dataclass(slots=True)
class Visitor:
    """A connection that is opened again when the server has closed it."""

    port: int
    number: int
    proxied: bool
    _connection: Connection | None = None

    async def ask(self, content: bytes) -> Answer | None:
        """The response; None if there is none."""
        try:
            async with asyncio.timeout(PATIENCE):
                if self._connection is None or self._connection.closing:
                    options = as_visitor(self.number)
                    place = options if self.proxied else {"local_addr": options["local_addr"]}
                    self._connection = await Connection.open(self.port, **place)
                return await self._connection.ask(content)
        except (OSError, TimeoutError):
            self._connection = None
            return None


@dataclass(slots=True)
class Tally:
    """Seconds of answered votes and reads, and numbers of statuses; "lost" is a request without an answer."""

    votes: list[float] = field(default_factory=list[float])
    reads: list[float] = field(default_factory=list[float])
    statuses: Counter[str] = field(default_factory=Counter[str])

    def note(self, kind: list[float], name: str, answer: Answer | None, seconds: float) -> None:
        self.statuses[f"{name} {answer.status if answer else 'lost'}"] += 1
        if answer:
            kind.append(seconds)


async def main(work: Workload) -> None:
    """Vote and read until the time is over, and report."""
    tally, start = Tally(), time.perf_counter()
    count = min(len(work.battles), round(work.rate * work.seconds))
    due = iter([(start + number / work.rate, vote) for number, vote in zip(range(count), _votes(work), strict=False)])
    voters = [Visitor(work.port, number, work.proxied) for number in range(VOTERS)]
    readers = [Visitor(work.port, VOTERS + number, work.proxied) for number in range(work.readers)]
    async with asyncio.TaskGroup() as group:
        for voter in voters:
            group.create_task(_vote(voter, due, tally))
        for number, reader in enumerate(readers):
            first = start + READ_SECONDS * number / len(readers)
            group.create_task(_read(reader, first, start + work.seconds, tally))
    votes, reads = percentiles(tally.votes), percentiles(tally.reads)
    print(
        json.dumps({"votes": votes, "reads": reads, "count": len(tally.votes), "statuses": tally.statuses}), flush=True
    )


def _votes(work: Workload) -> Iterator[bytes]:
    for number, (battle, cookie) in enumerate(work.battles.items()):
        body = json.dumps({"outcome": OUTCOMES[number % len(OUTCOMES)]}).encode()
        yield request("POST", f"/api/v1/battles/{battle}/vote", body, Cookie=cookie)


async def _vote(voter: Visitor, due: Iterator[tuple[float, bytes]], tally: Tally) -> None:
    for moment, vote in due:
        await asyncio.sleep(moment - time.perf_counter())
        tally.note(tally.votes, "vote", await voter.ask(vote), time.perf_counter() - moment)


async def _read(reader: Visitor, moment: float, end: float, tally: Tally) -> None:
    etag = "none"
    while moment < end:
        await asyncio.sleep(moment - time.perf_counter())
        start = time.perf_counter()
        answer = await reader.ask(request("GET", BOARD, Accept_Encoding="gzip", If_None_Match=etag))
        tally.note(tally.reads, "read", answer, time.perf_counter() - start)
        etag = (answer.etag if answer else "") or etag
        moment += READ_SECONDS


if __name__ == "__main__":
    uvloop.run(main(Workload(**json.loads(sys.stdin.readline()))))
