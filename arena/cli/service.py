"""Everything that `arena serve` runs, put together: database, providers, stage, door, pages and worker."""

from __future__ import annotations

import asyncio
import gc
import time
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from typing import TYPE_CHECKING

from arena import battles, endpoints
from arena.api.app import create_app
from arena.api.metrics import published, watch_database, watch_places
from arena.api.server import Server, run
from arena.api.voter import Cookies
from arena.battles import Pace, Stage
from arena.cli.opening import alone, keys, now, opened
from arena.cli.telemetry import exported
from arena.cli.worker import working
from arena.endpoints import OwnerRules, Prober
from arena.health import Health, Rules
from arena.limits import Allowance, Limits, MemoryLimits
from arena.providers import registry
from arena.providers.deadlines import TimeLimits
from arena.providers.egress import Policy
from arena.settings import Settings
from arena.store.engine import Database, on_postgres
from arena.worker import watch_models
from frontend.app import create_app as create_pages

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncGenerator, Callable, Sequence

    from fastapi import FastAPI


def run_service(
    settings: Settings, listeners: Sequence[socket.socket], *, rates: bool, say: Callable[[], None]
) -> None:
    """Serve on `listeners` until a signal comes, and `say` so; `rates` tells whether the votes are counted here too.

    Raises:
        Unavailable: The data folder is taken.
    """
    # On a server the arena is one of many; a file belongs to one.
    many = on_postgres(settings.database)
    with (
        nullcontext() if many else alone(settings.data),
        published(settings.metrics_host, settings.metrics_port),
        exported(settings),
        opened(settings) as database,
    ):
        run(_serve(settings, listeners, database, many=many, rates=rates, say=say))


async def _serve(
    settings: Settings,
    listeners: Sequence[socket.socket],
    database: Database,
    *,
    many: bool,
    rates: bool,
    say: Callable[[], None],
) -> None:
    watch_database(database)
    async with AsyncExitStack() as stack:
        await battles.sweep(database, now(), starting=(settings.internal_url or None) if many else "")
        app = await _app(settings, database, stack)
        if rates:
            await stack.enter_async_context(working(settings, database))
        # All that is loaded by now stays to the end: searching it for garbage would hold up streams, and the way out.
        gc.freeze()
        grace = settings.grace_seconds
        await Server(app, listeners, grace=grace, opened=say).run_until_stopped()


async def _app(settings: Settings, database: Database, stack: AsyncExitStack) -> FastAPI:
    builtin = await stack.enter_async_context(
        registry.opened(
            connect=settings.connect_seconds,
            local=settings.local == "auto",
            policy=Policy.parse(settings.egress_allow),
        )
    )
    await endpoints.settle_builtin(database, builtin.endpoints, settings.demo, now())
    stage = Stage(
        database=database,
        providers=builtin.providers,
        limits=await stack.enter_async_context(_limits(settings)),
        keys=keys(settings),
        now=now,
        pace=Pace(settings.frame_seconds, settings.frame_characters),
        times=_times(settings),
        process=settings.internal_url,
        reasoning=settings.show_reasoning,
        terms=settings.terms,
        health=Health(Rules(at_once=settings.running_per_endpoint), time.monotonic),
    )
    watch_places(stage.limits, settings.running)
    rules = _rules(settings)
    prober = Prober(stage.caller, builtin.client, rules)
    stack.push_async_callback(_end, asyncio.create_task(prober.run()))
    stack.push_async_callback(_end, asyncio.create_task(watch_models(stage.caller, pause=settings.fingerprint_seconds)))
    cookies = Cookies(settings.signing_secret(), settings.secure_cookie)
    app = create_app(stage, cookies, rules=rules, body_limit=settings.body_limit, hops=settings.trusted_hops)
    app.state.pages = create_pages(settings.public_url)
    return app


@asynccontextmanager
async def _limits(settings: Settings) -> AsyncGenerator[Limits]:
    if not settings.redis_url:
        yield MemoryLimits(_allowance(settings), time.monotonic)
        return
    # Its driver is loaded only where it is needed.
    from arena.limits.redis import opened as limits_in_redis  # noqa: PLC0415

    async with limits_in_redis(settings.redis_url, _allowance(settings), settings.processes) as limits:
        yield limits


def _allowance(settings: Settings) -> Allowance:
    return Allowance(
        prompts_per_voter=settings.prompts_per_minute,
        prompts_per_address=settings.prompts_per_minute_per_address,
        running_per_voter=settings.running_per_voter,
        running_per_address=settings.running_per_address,
        running=settings.running,
    )


def _rules(settings: Settings) -> OwnerRules:
    return OwnerRules(
        invitation=settings.invitation.get_secret_value(),
        approval=settings.approval,
        operator_key=settings.operators_key(),
        policy=Policy.parse(settings.egress_allow),
        demo=settings.demo,
        sign_ups=settings.sign_ups_per_hour,
        probes=settings.probes_per_hour,
    )


def _times(settings: Settings) -> TimeLimits:
    return TimeLimits(
        connect=settings.connect_seconds,
        first_token=settings.first_token_seconds,
        between_tokens=settings.between_tokens_seconds,
        total=settings.total_seconds,
    )


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
