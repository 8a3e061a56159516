"""Composition root of `arena serve`: database, providers, runtime, API, pages and worker."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from arena.adapters.background import in_background, repeat
from arena.adapters.breaker import BreakerRules, CircuitBreakers
from arena.adapters.limits import Allowance, Bounds, Limits, MemoryLimits, share_per_address
from arena.adapters.log_files import LogFiles
from arena.adapters.store.engine import Database, on_postgres
from arena.api.app import NOBODY_ASKED, create_app
from arena.api.http.metrics_server import published, watch_database, watch_places
from arena.api.http.voter_cookie import Cookies
from arena.cli.call_settings import keys, times
from arena.cli.context import alone, now, opened
from arena.domain.errors import Invalid, KeyLost, KeysNotAccepted
from arena.domain.site import imprint_missing
from arena.evaluations import api as evaluations
from arena.serving.endpoint_watches import (
    WEBHOOKS,
    fingerprints_loop,
    mute_endpoints_loop,
    probes_loop,
    unknown_finishes_loop,
    webhooks_loop,
)
from arena.serving.entrance import entrance
from arena.serving.evaluation_runner import NAME as EVALUATE
from arena.serving.evaluation_runner import evaluations_loop
from arena.serving.fit_process import fitting_process
from arena.serving.gradio_door import GradioDoor
from arena.serving.labeller import NAME as LABEL
from arena.serving.labeller import labeller_loop
from arena.serving.loops import run_loops
from arena.serving.presence import present
from arena.serving.trace_export import exported
from arena.serving.worker import working
from arena.settings import Settings
from arena.usecases.battles import sweeper
from arena.usecases.battles.followed_pace import FollowedPace
from arena.usecases.battles.runtime import Runtime
from arena.usecases.endpoints.builtin import settle_builtin
from arena.usecases.endpoints.monitoring import Prober
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.labelling.endpoint_labels import endpoint_source
from arena.usecases.transparency import origins
from arena.usecases.work_lease import hold_lease
from arena_providers import registry

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from fastapi import FastAPI
    from starlette.types import ASGIApp

    from arena.calls.caller import Caller
    from arena.serving.loops import Loop
    from arena.usecases.work_lease import WorkLease
    from arena_providers.transport.http_client import HttpClient
    from arena_trust.tlog.keys import Signer

log = logging.getLogger(__name__)

GARBAGE: Final = (10_000, 10, 10)
"""Thresholds of the garbage collector while the arena serves: streams stop during a collection, for a microsecond and
more for each new object."""


@asynccontextmanager
async def built(
    settings: Settings, pages: ASGIApp, *, worker: bool, listening: tuple[str, int] = ("127.0.0.1", 0)
) -> AsyncGenerator[FastAPI]:
    """Build the arena for the block, with its pages; with `worker` the worker runs beside it.

    `listening` is the host and port at which it is served.

    Raises:
        Unavailable: Another service uses the data folder.
    """
    # Many processes share a database server; a SQLite file belongs to one.
    many = on_postgres(settings.database)
    with ExitStack() as resources:
        # In a thread: pages are served meanwhile, and a database may have to be migrated.
        database = await asyncio.to_thread(_open, settings, resources, many=many)
        watch_database(database)
        await sweeper.sweep(database, now(), starting=(settings.internal_url or None) if many else "")
        async with AsyncExitStack() as stack:
            door = GradioDoor(settings, listening)
            stack.push_async_callback(door.close)
            app = await _app(settings, database, stack, door)
            app.state.pages = pages
            if worker:
                await stack.enter_async_context(working(settings, database, fitting_process()))
            await stack.enter_async_context(app.router.lifespan_context(app))
            # Everything loaded by now lives until exit: collecting it again would pause streams and delay the exit.
            gc.freeze()
            gc.set_threshold(*GARBAGE)
            yield app


def warn_of_imprint(runtime: Runtime, settings: Settings) -> None:
    """Log a warning if an arena that is open to others has no imprint."""
    if imprint_missing(runtime.site.current, settings.address):
        log.warning(
            "%s has no imprint; `arena site show imprint.en` prints a draft, see docs/site.md", settings.address
        )


def _open(settings: Settings, resources: ExitStack, *, many: bool) -> Database:
    if not many:
        resources.enter_context(alone(settings.data))
    resources.enter_context(published(settings.metrics_host, settings.metrics_port))
    resources.enter_context(exported(settings))
    return resources.enter_context(opened(settings))


async def _app(settings: Settings, database: Database, stack: AsyncExitStack, gradio: GradioDoor) -> FastAPI:
    from arena.evaluations.usecases.sets import shipped

    builtin = await stack.enter_async_context(
        registry.opened(
            connect=settings.connect_seconds,
            local=settings.local == "auto",
            policy=settings.egress_policy(),
        )
    )
    await settle_builtin(database, builtin.endpoints, settings.demo, now())
    if settings.shipped_questions == "auto":
        await shipped.settle_shipped(database, now())
    in_battles, in_chats = BreakerRules(at_once=settings.running_per_endpoint).shared()
    runtime = Runtime(
        database=database,
        providers=builtin.providers,
        limits=await stack.enter_async_context(_limits(settings)),
        keys=keys(settings),
        now=now,
        pace=FollowedPace(settings.frame_seconds, settings.release_rate, settings.start_seconds),
        times=times(settings),
        process=settings.internal_url,
        presence=await stack.enter_async_context(_presence(settings, database)),
        reasoning=settings.show_reasoning,
        terms=settings.terms,
        promises=await _promises(settings, database),
        log=LogFiles(settings.published_log),
        bounds=_bounds(settings),
        breakers=CircuitBreakers(in_battles, time.monotonic),
        chat_breakers=CircuitBreakers(in_chats, time.monotonic, "chats"),
    )
    watch_places(runtime.limits, settings.running)
    door = entrance(settings)
    rules = _rules(settings)
    await runtime.site.look(database)
    prober = Prober(runtime.caller, builtin.client, rules, seconds=settings.probe_seconds)
    cookies = Cookies(settings.signing_secret(), settings.secure_cookie)
    if door:
        stack.push_async_callback(door.aclose)
        await cookies.ended.look(database)
    loops = await _loops(settings, runtime, builtin.client, prober, cookies.secret, stack)
    await stack.enter_async_context(in_background(run_loops(loops, database, now)))
    return whole_app(
        runtime,
        cookies,
        rules=rules,
        bot_check=settings.bot_check,
        body_limit=settings.body_limit,
        hops=settings.trusted_hops,
        security=(settings.contact_for_security, settings.public_url.rstrip("/")),
        frame_origin=settings.frame_origin.rstrip("/"),
        entrance=door,
        files=settings.files_folder,
        gradio=gradio.route,
        visitor_token=settings.visitor_token(),
    )


async def _loops(
    settings: Settings, runtime: Runtime, client: HttpClient, prober: Prober, secret: bytes, stack: AsyncExitStack
) -> list[Loop]:
    """The loops of a serving process: those that call endpoints and owners; their leases are held in `stack`."""
    caller, database = runtime.caller, runtime.database
    unpaced = replace(caller, providers=registry.unpaced(caller.providers))

    async def lease(name: str) -> WorkLease | None:
        return await stack.enter_async_context(hold_lease(database, now, name, many=on_postgres(settings.database)))

    labeller = [_labeller(settings, caller, await lease(LABEL))] if settings.labeller else []
    return [
        probes_loop(prober),
        fingerprints_loop(caller, period=settings.fingerprint_seconds),
        mute_endpoints_loop(caller, client, seconds=settings.probe_seconds),
        unknown_finishes_loop(caller),
        evaluations_loop(unpaced, client, await lease(EVALUATE)),
        webhooks_loop(database, client, secret, await lease(WEBHOOKS)),
        *labeller,
    ]


@asynccontextmanager
async def _presence(settings: Settings, database: Database) -> AsyncGenerator[str]:
    """The name of this process for the block, as long as other processes can see that it is there."""
    if not on_postgres(settings.database):
        yield ""
        return
    process = settings.internal_url or f"process {token_hex(16)}"
    async with present(database, process, now):
        yield process


def _labeller(settings: Settings, caller: Caller, lease: WorkLease | None) -> Loop:
    """The loop in which an endpoint labels votes.

    Raises:
        Invalid: No version of the terms allows it.
    """
    if not settings.label_terms:
        raise Invalid("ARENA_LABELLER: set ARENA_LABEL_TERMS to the version of your terms that says so")
    return labeller_loop(caller, endpoint_source(settings.labeller), settings.label_terms, lease)


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
    from arena.adapters.limits import redis

    async with (
        redis.opened(settings.redis_url, _allowance(settings), settings.processes) as limits,
        in_background(repeat(limits.renew, pause=redis.BEAT, failure="slots in Redis are not renewed")),
    ):
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
    """Rules of owners and operators, whose routes always exist, since a key may be made while the arena runs."""
    return OwnerRules(
        invitation=settings.invitation.get_secret_value(),
        approval=settings.approval,
        operator_key=settings.operators_key(),
        named_operators=True,
        policy=settings.egress_policy(),
        sign_ups=settings.sign_ups_per_hour,
        probes=settings.probes_per_hour,
    )


def whole_app(runtime: Runtime, cookies: Cookies, *, rules: OwnerRules = NOBODY_ASKED, **options: Any) -> FastAPI:
    """Build the application on `runtime`; routes of operators exist only if by `rules` there are any."""
    extra = (*evaluations.PUBLIC, *(evaluations.OPERATED if rules.operated else ()))
    return create_app(runtime, cookies, rules=rules, extra=extra, **options)
