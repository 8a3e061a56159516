"""Runs the commands of a documentation page in one shell and compares their output with the page.

A page has ```console blocks with lines `$ command` (a here-document spans several lines) followed by the output; `…`
matches anything. `uv run arena` runs this checkout. `arena serve` runs in a separate terminal until the page starts it
again. Each port on the page is replaced by a free one.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.paths import PYTHONPATH, ROOT
from tests.processes import NEWCOMER, PATIENCE, until
from tests.servers import free_port

BLOCK = re.compile(r"(?ms)^```console\n(.*?)^```$")
HERE = re.compile(r"<<'(\w+)'")
OURS = f'uv() {{ shift 2; {shlex.quote(sys.executable)} -m arena "$@"; }}\n'
"""A shell function that runs `uv run arena` without a package index."""
PORT = re.compile(r"(127\.0\.0\.1(?::|\", ))(\d{4})\b")
MODEL = "docs/walks/model.py"
ENDED = "the command has ended:"
WAITING = {name: NEWCOMER[name] for name in ("ARENA_RELEASE_RATE", "ARENA_READING_SPEED", "ARENA_RANK_SECONDS")}
SETTINGS = {**WAITING, "ARENA_LOCAL": "off", "ARENA_CHECKPOINT_SECONDS": "1"}
"""Settings without waiting times and without the language model; readers have the same otherwise."""


@dataclass(frozen=True)
class Step:
    """A command and its output as the page shows it."""

    command: str
    output: str

    def fits(self, printed: str) -> bool:
        lines = "\n".join(line.rstrip() for line in printed.strip().splitlines())
        return re.fullmatch(".*".join(map(re.escape, self.output.strip().split("…"))), lines, re.DOTALL) is not None

    @property
    def stays(self) -> bool:
        """Whether the command runs in a separate terminal until it is stopped."""
        return bool(re.search(r"arena serve|^python3 \S+\.py$", self.command))


def steps(page: Path) -> list[Step]:
    return [step for block in BLOCK.findall(page.read_text("utf-8")) for step in _of_block(block)]


def _of_block(block: str) -> Iterator[Step]:
    for part in re.split(r"(?m)^\$ ", block)[1:]:
        first, rest = part.split("\n", 1)
        if end := HERE.search(first):
            body, rest = re.split(rf"(?m)^{end[1]}\n", rest, maxsplit=1)
            first += f"\n{body}{end[1]}"
        yield Step(first, rest)


@dataclass
class Terminal:
    """A shell in a folder that looks like a clone, and the commands that keep running beside it."""

    folder: Path
    ports: dict[str, str] = field(default_factory=dict)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("deploy", "tests"):
            (self.folder / name).symlink_to(ROOT / name)
        (self.folder / MODEL).parent.mkdir(parents=True)
        (self.folder / MODEL).write_text(self._with_free_ports((ROOT / MODEL).read_text("utf-8")))
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        self.environment = {**inherited, **SETTINGS, "PYTHONPATH": PYTHONPATH, "COLUMNS": "80"}
        self.shell = self._open("bash", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.shell.stdin.write(OURS)

    def _open(self, *command: str, **how) -> subprocess.Popen:
        # Processes started in the background ignore Ctrl-C by default.
        how |= {"preexec_fn": partial(signal.signal, signal.SIGINT, signal.SIG_DFL), "start_new_session": True}
        return subprocess.Popen(command, cwd=self.folder, env=self.environment, stderr=subprocess.STDOUT, **how)

    def _with_free_ports(self, text: str) -> str:
        return PORT.sub(lambda port: port[1] + self.ports.setdefault(port[2], str(free_port())), text)

    def type(self, step: Step) -> str:
        """Run a step; returns what it printed."""
        step = Step(self._with_free_ports(step.command), self._with_free_ports(step.output))
        address = f" --url http://127.0.0.1:{self.ports['8000']}" if "arena ask" in step.command else ""
        printed = self._start(step) if step.stays else self._run(step.command + address)
        assert step.fits(printed), f"$ {step.command}\n{printed}\ninstead of\n{step.output}"
        return printed

    def _run(self, command: str) -> str:
        self.shell.stdin.write(f"{{ {command}\n}} </dev/null; echo '{ENDED}' $?\n")
        self.shell.stdin.flush()
        printed = ""
        while not (end := re.search(rf"{ENDED} \d+\n$", printed)):
            line = self.shell.stdout.readline()
            assert line, printed
            printed += line
        return printed[: end.start()]

    def _start(self, step: Step) -> str:
        name = "serve" if "arena serve" in step.command else step.command
        self.end(name)
        port = f" --port {self.ports.setdefault('8000', str(free_port()))}" if name == "serve" else ""
        log = self.folder / f"{len(self.running)}.log"
        with log.open("wb") as out:
            self.running[name] = self._open("bash", "-c", f"{OURS}{step.command}{port}", stdout=out)
        until(lambda: step.fits(log.read_text()) or self.running[name].poll() is not None)
        return log.read_text()

    def end(self, name: str) -> None:
        """Stop a running command by Ctrl-C."""
        if (process := self.running.pop(name, None)) is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            process.wait(PATIENCE)

    def close(self) -> None:
        for name in list(self.running):
            self.end(name)
        self.shell.stdin.close()
        self.shell.wait(PATIENCE)
        self.shell.stdout.close()


@contextmanager
def terminal(folder: Path) -> Iterator[Terminal]:
    opened = Terminal(folder)
    try:
        yield opened
    finally:
        opened.close()
