"""The work of an arena that is measured: a pass of each loop, and a request to each route that only reads."""

from __future__ import annotations

import re
import secrets
from collections import defaultdict
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

import httpx2
from fastapi.routing import APIRoute

from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.store.leases import unguarded
from arena.api.http.voter_cookie import Cookies
from arena.calls.targets import Keys
from arena.serving.composition import whole_app
from arena.serving.publisher import Publisher
from arena.usecases.battles.runtime import Runtime
from arena.usecases.endpoints import figures, monitoring
from arena.usecases.endpoints.monitoring.fingerprints import due_endpoints
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.people.webhooks import WebhookSender
from arena.usecases.ranking.methods import Method
from arena_providers.transport.http_client import HttpClient
from arena_rating import EloParameters, LeaderboardParameters

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable
    from concurrent.futures import Executor
    from datetime import datetime

    from arena.adapters.store.engine import Database

KEY: Final = "k" * 40
METHOD: Final = Method(LeaderboardParameters(EloParameters(orders=30)), seed=3)
PERIOD: Final = 10.0
VALUES: Final = {"name": "model-1", "a": "model-1", "b": "model-2", "endpoint_id": "1", "number": "1"}
"""Values of path parameters; a route with others is left out."""
STREAMED: Final = {"/api/v1/votes/export": "the answer is the whole log, sent in pieces"}
"""Routes whose cost is in proportion to their answer, so that it has no bound, with the reason."""
_PARAMETER: Final = re.compile(r"{(\w+)[^}]*}")


@dataclass(frozen=True, slots=True)
class Work:
    """One thing to measure: a pass of a loop, or a request to a path."""

    kind: str
    name: str
    run: Callable[[], Awaitable[object]]


@asynccontextmanager
async def works(database: Database, executor: Executor, now: datetime) -> AsyncGenerator[list[Work]]:
    """All work of an arena on this database, at this time."""
    runtime = Runtime(
        database=database,
        providers={},
        limits=MemoryLimits(Allowance(prompts_per_voter=1_000, running_per_voter=100), lambda: 0.0),
        keys=Keys(defaultdict[str, str | None](lambda: None).get),
        now=lambda: now,
    )
    app = whole_app(runtime, Cookies(b"a secret of a benchmark"), rules=OwnerRules(operator_key=KEY))
    transport = httpx2.ASGITransport(app)
    headers = {"Authorization": f"Bearer {KEY}"}
    async with (
        HttpClient() as calls,
        httpx2.AsyncClient(transport=transport, base_url="http://arena.test", headers=headers, timeout=600) as client,
    ):
        yield [*_loops(runtime, calls, executor), *_requests(app, client)]


def _loops(runtime: Runtime, calls: HttpClient, executor: Executor) -> list[Work]:
    publisher = Publisher(runtime.database, METHOD, executor, runtime.now)
    passes = [Work("loop", loop.name, lambda loop=loop: loop.work(unguarded)) for loop in publisher.loops(PERIOD)]
    sender = WebhookSender(runtime.database, calls, secrets.token_bytes(32), runtime.now)
    unknown = monitoring.FailureSearch()
    # As many as the fewest battles of one publication have at most; the calls of others are not judged.
    fought = range(1, 2 * figures.STEP + 1)
    unknown_finishes = partial(monitoring.suspend_unknown_finishes, runtime.database, unknown, runtime.now())
    search, rng = monitoring.FailureSearch(), Random(1)
    return [
        *passes,
        Work("loop", "webhooks", sender.send_due),
        Work("loop", "mute endpoints", lambda: monitoring.suspend_mute(runtime.caller, calls, search, rng, 1.0)),
        Work("loop", "unknown finishes", unknown_finishes),
        Work("loop", "failing endpoints", lambda: monitoring.suspend_failing(runtime.database, fought, runtime.now())),
        Work("loop", "due fingerprints", lambda: runtime.database.read(due_endpoints, runtime.now())),
    ]


def _requests(app: Any, client: httpx2.AsyncClient) -> list[Work]:  # noqa: ANN401 - an application as FastAPI types it
    templates = sorted(
        {route.path for route in app.routes if isinstance(route, APIRoute) and "GET" in (route.methods or ())}
    )
    paths = [_PARAMETER.sub(lambda match: VALUES.get(match[1], ""), path) for path in templates if _is_known(path)]
    return [
        Work("operator" if "/operator" in path else "route", path, partial(_answer, client, path)) for path in paths
    ]


async def _answer(client: httpx2.AsyncClient, path: str) -> httpx2.Response:
    """The answer as it is sent: what a reader takes to unpack it is no cost of the arena."""
    async with client.stream("GET", path) as answer:
        return answer


def _is_known(template: str) -> bool:
    return "events" not in template and set(_PARAMETER.findall(template)) <= VALUES.keys()
