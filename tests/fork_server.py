"""Starts `python -m MODULE …` by forking a process that has imported the whole arena.

For most tests the imports of a service take more processor time than the rest of its work. A forked process has its own
environment, folder, session, output, signals and exit code, and runs the module as `__main__`. Tests of the start
itself run the real command.

Run as a module this file is the server. An order and its output files arrive on standard input, a socket. For each
order a guard is forked, which forks the process, waits for it and sends its exit code.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO

import httpcore2

from tests.paths import PYTHONPATH, ROOT

LIMIT = 2**17
"""Longest order in bytes; the environment is its largest part."""
PRELOADED = (
    "arena.serving.commands",
    "arena.serving.composition",
    "arena.serving.serve",
    "arena.serving.supervisor",
    "arena.serving.worker",
    "arena.evaluations.cli.evaluations",
    "arena.cli.endpoints",
    *("arena_frontend.pages.battle.page", "arena_frontend.pages.leaderboard.page"),
    # What a start imports late, which takes a third of its processor time in an empty folder.
    *("alembic.command", "arena.adapters.store.engine.migration", "arena.evaluations.usecases.sets.shipped"),
    *("asyncpg", "cryptography.hazmat.primitives.asymmetric.ed25519", "numpy.random", "py3langid", "sqlite3"),
    *("sqlalchemy.ext.asyncio", "uvicorn.loops.uvloop"),
)
"""Modules that are imported before the fork. None of them may start a thread, since threads do not survive a fork."""


class Forked:
    """A forked process, with the part of the interface of `subprocess.Popen` that tests use."""

    def __init__(self, reply: socket.socket) -> None:
        self._reply = reply
        self.pid = int(reply.recv(32))
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._reply.settimeout(timeout)
            try:
                self.returncode = int(self._reply.recv(32))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0) from None
            self._reply.close()
        return self.returncode

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def fork(module: str, *words: str, folder: Path, environment: Mapping[str, str], output: IO[bytes]) -> Forked:
    """Start `python -m MODULE WORDS…` in `folder`; both of its outputs go to `output`."""
    order = json.dumps([module, words, str(folder), dict(environment)]).encode()
    assert len(order) < LIMIT
    sys.audit("tests.fork", module)
    our_end, their_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with their_end:
        socket.send_fds(_server(), [order], [output.fileno(), their_end.fileno()])
    return Forked(our_end)


@cache
def _server() -> socket.socket:
    """The fork server of this test process; it ends when our end of the socket is closed."""
    our_end, their_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.fork_server"]
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}
    with their_end:
        server = subprocess.Popen(command, stdin=their_end.fileno(), cwd=ROOT, env=environment, start_new_session=True)
    server.returncode = 0  # nobody waits for it
    atexit.register(our_end.close)
    return our_end


def _preload() -> None:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as in the services; more would start threads
    gc.disable()
    for name in PRELOADED:
        import_module(name)
    httpcore2.default_ssl_context = cache(httpcore2.default_ssl_context)  # reading certificates takes 25 ms
    httpcore2.default_ssl_context(_trust_env=False)
    gc.freeze()
    gc.enable()


def _guard(order: bytes, output: int, reply: int) -> None:
    """Fork the process, wait for it and send its exit code; returns only in the forked process."""
    with socket.socket(fileno=reply) as line:
        pid = os.fork()
        if pid:
            os.close(output)
            line.send(str(pid).encode())
            ended, _, _ = select.select([watch := os.pidfd_open(pid), line], [], [])
            if watch not in ended:  # the test process has died or dropped the socket
                os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
            with suppress(OSError):
                line.send(str(os.waitstatus_to_exitcode(status)).encode())
            os._exit(0)
    os.setsid()
    for number in (1, 2):
        os.dup2(output, number)
    os.close(output)
    _become(*json.loads(order))


def _become(module: str, words: list[str], folder: str, environment: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = [module, *words]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _reap() -> None:
    """Reap guards that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _serve() -> None:
    line = socket.socket(fileno=0)
    _preload()
    while True:
        order, files, *_ = socket.recv_fds(line, LIMIT, 2)
        if not order:
            return
        _reap()
        if not os.fork():
            line.detach()
            _guard(order, *files)
            return
        for number in files:
            os.close(number)


if __name__ == "__main__":
    _serve()
