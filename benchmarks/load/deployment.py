"""Several serving processes, a worker and the proxy before them, as `deploy` runs them."""

from __future__ import annotations

import secrets
import subprocess
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import proxy
from benchmarks.load.service import ARENA, PATIENCE, Service, serving

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping


@contextmanager
def deployed(env: Mapping[str, str], count: int) -> Generator[Service]:
    """Run so many serving processes on a database server, each with an address and a data folder of its own.

    Raises:
        NotMeasured: nginx is missing, or does not start.
    """
    folder = Path(env["ARENA_DATA"])
    shared = {
        **env,
        "ARENA_SECRET": secrets.token_hex(32),
        "ARENA_LOG_FOLDER": str(folder / "log"),
        "ARENA_TRUSTED_HOPS": "1",
        "ARENA_PROCESSES": str(count),
    }
    with ExitStack() as stack:
        stack.enter_context(_working(shared))
        ports = [proxy.free_port() for _ in range(count)]
        parts = [stack.enter_context(serving(_own(shared, folder / str(port), port), port)) for port in ports]
        front = stack.enter_context(proxy.proxying(folder / "proxy", ports))
        yield Service(front.port, tuple(pid for part in parts for pid in part.processes), parts[0].log, front)


def _own(env: Mapping[str, str], data: Path, port: int) -> dict[str, str]:
    return {**env, "ARENA_DATA": str(data), "ARENA_INTERNAL_URL": f"http://127.0.0.1:{port}"}


@contextmanager
def _working(env: Mapping[str, str]) -> Generator[None]:
    """Run the worker until the end of the block."""
    with (
        Path(env["ARENA_DATA"], "worker.log").open("w") as log,
        subprocess.Popen([*ARENA, "worker"], env=env, stdout=log, stderr=log) as process,  # noqa: S603 - own command
    ):
        try:
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)
