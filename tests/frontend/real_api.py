"""The pages with the real API on a database of its own, in the tests' process.

For pages of what an arena holds. A fake stays for what cannot be brought about otherwise: failures, a certain pace, a
worker's results, and states of models.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from fastapi import FastAPI

from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.store.engine import open_database
from arena.api.http.voter_cookie import Cookies
from arena.calls.targets import Keys
from arena.serving.composition import whole_app
from arena.usecases.battles.runtime import Runtime
from arena.usecases.endpoints.ownership import OwnerRules
from arena_frontend.asgi import Site

from .fake_owners import OPERATOR_KEY


def complete(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end on a thread of its own, since Playwright's loop runs in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


@contextmanager
def real_api(url: str, pages: Site) -> Iterator[FastAPI]:
    """The application on a migrated database, with its pages."""
    database = open_database(url)
    limits, keys = MemoryLimits(Allowance(), lambda: 0.0), Keys({}.get)
    runtime = Runtime(database=database, providers={}, limits=limits, keys=keys, now=lambda: datetime.now(UTC))
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=OPERATOR_KEY))
    app.state.pages = pages
    yield app
    complete(runtime.close(0))
    database.close()
