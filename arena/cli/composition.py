"""Composition root of `arena serve`: database, providers, runtime, API, pages and worker."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING

from arena.adapters.breaker import CircuitBreakers, Rules
from arena.adapters.limits import Allowance, Bounds, Limits, MemoryLimits, share_per_address
from arena.adapters.log_files import LogFiles
from arena.adapters.providers import registry
from arena.adapters.providers.transport.egress import Policy
from arena.adapters.store.engine import Database, on_postgres
from arena.api.app import create_app
from arena.api.metrics_server import published, watch_database, watch_places
from arena.api.server import Server, run
from arena.api.voter_cookie import Cookies
from arena.cli.context import alone, keys, now, opened, times
from arena.cli.trace_export import exported
from arena.cli.worker import working
from arena.domain.errors import Invalid, KeyLost, KeysNotAccepted
from arena.frontend.app import create_app as create_pages
from arena.settings import Settings
from arena.usecases import battles, endpoints, question_sets
from arena.usecases.battles import Pace, Runtime
from arena.usecases.endpoints import OwnerRules, Prober
from arena.usecases.labelling.endpoint_labels import endpoint_source
from arena.usecases.transparency import origins
from arena.worker.labeller import NAME as LABEL
from arena.worker.labeller import label
from arena.worker.lead import Lead
from arena.worker.loop import watch_models, watch_newcomers

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncGenerator, Callable, Sequence
    from concurrent.futures import Executor

    from fastapi import FastAPI

    from arena.calls.single import Caller
    from arena.domain.schemas import LeaderboardView
    from arena.domain.tlog.keys import Signer

log = logging.getLogger(__name__)


def run_service(
    settings: Settings, listeners: Sequence[socket.socket], *, fits: Executor | None, say: Callable[[], None]
) -> None:
    """Serve on `listeners` until a signal arrives; `say` is called when ready.

    With `fits`, which runs the fits, the worker runs here too.

    Raises:
        Unavailable: Another service uses the data folder.
    """
    # Many processes share a database server; a SQLite file belongs to one.
    many = on_postgres(settings.database)
    with (
        nullcontext() if many else alone(settings.data),
        published(settings.metrics_host, settings.metrics_port),
        exported(settings),
        opened(settings) as database,
    ):
        run(_serve(settings, listeners, database, many=many, fits=fits, say=say))


async def _serve(
    settings: Settings,
    listeners: Sequence[socket.socket],
    database: Database,
    *,
    many: bool,
    fits: Executor | None,
    say: Callable[[], None],
) -> None:
    watch_database(database)
    async with AsyncExitStack() as stack:
        await battles.sweep(database, now(), starting=(settings.internal_url or None) if many else "")
        app = await _app(settings, database, stack)
        if fits:
            await stack.enter_async_context(working(settings, database, fits))
        # Everything loaded by now lives until exit: collecting it again would pause streams and delay the exit.
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
    if settings.shipped_questions == "auto":
        await question_sets.settle_shipped(database, now())
    in_battles, in_chats = Rules(at_once=settings.running_per_endpoint).shared()
    runtime = Runtime(
        database=database,
        providers=builtin.providers,
        limits=await stack.enter_async_context(_limits(settings)),
        keys=keys(settings),
        now=now,
        pace=Pace(settings.frame_seconds, settings.frame_characters, settings.start_seconds),
        times=times(settings),
        process=settings.internal_url,
        reasoning=settings.show_reasoning,
        terms=settings.terms,
        promises=await _promises(settings, database),
        log=LogFiles(settings.published_log),
        bounds=_bounds(settings),
        breakers=CircuitBreakers(in_battles, time.monotonic),
        chat_breakers=CircuitBreakers(in_chats, time.monotonic, "chats"),
    )
    watch_places(runtime.limits, settings.running)
    rules = _rules(settings)
    prober = Prober(runtime.caller, builtin.client, rules, seconds=settings.probe_seconds)
    stack.push_async_callback(_end, asyncio.create_task(prober.run()))
    stack.push_async_callback(
        _end, asyncio.create_task(watch_models(runtime.caller, pause=settings.fingerprint_seconds))
    )
    watching = watch_newcomers(runtime.caller, builtin.client, seconds=settings.probe_seconds)
    stack.push_async_callback(_end, asyncio.create_task(watching))
    await stack.enter_async_context(_labelling(settings, runtime.caller))
    cookies = Cookies(settings.signing_secret(), settings.secure_cookie)
    app = create_app(
        runtime,
        cookies,
        rules=rules,
        bot_check=settings.bot_check,
        body_limit=settings.body_limit,
        hops=settings.trusted_hops,
    )
    app.state.pages = create_pages(settings.public_url, partial(_leaderboard, app))
    return app


@asynccontextmanager
async def _labelling(settings: Settings, caller: Caller) -> AsyncGenerator[None]:
    """Have votes labelled by an endpoint in the background of the block, by one process of all."""
    if not settings.labeller:
        yield
        return
    source, terms = endpoint_source(settings.labeller), settings.label_terms
    if not terms:
        raise Invalid("ARENA_LABELLER: set ARENA_LABEL_TERMS to the version of your terms that says so")
    turns = Lead(caller.database, now, name=LABEL).kept() if on_postgres(settings.database) else nullcontext()
    async with turns as lead:
        task = asyncio.create_task(label(caller, source, terms, lead))
        try:
            yield
        finally:
            await _end(task)


async def _leaderboard(app: FastAPI) -> LeaderboardView:
    """Return the newest leaderboard, for the first bytes of the pages."""
    return (await app.state.board.page()).view


async def _promises(settings: Settings, database: Database) -> Signer | None:
    """Return the key that signs promises to voters; without a master key there are none, and votes go on."""
    try:
        return await database.write(origins.promise_key, keys(settings).keyring, settings.log_host, now())
    except KeysNotAccepted:
        log.warning("voters get no promise of the transparency log: set ARENA_SECRET_KEY (`arena secrets new`)")
    except KeyLost as error:
        log.warning("voters get no promise of the transparency log: %s", error)
    return None


@asynccontextmanager
async def _limits(settings: Settings) -> AsyncGenerator[Limits]:
    if not settings.redis_url:
        yield MemoryLimits(_allowance(settings), time.monotonic)
        return
    # The Redis driver is imported only if it is used.
    from arena.adapters.limits.redis import opened as limits_in_redis  # noqa: PLC0415

    async with limits_in_redis(settings.redis_url, _allowance(settings), settings.processes) as limits:
        yield limits


def _allowance(settings: Settings) -> Allowance:
    return Allowance(
        prompts_per_voter=settings.prompts_per_minute,
        prompts_per_address=settings.prompts_per_minute_per_address,
        running_per_voter=settings.running_per_voter,
        running_per_address=settings.running_per_address or share_per_address(settings.running),
        running=settings.running,
    )


def _bounds(settings: Settings) -> Bounds:
    return Bounds(
        secret=settings.signing_secret(),
        battles=settings.battles_per_day_per_address,
        votes=settings.votes_per_day_per_address,
        abandoned=settings.abandoned_share,
        abandoned_from=settings.abandoned_from,
        reading_speed=settings.reading_speed,
        alarm_votes=settings.alarm_votes,
        bot_check=settings.bot_check == "require",
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


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
