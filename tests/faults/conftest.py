"""Fixtures of the fault tests: processes that are gone at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.adapters.store.engine.migration import migrate
from tests.faults.processes import Process
from tests.servers import Postgres

HERE = Path(__file__).parent


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """`process("serve", "--no-worker", ARENA_…="…")`, not yet started."""
    made: list[Process] = []

    def make(command: str, *arguments: str, **settings: str) -> Process:
        made.append(Process(tmp_path, command, *arguments, **{"ARENA_DATA": str(tmp_path / "data"), **settings}))
        return made[-1]

    yield make
    for each in made:
        each.remove()


@pytest.fixture
def durable() -> Iterator[Postgres]:
    """A server that flushes as in earnest."""
    server = Postgres()
    migrate(server.url)
    yield server
    server.remove()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Starting a process takes its time on a busy machine, and the long runs take theirs."""
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.timeout(3600 if item.get_closest_marker("heavy") else 600))
