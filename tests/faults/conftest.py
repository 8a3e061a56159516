"""Fixtures of the fault tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.adapters.store.engine.migration import migrate
from tests.servers import Postgres

HERE = Path(__file__).parent


@pytest.fixture
def durable() -> Iterator[Postgres]:
    """A PostgreSQL server that flushes to disk."""
    server = Postgres()
    migrate(server.url)
    yield server
    server.remove()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give these tests a longer timeout: they start processes, and heavy ones run for long."""
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.timeout(3600 if item.get_closest_marker("heavy") else 600))
