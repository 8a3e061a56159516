"""Work of commands that call endpoints: providers, database and progress bar."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from arena.cli.context import now, opened, recorded
from arena.cli.terminal.progress import progress

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from arena.adapters.store.engine import Database
    from arena.domain.operators import Act
    from arena.settings import Settings

T = TypeVar("T")


async def add_builtin(database: Database, settings: Settings) -> None:
    """Put the built-in models into an arena that has never been served."""
    from arena.usecases.endpoints.builtin import settle_builtin
    from arena_providers import registry

    policy = settings.egress_policy()
    opened = registry.opened(connect=settings.connect_seconds, local=settings.local == "auto", policy=policy)
    async with opened as builtin:
        await settle_builtin(database, builtin.endpoints, settings.demo, now())


def with_models(ask: Callable[..., Coroutine[None, None, T]], act: Act) -> T:
    """Run `ask(caller, client, begin=…, step=…)` as an act, with a progress bar that `begin` and `step` move.

    The built-in models take part, even if this arena has never been served, and answer without the pauses of a battle.
    """
    from arena.calls.caller import Caller
    from arena.cli.call_settings import keys, times
    from arena.settings import Settings
    from arena.usecases.endpoints.builtin import settle_builtin
    from arena_providers import registry

    async def work(database: Database) -> T:
        policy = settings.egress_policy()
        opened = registry.opened(connect=settings.connect_seconds, local=settings.local == "auto", policy=policy)
        async with opened as builtin:
            await settle_builtin(database, builtin.endpoints, settings.demo, now())
            recorder = recorded(database, settings, act)
            caller = Caller(recorder, registry.unpaced(builtin.providers), keys(settings), now, times(settings))
            with progress("answers") as meter:
                return await ask(caller, builtin.client, begin=meter.begin, step=meter.step)

    settings = Settings()
    with opened(settings) as database:
        return asyncio.run(work(database))
