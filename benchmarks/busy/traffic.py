"""Driver of a busy arena's visitors: prepared votes at a steady rate, and readers of the board.

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
from typing import Any, Final

import uvloop

from benchmarks.busy.ballots import CROWD, Ballot
from benchmarks.load.http import Answer, Connection, as_visitor, request
from benchmarks.results import percentiles

BOARD: Final = "/api/v1/leaderboard"
READ_SECONDS: Final = 10.0
"""Seconds between two looks of a reader, as the page's."""
BROWSER: Final = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PATIENCE: Final = 30.0
"""Seconds after which an answer counts as lost."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Prepared votes (the fields of `Ballot`), `rate` a second, for so many seconds; and `readers` of the board."""

    port: int
    rate: float
    seconds: float
    readers: int
    votes: list[dict[str, Any]]
    proxied: bool = False


@dataclass(slots=True)
class Visitor:
    """A connection that is opened again when the server has closed it, or for another neighbourhood, its `number`."""

    port: int
    number: int
    proxied: bool
    _connection: Connection | None = None

    def move(self, number: int) -> None:
        """Ask from this neighbourhood from now on."""
        if number != self.number and self._connection:
            self._connection.close()
        self.number = number

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
    votes = [Ballot(**vote) for vote in work.votes[: round(work.rate * work.seconds)]]
    due = [(start + number / work.rate, vote) for number, vote in enumerate(votes)]
    readers = [Visitor(work.port, number, work.proxied) for number in range(work.readers)]
    async with asyncio.TaskGroup() as group:
        for first in range(CROWD):
            group.create_task(_vote(work, due[first::CROWD], tally))
        for number, reader in enumerate(readers):
            first = start + READ_SECONDS * number / len(readers)
            group.create_task(_read(reader, first, start + work.seconds, tally))
    figures = {"votes": percentiles(tally.votes), "reads": percentiles(tally.reads), "count": len(tally.votes)}
    print(json.dumps({**figures, "statuses": tally.statuses}), flush=True)


def _encode(vote: Ballot) -> bytes:
    body = json.dumps({"outcome": vote.outcome}).encode()
    return request("POST", f"/api/v1/battles/{vote.battle}/vote", body, Cookie=vote.cookie, User_Agent=BROWSER)


async def _vote(work: Workload, due: list[tuple[float, Ballot]], tally: Tally) -> None:
    """Cast one of `CROWD` shares of the votes, over one connection at a time; readers have the first neighbourhoods."""
    voter = Visitor(work.port, 0, work.proxied)
    for moment, vote in due:
        await asyncio.sleep(moment - time.perf_counter())
        voter.move(work.readers + vote.network)
        tally.note(tally.votes, "vote", await voter.ask(_encode(vote)), time.perf_counter() - moment)


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
