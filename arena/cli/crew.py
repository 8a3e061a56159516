"""Several processes behind one address: started together, watched, replaced when one dies, and ended together.

All of them accept from one listening socket. Each also listens on a port of its own on this machine, where the others
reach the battles that run in it; a process that takes another's place takes over its port, and so its name.
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

from arena.cli.opening import opened
from arena.errors import Unavailable
from arena.store.engine import on_postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arena.settings import Settings

log = logging.getLogger(__name__)

PAUSE: Final = 1.0
"""Seconds before a process that died is replaced."""
_ARENA: Final = (sys.executable, "-m", "arena.cli")


def run_crew(
    settings: Settings, public: socket.socket, count: int, *, rates: bool, verbose: bool, say: Callable[[], None]
) -> None:
    """Run `count` processes that serve on `public`, and one that counts the votes if `rates`, until a signal comes.

    Raises:
        Unavailable: There is no server for the data, its schema is old, or a process does not start.
    """
    if not on_postgres(settings.database):
        raise Unavailable("several processes need PostgreSQL: set ARENA_DATABASE_URL")
    with opened(settings):
        settings.signing_secret()  # drawn once, before all of them look for it
    asyncio.run(_Crew(settings, public, count, rates=rates, verbose=verbose).run(say))


@dataclass(frozen=True, slots=True)
class Member:
    """What a process of a crew has from its parent: where it listens, and a line that is open while both live."""

    listeners: Sequence[socket.socket]
    line: socket.socket

    @staticmethod
    def of(inherited: str) -> Member:
        """The open files that were named on the command line."""
        public, own, line = (socket.socket(fileno=int(number)) for number in inherited.split(","))
        member = Member((public, own), line)
        threading.Thread(target=member.follow, daemon=True).start()
        return member

    def say(self) -> None:
        """Tell the parent that this process serves."""
        with suppress(OSError):
            self.line.sendall(b"!")

    def follow(self) -> None:
        """End when the parent does."""
        with suppress(OSError):
            self.line.recv(1)
        os.kill(os.getpid(), signal.SIGTERM)


@dataclass(slots=True)
class _Crew:
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
        posts = [_Post(number, socket.create_server(("127.0.0.1", 0))) for number in range(self.count)]
        kept = [asyncio.create_task(self._keep(post)) for post in posts]
        if self.rates:
            kept.append(asyncio.create_task(self._keep(None)))
        opened = asyncio.gather(*(post.open.wait() for post in posts))
        await asyncio.wait([opened, *kept], return_when=asyncio.FIRST_COMPLETED)
        if opened.done():
            say()
        else:
            opened.cancel()
        try:
            await asyncio.gather(*kept)
        except Unavailable:
            self.stop(signal.SIGTERM)
            await asyncio.gather(*kept, return_exceptions=True)
            raise

    def stop(self, number: int) -> None:
        """Pass a signal on; nobody is replaced from now on."""
        self.stopping.set()
        for process in self.running:
            with suppress(ProcessLookupError):
                process.send_signal(number)

    async def _keep(self, post: _Post | None) -> None:
        """Hold one place in the crew until the end; `None` is the one that counts the votes."""
        while not self.stopping.is_set():
            code = await (self._serve(post) if post else self._run("worker", number=self.count))
            if self.stopping.is_set():
                return
            if post and not post.open.is_set():
                raise Unavailable("a process did not start; what it says stands above")
            log.warning("a process ended with %d; another one takes its place", code)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), PAUSE)

    async def _serve(self, post: _Post) -> int:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            heard = asyncio.create_task(post.hear(ours))
            files = [each.fileno() for each in (self.public, post.listener, theirs)]
            arguments = ("serve", "--crew", ",".join(map(str, files)))
            try:
                return await self._run(*arguments, number=post.number, files=files, url=post.url, line=theirs)
            finally:
                heard.cancel()

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
class _Post:
    """A place in the crew: its number, its own port, and whether it was ever filled."""

    number: int
    listener: socket.socket
    open: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    async def hear(self, line: socket.socket) -> None:
        """Wait for the word of the process that holds the place."""
        if await asyncio.get_running_loop().sock_recv(line, 1):
            self.open.set()
