"""Concurrent battles: latency of their tokens at the reader, and their cost to the server."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from benchmarks.load import bare_reader, battle_load
from benchmarks.load.battle_load import Workload
from benchmarks.processes import driver
from benchmarks.results import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.load.service import Service
    from benchmarks.processes import Driver

DIRECT: Final = 20
"""Answers read directly from the upstream during the battles, as a baseline."""
BARE_SECONDS: Final = 3.0
ADDED: Final = "≤ 50"
"""Goal of the milliseconds that the arena adds to a token."""
RATE: Final = 30.0
"""Tokens per second of one answer."""


@dataclass(frozen=True, slots=True)
class Held:
    """Result of one run. Percentiles are milliseconds, from the sending of a token except for `frames`.

    Attributes:
        battles: Number of concurrent battles.
        ready: Number of battles that ended well.
        direct: Latency to a direct reader of the upstream.
        shown: Latency to the reader of the battle, of the later of both sides' tokens.
        beyond: The part of `shown` beyond one frame interval, for which arriving text always waits.
        frames: Delay of a frame at the reader beyond one interval after the previous frame.
        opening: Seconds until all battles were open.
        opened: Milliseconds of server CPU to open a battle, without those for tokens.
        core: Share of one core that the server used.
        token: Microseconds of server CPU per token that reached a reader.
        bare: Microseconds of CPU per token of a program that only reads and parses the upstream's events.
        proxy: Microseconds of CPU per token of the proxy, if there is one.
        memory: KiB per running battle with its text.
        cookies: Voter cookie of each battle.
    """

    battles: int
    ready: int
    direct: dict[str, float]
    shown: dict[str, float]
    beyond: dict[str, float]
    frames: dict[str, float]
    opening: float
    opened: float
    core: float
    token: float
    bare: float
    proxy: float
    memory: float
    cookies: dict[str, str]

    @property
    def added(self) -> dict[str, float]:
        """Latency beyond one frame interval and that of a direct reader."""
        return {name: max(0.0, self.beyond[name] - self.direct[name]) for name in self.beyond}

    def rows(self, case: str) -> Iterator[Row]:
        """Rows of this run."""
        title, latency = f"{self.battles} battles", self.added
        for times, name, goal in (
            (self.direct, "a token read directly from the upstream", ""),
            (latency, "added at the reader beyond one frame", ADDED),
            (self.frames, "delay of a frame at the reader", "≤ 300"),
            (self.shown, "a token at the reader, pacing included", ""),
        ):
            yield Row(case, f"{title}: {name}", times["p95"], "ms", goal, figures=times)
        figures = {
            "battles": self.battles,
            "token_us": self.token,
            "bare_us": self.bare,
            **({"proxy_us": self.proxy} if self.proxy else {}),
            "processor_percent": 100 * self.core,
            "open_seconds": self.opening,
            "open_ms": self.opened,
            "added_p95_ms": latency["p95"],
            "late_p95_ms": self.frames["p95"],
        }
        note = f"{self.token / self.bare:.1f} × a bare reader; {self.ready} ended well"
        yield Row(case, f"{title}: server CPU", 100 * self.core, "%", "", note, figures)
        yield Row(case, f"{title}: memory of one battle, its text included", self.memory, "KiB", "≤ 200")


def hold(service: Service, upstream: Driver, address: int, battles: int, seconds: float) -> Held:
    """Run `battles` concurrently and measure `seconds` of them; `upstream` listens on the port `address`."""
    bare_cost = _bare_reader_cost(address, battles, seconds)
    idle = service.cost()
    work = Workload(service.port, address, battles, DIRECT, seconds, proxied=bool(service.proxy))
    with driver(battle_load, json.dumps(asdict(work))) as readers:
        try:
            begin, first, proxy_cpu = readers.report(), service.cost(), service.proxy_cpu()
            end, end_cost, proxy_cpu = readers.report(), service.cost(), service.proxy_cpu() - proxy_cpu
        finally:
            upstream.send("end")
        figures = readers.report()
    cpu = end_cost.cpu - first.cpu
    token = token_cost(cpu, begin["tokens"], end["tokens"])
    return Held(
        battles=battles,
        ready=figures["ready"],
        direct=figures["direct"],
        shown=figures["shown"],
        beyond=figures["beyond"],
        frames=figures["frames"],
        opening=begin["opening"],
        opened=max(0.0, 1000 * (first.cpu - idle.cpu) - token * begin["tokens"] / 1000) / battles,
        core=cpu / (end["at"] - begin["at"]),
        token=token,
        bare=bare_cost,
        proxy=token_cost(proxy_cpu, begin["tokens"], end["tokens"]),
        memory=(end_cost.memory - idle.memory) / battles / 1024,
        cookies=figures["cookies"],
    )


def relay_cost(service: Service, upstream: Driver, address: int, battles: int, seconds: float, form: str) -> float:
    """Microseconds of server CPU per token that reached a reader who has the answers in a form, `text` or `html`."""
    work = Workload(service.port, address, battles, 0, seconds, form=form)
    with driver(battle_load, json.dumps(asdict(work))) as readers:
        try:
            begin, first = readers.report(), service.cost()
            end, last = readers.report(), service.cost()
        finally:
            upstream.send("end")
        readers.report()
    return token_cost(last.cpu - first.cpu, begin["tokens"], end["tokens"])


def token_cost(cpu: float, start: float, end: float) -> float:
    """Microseconds per token received; per token sent, an overloaded service would seem cheap."""
    return 1_000_000 * cpu / max(1.0, end - start)


def _bare_reader_cost(address: int, battles: int, seconds: float) -> float:
    """CPU microseconds per token of a bare reader of as many answers; they end with its connections."""
    work = bare_reader.Workload(address, 2 * battles, min(seconds, BARE_SECONDS))
    with driver(bare_reader, json.dumps(asdict(work))) as reader:
        return reader.report()
