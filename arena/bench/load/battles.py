"""Battles at once: how late their tokens are, before pacing and at the reader, and what they cost the server."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from arena.bench.load import witness
from arena.bench.load.battling import Wish
from arena.bench.load.percentiles import percentiles
from arena.bench.load.talk import driver

if TYPE_CHECKING:
    from pathlib import Path

    from arena.bench.load.service import Service
    from arena.bench.load.talk import Driver

DIRECT: Final = 20
"""Answers that are read at the upstream itself, beside the battles."""
RATE: Final = 30.0
"""Tokens a second of one answer."""


@dataclass(frozen=True, slots=True)
class Held:
    """One run. Percentiles are milliseconds, most since the upstream sent a token.

    Attributes:
        battles: How many ran at once, of which `ready` ended well.
        direct: Until one was read at the upstream itself.
        heard: Until the arena had it, before pacing.
        shown: Until the reader of the battle had it; the common pace of both sides is in it.
        frames: How much later than due a frame reached the reader after the one before.
        opening: Seconds until all were open.
        core: Share of one core that the server used.
        token: Microseconds of the server's CPU for one token.
        memory: KiB for one running battle; its text is in it.
        cookies: Each battle's voter.
    """

    battles: int
    ready: int
    direct: dict[str, float]
    heard: dict[str, float]
    shown: dict[str, float]
    frames: dict[str, float]
    opening: float
    core: float
    token: float
    memory: float
    cookies: dict[str, str]

    @property
    def added(self) -> dict[str, float]:
        """What the arena adds before pacing."""
        return {name: self.heard[name] - self.direct[name] for name in self.heard}


def hold(service: Service, upstream: Driver, address: int, folder: Path, battles: int, seconds: float) -> Held:
    """Let `battles` run at once and look at `seconds` of them; `upstream` listens on the port `address`."""
    before = service.cost()
    wish = Wish(service.port, address, battles, DIRECT, seconds)
    with driver("load.battling", json.dumps(asdict(wish))) as readers:
        try:
            begin, first = readers.hear(), service.cost()
            end, last = readers.hear(), service.cost()
        finally:
            upstream.tell("end")
        figures = readers.hear()
    core = (last.cpu - first.cpu) / (end["at"] - begin["at"])
    return Held(
        battles=battles,
        ready=figures["ready"],
        direct=figures["direct"],
        heard=percentiles(witness.notes(folder, begin["at"], end["at"])),
        shown=figures["shown"],
        frames=figures["frames"],
        opening=begin["opening"],
        core=core,
        token=1_000_000 * core / (2 * battles * RATE),
        memory=(last.memory - before.memory) / battles / 1024,
        cookies=figures["cookies"],
    )
