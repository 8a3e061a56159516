"""Fresh databases: a SQLite file, or a new database on the operator's server."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from arena.adapters.store.engine import address
from arena.adapters.store.migration import migrate

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from contextlib import AbstractContextManager
    from pathlib import Path

    Databases = Callable[[Path], AbstractContextManager[str]]


@contextmanager
def sqlite(folder: Path) -> Generator[str]:
    """Create a SQLite file in `folder` and return its address."""
    url = f"sqlite:///{(folder / 'bench.db').as_posix()}"
    migrate(url)
    yield url


def postgres(server: str) -> Databases:
    """Create databases on the server at this address, whose user must be allowed to; each is dropped afterwards."""

    @contextmanager
    def opened(_folder: Path) -> Generator[str]:
        name = f"arena_bench_{secrets.token_hex(4)}"
        asyncio.run(_run(server, f'CREATE DATABASE "{name}"'))
        try:
            url = make_url(server).set(database=name).render_as_string(hide_password=False)
            migrate(url)
            yield url
        finally:
            asyncio.run(_run(server, f'DROP DATABASE "{name}" WITH (FORCE)'))

    return opened


async def _run(server: str, statement: str) -> None:
    engine = create_async_engine(address(server), isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(text(statement))
    finally:
        await engine.dispose()
