"""Hours of battles between two real models behind a real server: SmolLM2 twice, with two prompts, over HTTP.

ARENA_TEST_LOCAL_SECONDS says for how long, an hour unless it is set.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, quantiles

import pytest

from arena.client import ApiProblem, ArenaClient
from arena.domain.schemas.battles import DeltaEvent, TurnReadyEvent
from arena.domain.terms import Outcome, Side
from arena_providers.local.provider import find_weights
from tests.cli.commands import run

SECONDS = float(os.environ.get("ARENA_TEST_LOCAL_SECONDS", "3600"))
KEY = "known to nobody else"
PROMPTS = {"terse-smol": "Answer in one short sentence.", "wordy-smol": "Answer at length, in several sentences."}
QUESTIONS = ["Why is the sky blue?", "What is a prime number?", "Name three rivers.", "How do bees find their way?"]
VISITORS = 2
SERVER = "arena_providers.local.llama_server"


@dataclass(frozen=True)
class ModelServer:
    """Llama.cpp's server with SmolLM2; `log` has what it says of itself."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def check(self) -> None:
        """Without it every battle would end with models that rest, and nothing would say why."""
        ended = self.process.poll()
        assert ended is None, f"the model server has ended with {ended}: {self.log.read_text()[-2_000:]}"


@contextmanager
def llama(log: Path) -> Iterator[ModelServer]:
    wanted = {"weights": str(find_weights()), "alias": "smol", "key": KEY, "threads": 1, "parallel": 4, "context": 8192}
    command = [sys.executable, "-m", SERVER]
    with (
        log.open("wb") as file,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file) as server,
    ):
        server.stdin.write(json.dumps(wanted).encode() + b"\n")
        server.stdin.flush()
        yield ModelServer(json.loads(server.stdout.readline())["url"], server, log)
        server.stdin.close()


@dataclass
class Heard:
    """What voters were told, and when."""

    ended: Counter[str] = field(default_factory=Counter)
    apart: list[float] = field(default_factory=list)
    """Seconds between the first texts of the two sides."""
    rates: list[float] = field(default_factory=list)
    """Characters per second of a side, while it grew."""
    named_early: int = 0

    async def battle(self, client: ArenaClient, question: str) -> None:
        battle = await client.open_battle(question)
        shown: dict[Side, list[tuple[float, int]]] = {side: [] for side in Side}
        ready = False
        async for event in client.stream_battle(battle.id):
            self.named_early += any(name in event.model_dump_json() for name in PROMPTS)
            ready = ready or isinstance(event, TurnReadyEvent)
            if isinstance(event, DeltaEvent):
                shown[event.side].append((time.monotonic(), len(event.text)))
        self.ended["ready" if ready else "failed"] += 1
        if ready:
            self._note(shown)
            reveal = await client.cast_vote(battle.id, random.choice(list(Outcome)))
            self.ended["named"] += {reveal.a.name, reveal.b.name} == PROMPTS.keys()

    def _note(self, shown: dict[Side, list[tuple[float, int]]]) -> None:
        first, second = (frames[0][0] for frames in shown.values())
        self.apart.append(abs(first - second))
        for (begin, _), *more in shown.values():
            if more and more[-1][0] > begin:
                self.rates.append(sum(length for _, length in more) / (more[-1][0] - begin))


def causes(database: Path) -> Counter[str]:
    """Why sides failed, as the private log of replies has it."""
    with closing(sqlite3.connect(database)) as opened:
        return Counter(text for (text,) in opened.execute("SELECT error FROM replies WHERE error IS NOT NULL"))


def resident(pid: int) -> float:
    """Memory of a process in megabytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


async def visitor(url: str, until: float, heard: Heard) -> None:
    async with ArenaClient(url) as client:
        while time.monotonic() < until:
            try:
                await heard.battle(client, random.choice(QUESTIONS))
            except (ApiProblem, ConnectionError) as error:
                heard.ended[error.problem.code if isinstance(error, ApiProblem) else "connection"] += 1
                await asyncio.sleep(1)


@pytest.mark.heavy
@pytest.mark.local_model
@pytest.mark.timeout(SECONDS + 900)
def test_an_hour_with_two_real_models_is_blind_paced_and_bounded(process, tmp_path, record_property):
    with llama(tmp_path / "llama.log") as models:
        settings = {"ARENA_DATA": str(tmp_path / "data"), "LOCAL_KEY": KEY, "ARENA_RELEASE_RATE": "0"}
        for name, prompt in PROMPTS.items():
            added = [
                "--url",
                f"{models.url}/v1",
                "--wire-model",
                "smol",
                "--key-env",
                "LOCAL_KEY",
                "--max-tokens",
                "120",
            ]
            done = run(
                "endpoints", "add", name, "--private", "--no-probe", "--system-prompt", prompt, *added, **settings
            )
            assert done.returncode == 0, done.stderr
        arena = process("serve", **settings, ARENA_PROMPTS_PER_MINUTE="600").start()
        heard, memory = Heard(), [resident(arena.pid)]

        async def visits() -> None:
            until = time.monotonic() + SECONDS
            visiting = [asyncio.create_task(visitor(arena.url, until, heard)) for _ in range(VISITORS)]
            while not all(each.done() for each in visiting):
                await asyncio.sleep(1)
                models.check()
                memory.append(resident(arena.pid))
            await asyncio.gather(*visiting)

        asyncio.run(visits())
        states = run("endpoints", "list", **settings).stdout
        assert arena.stop() == 0
    record_property("ended", dict(heard.ended))
    reasons = f"{dict(heard.ended)}; {states}; {arena.log.read_text()[-4_000:]}"
    assert heard.ended["ready"], reasons
    record_property("first texts apart in s, mean and most", [round(mean(heard.apart), 3), round(max(heard.apart), 3)])
    record_property("characters per second of a side, quartiles", [round(each, 1) for each in quantiles(heard.rates)])
    record_property("why sides failed", dict(causes(tmp_path / "data" / "arena.db")))
    used = [memory[0], *quantiles(memory[len(memory) // 2 :], n=2), max(memory), memory[-1]]
    record_property(
        "memory of the arena in MB, first, median of the second half, most and last", [round(each) for each in used]
    )
    assert heard.named_early == 0
    assert heard.ended["named"] == heard.ended["ready"]
    assert set(heard.ended) <= {"ready", "named", "failed"}, reasons
    assert heard.ended["failed"] <= heard.ended["ready"] / 20
    assert max(memory) <= memory[0] + 200
    assert "Traceback" not in arena.log.read_text()
