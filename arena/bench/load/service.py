"""`arena serve` in a process of its own, started as an operator would, and what it costs."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

ARENA: Final = (sys.executable, "-m", "arena.cli")
PATIENCE: Final = 60
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_WIDE: Final = 1_000_000
"""So that no limit on people is met: all of them come from one address."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process has used and holds."""

    cpu: float
    memory: int

    @classmethod
    def of(cls, pid: int) -> Cost:
        """Seconds of CPU so far, and resident bytes now."""
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return cls((int(fields[11]) + int(fields[12])) / _TICKS, int(fields[21]) * _PAGE)


@dataclass(frozen=True, slots=True)
class Service:
    """A running arena."""

    port: int
    pid: int

    def cost(self) -> Cost:
        """What it has cost so far."""
        return Cost.of(self.pid)


def settings(folder: Path, database: str, battles: int) -> dict[str, str]:
    """Variables of an arena in `folder` that admits `battles` at once, all of them from here."""
    return {
        **os.environ,
        "ARENA_DATA": str(folder),
        "ARENA_DATABASE_URL": database,
        "ARENA_DEMO": "off",
        "ARENA_LOCAL": "off",
        "ARENA_TERMS": "0",
        "ARENA_GRACE_SECONDS": "0",
        "ARENA_RUNNING": str(10 * battles),
        "ARENA_RUNNING_PER_ENDPOINT": str(10 * battles),
        "ARENA_RUNNING_PER_VOTER": str(battles),
        "ARENA_RUNNING_PER_ADDRESS": str(10 * battles),
        "ARENA_PROMPTS_PER_MINUTE": str(_WIDE),
        "ARENA_PROMPTS_PER_MINUTE_PER_ADDRESS": str(_WIDE),
    }


def run(*arguments: str, env: Mapping[str, str]) -> None:
    """Run another command of the arena to its end; raises with its words if it fails."""
    done = subprocess.run([*ARENA, *arguments], env=env, capture_output=True, text=True, check=False)  # noqa: S603 - ourselves
    if done.returncode:
        raise RuntimeError(f"arena {' '.join(arguments)}: {done.stderr.strip()}")


@contextmanager
def serving(env: Mapping[str, str]) -> Generator[Service]:
    """One process that serves and counts no votes, ended by a signal; its log lies in its folder."""
    command, log = [*ARENA, "serve", "--port", "0", "--no-worker"], Path(env["ARENA_DATA"], "serve.log")
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        log.open("w") as errors,
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=errors, text=True) as process,  # noqa: S603 - ourselves
    ):
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            found = re.search(r":(\d+)\s*$", process.stdout.readline())
            if found is None:
                raise RuntimeError(f"arena serve does not start: {log.read_text().strip()}")
            yield Service(int(found[1]), process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
