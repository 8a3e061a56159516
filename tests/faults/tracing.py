"""Traces system calls of running processes by strace: their order, and injected failures."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.processes import PATIENCE, until

TALK = "read,readv,recvfrom,recvmsg,write,writev,sendto,sendmsg"
FLUSH = "fsync,fdatasync"
_FLUSHED = re.compile(rf"({FLUSH.replace(',', '|')}).* = 0$")


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def strace(pids: list[int], log: Path, *options: str) -> Iterator[None]:
    """Trace processes, their threads and children; `options` choose the calls and inject failures.

    Skips the test if strace is not installed or may not trace other processes.
    """
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    pids = _stop(pids)
    attached = [part for pid in pids for part in ("-p", str(pid))]
    messages = log.with_suffix(".said")
    with messages.open("wb") as err:
        strace = subprocess.Popen(["strace", "-f", "-s", "64", "-o", log, *options, *attached], stderr=err)
    try:
        until(
            lambda: all(f"Process {pid} attached" in messages.read_text() for pid in pids) or strace.poll() is not None
        )
        if "not permitted" in messages.read_text():
            pytest.skip("this machine lets nobody trace a process")
        assert strace.poll() is None, messages.read_text()
        _signal(pids, signal.SIGCONT)
        yield
    finally:
        _signal(pids, signal.SIGCONT)
        strace.send_signal(signal.SIGINT)
        strace.wait(PATIENCE)


def _stop(pids: list[int]) -> list[int]:
    """Stop processes until all are traced; returns those that have not ended."""
    _signal(pids, signal.SIGSTOP)
    until(lambda: all(_state(pid) in "TtZX" for pid in pids))
    return [pid for pid in pids if _state(pid) in "Tt"]


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _state(pid: int) -> str:
    """The state letter in /proc, or X for a process that has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def steps_of(log: Path) -> Iterator[str]:
    """The steps in order: `asked BATTLE` when a vote is read, `flushed`, and `told` when an answer is sent."""
    for line in log.read_text(errors="replace").splitlines():
        if match := re.search(r"POST /api/v1/battles/([\w-]+)/vote", line):
            yield f"asked {match[1]}"
        elif _FLUSHED.search(line):
            yield "flushed"
        elif '"HTTP/1.1 200' in line:
            yield "told"
