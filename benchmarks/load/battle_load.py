"""Driver that opens battles, follows all of them, and reads some answers directly from the upstream.

Its argument is `Workload` as JSON; it reports once all battles run, at the end of the time, and then its figures.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import uvloop

from benchmarks.load.http import Connection, EventStream, as_visitor, request
from benchmarks.load.timestamps import TOKEN, age
from benchmarks.results import percentiles

if TYPE_CHECKING:
    from arena_providers.transport.sse import Event

PATIENCE: Final = 120
"""Time limit in seconds for the start of all battles, which an overloaded server exceeds."""
OPENERS: Final = 8
"""Connections that open battles."""
INTERVAL: Final = 0.1
"""Seconds between two frames, the arena's default."""
SAME_FRAME: Final = 0.02
"""Seconds within which both sides of a frame arrive."""
_DELTA: Final = re.compile(r'\{"side":"([ab])","text":"([^"]*)"\}')
_SEEN: Final = re.compile(r"-(\d+)")
_CONTENT: Final = re.compile(r'"content":"([^"]{4} )"')


@dataclass(frozen=True, slots=True)
class Workload:
    """Ports of arena and upstream, numbers of battles and of direct readers, and seconds to measure.

    If `proxied`, `port` is that of the proxy before the arena. With a `form`, `text` or `html`, answers are read in it,
    may have any content, and are counted without their latencies.
    """

    port: int
    upstream: int
    battles: int
    direct: int
    seconds: float
    proxied: bool = False
    form: str = ""


@dataclass(slots=True)
class Ages:
    """Latencies in seconds of one kind of reader, as (time of receipt, latency)."""

    samples: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])

    def note(self, now: float, *tokens: str) -> None:
        """Record the age of the latest of these tokens."""
        self.samples.append((now, min(age(token, now) for token in tokens)))

    def wait(self, start: float, now: float) -> None:
        """Record the delay of a frame beyond one interval after the previous one."""
        self.samples.append((now, max(0.0, now - start - INTERVAL)))

    def between(self, begin: float, end: float, beyond: float = 0.0) -> dict[str, float]:
        """Percentiles of the latencies between two times, of each the part `beyond` so many seconds."""
        return percentiles(max(0.0, entry - beyond) for moment, entry in self.samples if begin <= moment < end)


class Follower:
    """Reader of one battle, which buffers text until both sides have a complete token.

    Of the two tokens the later one counts: pacing shows both sides in pairs, so the earlier one waits for it.
    """

    def __init__(self, ages: Ages, frames: Ages, battle: str, cookie: str) -> None:
        self.battle = battle
        self.cookie = cookie
        self._ages = ages
        self._frames = frames
        self._last = 0.0
        self._text = {"a": "", "b": ""}
        self.characters = 0
        self.ready = False

    def hear(self, event: Event) -> None:
        """Process one event."""
        now = time.monotonic()
        if match := _DELTA.fullmatch(event.data):
            if now - self._last > SAME_FRAME:
                if self._last:
                    self._frames.wait(self._last, now)
                self._last = now
            self._text[match[1]] += match[2]
            self.characters += len(match[2])
            self._note(now)
        elif event.name == "turn_ready":
            self.ready = True

    def _note(self, now: float) -> None:
        """Record the ages of all complete pairs of tokens."""
        pairs = min(map(len, self._text.values())) // TOKEN
        for start in range(0, pairs * TOKEN, TOKEN):
            self._ages.note(now, *(text[start : start + TOKEN] for text in self._text.values()))
        self._text = {side: text[pairs * TOKEN :] for side, text in self._text.items()}


class Counter(Follower):
    """Reader of one battle who counts characters by the cursors of the events, in whatever form they have them."""

    def hear(self, event: Event) -> None:
        """Process one event."""
        if cursor := _SEEN.findall(event.id):
            self.characters = sum(map(int, cursor))
        self.ready = self.ready or event.name == "turn_ready"


async def main(work: Workload) -> None:
    """Open and follow all battles, wait, and report."""
    text_ages, frames, direct = Ages(), Ages(), Ages()
    followers: list[Follower] = []
    start = time.monotonic()
    async with asyncio.timeout(PATIENCE):
        streams = [*await _direct(work, direct), *await _battles(work, text_ages, frames, followers)]
        await _all_started(followers)
    begin = time.monotonic()
    _report(_moment(begin, followers) | {"opening": begin - start})
    await asyncio.sleep(work.seconds)
    end = time.monotonic()
    _report(_moment(end, followers))
    await asyncio.wait([stream.ended for stream in streams])
    _report(
        {
            "ready": sum(follower.ready for follower in followers),
            "shown": text_ages.between(begin, end),
            "beyond": text_ages.between(begin, end, INTERVAL),
            "frames": frames.between(begin, end),
            "direct": direct.between(begin, end),
            "cookies": {follower.battle: follower.cookie for follower in followers},
        }
    )


def _moment(now: float, followers: list[Follower]) -> dict[str, object]:
    """The time and the number of tokens received so far."""
    return {"at": now, "tokens": sum(follower.characters for follower in followers) / TOKEN}


async def _direct(work: Workload, ages: Ages) -> list[EventStream]:
    def hear(event: Event) -> None:
        if match := _CONTENT.search(event.data):
            ages.note(time.monotonic(), match[1])

    completion = request("POST", "/v1/chat/completions", b"{}")
    return [await EventStream.open(work.upstream, completion, hear) for _ in range(work.direct)]


async def _battles(work: Workload, ages: Ages, frames: Ages, followers: list[Follower]) -> list[EventStream]:
    """Open battles on a few connections, each as a new voter, and follow them."""
    streams: list[EventStream] = []
    numbers = iter(range(work.battles))
    reader, query = (Counter, f"?as={work.form}") if work.form else (Follower, "")

    def headers_of(visitor: int) -> dict[str, Any]:
        return as_visitor(visitor) if work.proxied else {}

    async def opener(first: int) -> None:
        connection = await Connection.open(work.port, **headers_of(first))
        for number in numbers:
            answer = await connection.ask(request("POST", "/api/v1/battles", b'{"prompt":"What is new?"}'))
            if answer.status != 201:  # created
                sys.exit(f"a battle was not opened: {answer.body.decode()}")
            follower = reader(ages, frames, json.loads(answer.body)["id"], answer.cookie)
            followers.append(follower)
            follow = request("GET", f"/api/v1/battles/{follower.battle}/stream{query}", Cookie=answer.cookie)
            streams.append(await EventStream.open(work.port, follow, follower.hear, **headers_of(number)))
        connection.close()

    await asyncio.gather(*map(opener, range(OPENERS)))
    return streams


async def _all_started(followers: list[Follower]) -> None:
    while not all(follower.characters for follower in followers):  # noqa: ASYNC110 - an event per reader costs more
        await asyncio.sleep(0.05)


def _report(facts: dict[str, object]) -> None:
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    try:
        uvloop.run(main(Workload(**json.loads(sys.argv[1]))))
    except TimeoutError:
        sys.exit(f"not all battles had started after {PATIENCE} seconds")
