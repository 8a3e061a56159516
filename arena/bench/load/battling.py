"""The process of the readers: opens battles, follows them all, and reads some answers at the upstream beside them.

Run with one JSON object of `Wish`; prints a line when all battles run, one when the time is over, and its figures.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from dataclasses import dataclass, field
from typing import Final

import uvloop

from arena.bench.load.http import Connection, Listening, request
from arena.bench.load.percentiles import percentiles
from arena.bench.load.stamps import TOKEN, age

PATIENCE: Final = 45
"""Seconds in which all battles must have begun; a server that cannot hold them never gets there."""
OPENERS: Final = 8
"""Connections on which battles are opened."""
INTERVAL: Final = 0.1
"""Seconds between two frames, as the arena sets them where nobody chooses."""
SAME_FRAME: Final = 0.02
"""Both sides of a frame arrive within this."""
_DELTA: Final = re.compile(rb'data: \{"side":"([ab])","text":"([^"]*)"\}')
_CONTENT: Final = re.compile(rb'"content":"([^"]{4} )"')


@dataclass(frozen=True, slots=True)
class Wish:
    """Ports of arena and upstream, how many battles and direct readers, and seconds of measuring."""

    port: int
    upstream: int
    battles: int
    direct: int
    seconds: float


@dataclass(slots=True)
class Ages:
    """Moments and ages of tokens as somebody read them."""

    noted: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])

    def note(self, token: str, now: float) -> None:
        """Keep the age of one token."""
        self.noted.append((now, age(token, now)))

    def wait(self, before: float, now: float) -> None:
        """Keep how much later than one interval a frame has come after the one before."""
        self.noted.append((now, max(0.0, now - before - INTERVAL)))

    def between(self, begin: float, end: float) -> dict[str, float]:
        """Percentiles of what was read in this time."""
        return percentiles(each for moment, each in self.noted if begin <= moment < end)


class Follower:
    """Reads one battle; text is kept until a token is whole."""

    def __init__(self, ages: Ages, frames: Ages, battle: str, cookie: str) -> None:
        self.battle = battle
        self.cookie = cookie
        self._ages = ages
        self._frames = frames
        self._last = 0.0
        self._text = {b"a": "", b"b": ""}
        self.characters = 0
        self.ready = False

    def hear(self, event: bytes) -> None:
        """Take one event."""
        now = time.monotonic()
        if found := _DELTA.search(event):
            if now - self._last > SAME_FRAME:
                if self._last:
                    self._frames.wait(self._last, now)
                self._last = now
            text = self._text[found[1]] + found[2].decode()
            self.characters += len(found[2])
            for start in range(0, len(text) - TOKEN + 1, TOKEN):
                self._ages.note(text[start : start + TOKEN], now)
            self._text[found[1]] = text[len(text) - len(text) % TOKEN :]
        elif b"event: turn_ready" in event:
            self.ready = True


async def main(wish: Wish) -> None:
    """Open, follow, wait, tell."""
    shown, frames, direct = Ages(), Ages(), Ages()
    followers: list[Follower] = []
    began = time.monotonic()
    async with asyncio.timeout(PATIENCE):
        streams = [*await _direct(wish, direct), *await _battles(wish, shown, frames, followers)]
        await _all_begun(followers)
    begin = time.monotonic()
    _tell({"at": begin, "opening": begin - began})
    await asyncio.sleep(wish.seconds)
    end = time.monotonic()
    _tell({"at": end})
    await asyncio.wait([stream.ended for stream in streams])
    _tell(
        {
            "ready": sum(follower.ready for follower in followers),
            "characters": sum(follower.characters for follower in followers),
            "shown": shown.between(begin, end),
            "frames": frames.between(begin, end),
            "direct": direct.between(begin, end),
            "cookies": {follower.battle: follower.cookie for follower in followers},
        }
    )


async def _direct(wish: Wish, ages: Ages) -> list[Listening]:
    def hear(event: bytes) -> None:
        if found := _CONTENT.search(event):
            ages.note(found[1].decode(), time.monotonic())

    asked = request("POST", "/v1/chat/completions", b"{}")
    return [await Listening.open(wish.upstream, asked, hear) for _ in range(wish.direct)]


async def _battles(wish: Wish, ages: Ages, frames: Ages, followers: list[Follower]) -> list[Listening]:
    """Open battles a few at a time and follow each at once, every one as a voter of its own."""
    streams: list[Listening] = []
    left = iter(range(wish.battles))

    async def opener() -> None:
        connection = await Connection.open(wish.port)
        for _ in left:
            answer = await connection.ask(request("POST", "/api/v1/battles", b'{"prompt":"What is new?"}'))
            if answer.status != 201:  # noqa: PLR2004 - created
                sys.exit(f"a battle was not opened: {answer.body.decode()}")
            followers.append(follower := Follower(ages, frames, json.loads(answer.body)["id"], answer.cookie))
            follow = request("GET", f"/api/v1/battles/{follower.battle}/stream", Cookie=answer.cookie)
            streams.append(await Listening.open(wish.port, follow, follower.hear))
        connection.close()

    await asyncio.gather(*(opener() for _ in range(OPENERS)))
    return streams


async def _all_begun(followers: list[Follower]) -> None:
    while not all(follower.characters for follower in followers):  # noqa: ASYNC110 - an event per reader costs more
        await asyncio.sleep(0.05)


def _tell(facts: dict[str, object]) -> None:
    print(json.dumps(facts), flush=True)  # noqa: T201 - the pipe to the benchmark


if __name__ == "__main__":
    try:
        uvloop.run(main(Wish(**json.loads(sys.argv[1]))))
    except TimeoutError:
        sys.exit(f"not all battles had begun after {PATIENCE} seconds")
