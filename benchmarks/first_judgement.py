"""The time from an empty folder to the first judgement, by the commands of docs/compare.md."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import httpx2

from benchmarks.load.service import ARENA, PATIENCE
from benchmarks.processes import ROOT
from benchmarks.proxy import free_port
from benchmarks.results import Row

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

PAGE: Final = ROOT / "docs/compare.md"
FILE: Final = re.compile(r"`([\w.]+)`:\n\n```text\n(.*?)```", re.DOTALL)
COMMAND: Final = re.compile(r"(?m)^uv run arena (.+)$")
GOAL: Final = 120


def measure() -> Iterator[Row]:
    """Type the first commands of docs/compare.md in an empty folder, follow the first link, and judge one item."""
    page = PAGE.read_text("utf-8")
    (name, content), (compare, serve) = FILE.findall(page)[0], COMMAND.findall(page)[:2]
    with TemporaryDirectory() as folder:
        port, start = free_port(), time.monotonic()
        env = {key: value for key, value in os.environ.items() if not key.startswith("ARENA_")}
        env |= {"ARENA_PUBLIC_URL": f"http://127.0.0.1:{port}", "ARENA_DATA": f"{folder}/data"}
        Path(folder, name).write_text(content, "utf-8")
        process = subprocess.run(
            [*ARENA, *compare.split()], env=env, cwd=folder, check=True, capture_output=True, text=True
        )
        duration, link = time.monotonic() - start, re.findall(r"http\S+#(\S+)", process.stdout)[0]
        yield Row("compare", "questions to invitations", duration, "s")
        with _serve([*ARENA, *serve.split(), "--port", str(port)], env, folder):
            _judge(f"http://127.0.0.1:{port}/api/v1/annotate/{link}/items")
            steps = ("save the questions", compare, serve, "open the link", "press a key")
            note = f"{len(steps)} steps: {'; '.join(steps)}"
            yield Row("compare", "empty folder to first judgement", time.monotonic() - start, "s", f"≤ {GOAL}", note)


@contextmanager
def _serve(command: list[str], env: Mapping[str, str], folder: str) -> Generator[None]:
    """Serve an arena for the block."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=env, cwd=folder, stdout=quiet, stderr=quiet) as process:
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def _judge(address: str) -> None:
    """Judge the first item of a link as soon as the arena answers."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(httpx2.TransportError):
            reply = httpx2.post(address, timeout=PATIENCE)
            if reply.is_success:
                number = reply.json()["items"][0]["number"]
                httpx2.put(f"{address}/{number}", json={"said": {"outcome": "a"}}, timeout=PATIENCE).raise_for_status()
                return
        time.sleep(0.05)
    raise RuntimeError(f"no item within {PATIENCE} s")
