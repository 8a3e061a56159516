"""The supervisor of several serving processes behind one address: it starts, watches, replaces and stops them.

All processes accept connections from one listening socket. Each also listens on a port of its own on this machine, to
which the others forward requests for battles that run in it; a replacement takes over this port, and so its address.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
from asyncio.subprocess import Process
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.store.engine import on_postgres
from arena.cli.context import opened
from arena.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arena.settings import Settings

log = logging.getLogger(__name__)

RESTART_SECONDS: Final = 1.0
"""Seconds before a process that exited is replaced."""
_ARENA: Final = (sys.executable, "-m", "arena")


def supervise(
    settings: Settings, public: socket.socket, count: int, *, rates: bool, verbose: bool, say: Callable[[], None]
) -> None:
    """Run `count` processes that serve on `public`, and a worker process if `rates`, until a signal arrives.

    Raises:
        Unavailable: The database is not PostgreSQL, its schema is old, or a process does not start.
    """
    if not on_postgres(settings.database):
        raise Unavailable("several processes need PostgreSQL: set ARENA_DATABASE_URL")
    with opened(settings):
        settings.signing_secret()  # generated once, before all processes read it
    asyncio.run(_Supervisor(settings, public, count, rates=rates, verbose=verbose).run(say))


@dataclass(frozen=True, slots=True)
class SupervisedProcess:
    """A serving process's view of its supervisor: inherited listening sockets, and a socket to the supervisor."""

    listeners: Sequence[socket.socket]
    line: socket.socket

    @staticmethod
    def of(inherited: str) -> SupervisedProcess:
        """Take over the file descriptors that the supervisor named on the command line."""
        public, private, line = (socket.socket(fileno=int(number)) for number in inherited.split(","))
        child = SupervisedProcess((public, private), line)
        threading.Thread(target=child.exit_with_parent, daemon=True).start()
        return child

    def report_ready(self) -> None:
        """Tell the supervisor that this process serves."""
        with suppress(OSError):
            self.line.sendall(b"!")

    def exit_with_parent(self) -> None:
        """Wait until the supervisor has ended, then stop this process."""
        with suppress(OSError):
            self.line.recv(1)
        os.kill(os.getpid(), signal.SIGTERM)


@dataclass(slots=True)
class _Supervisor:
    settings: Settings
    public: socket.socket
    count: int
    rates: bool
    verbose: bool
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    running: set[Process] = field(default_factory=set[Process])

    async def run(self, say: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.stop, number)
        slots = [_Slot(number, socket.create_server(("127.0.0.1", 0))) for number in range(self.count)]
        keepers = [asyncio.create_task(self._keep(slot)) for slot in slots]
        if self.rates:
            keepers.append(asyncio.create_task(self._keep(None)))
        opened = asyncio.gather(*(slot.ready.wait() for slot in slots))
        await asyncio.wait([opened, *keepers], return_when=asyncio.FIRST_COMPLETED)
        if opened.done():
            say()
        else:
            opened.cancel()
        try:
            await asyncio.gather(*keepers)
        except Unavailable:
            self.stop(signal.SIGTERM)
            await asyncio.gather(*keepers, return_exceptions=True)
            raise

    def stop(self, number: int) -> None:
        """Forward a signal to all processes, and replace none from now on."""
        self.stopping.set()
        for process in self.running:
            with suppress(ProcessLookupError):
                process.send_signal(number)

    async def _keep(self, slot: _Slot | None) -> None:
        """Keep one process running, the worker if `slot` is None, until the supervisor stops."""
        while not self.stopping.is_set():
            code = await (self._serve(slot) if slot else self._run("worker", number=self.count))
            if self.stopping.is_set():
                return
            if slot and not slot.ready.is_set():
                raise Unavailable("a process did not start; see its message above")
            log.warning("a process exited with code %d and is replaced", code)
            with suppress(TimeoutError):
                async with asyncio.timeout(RESTART_SECONDS):
                    await self.stopping.wait()

    async def _serve(self, slot: _Slot) -> int:
        line, child_line = socket.socketpair()
        with line, child_line:
            line.setblocking(False)
            readiness = asyncio.create_task(slot.wait_ready(line))
            files = [inherited.fileno() for inherited in (self.public, slot.listener, child_line)]
            arguments = ("serve", "--inherited", ",".join(map(str, files)))
            try:
                return await self._run(*arguments, number=slot.number, files=files, url=slot.url, line=child_line)
            finally:
                readiness.cancel()

    async def _run(
        self, *arguments: str, number: int, files: Sequence[int] = (), url: str = "", line: socket.socket | None = None
    ) -> int:
        metrics = self.settings.metrics_port
        environment = {
            **os.environ,
            "ARENA_INTERNAL_URL": url,
            "ARENA_PROCESSES": str(max(self.settings.processes, self.count)),
            "ARENA_METRICS_PORT": str(metrics + number if metrics else 0),
        }
        options = ("--verbose",) if self.verbose else ()
        process = await asyncio.create_subprocess_exec(*_ARENA, *arguments, *options, env=environment, pass_fds=files)
        if line:
            line.close()
        self.running.add(process)
        if self.stopping.is_set():
            process.terminate()
        try:
            return await process.wait()
        finally:
            self.running.discard(process)


@dataclass(slots=True)
class _Slot:
    """A serving process to keep running: its number, its own port, and whether it was ever ready."""

    number: int
    listener: socket.socket
    ready: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    async def wait_ready(self, line: socket.socket) -> None:
        """Wait until the process reports that it is ready."""
        if await asyncio.get_running_loop().sock_recv(line, 1):
            self.ready.set()
