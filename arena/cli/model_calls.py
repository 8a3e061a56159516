"""Commands that call endpoints: the means of doing so, a progress bar, and what came of it."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console
from rich.progress import Progress as Bar

from arena.adapters.providers import registry
from arena.adapters.providers.transport.egress import Policy
from arena.calls.caller import Caller
from arena.cli.context import keys, now, run, times

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator

    from arena.adapters.store.engine import Database
    from arena.settings import Settings

T = TypeVar("T")


def with_models(ask: Callable[..., Coroutine[Any, Any, T]]) -> T:
    """Run `ask(caller, client, begin=…, step=…)` with the means of calling endpoints and a progress bar."""

    async def act(database: Database, settings: Settings) -> T:
        policy = Policy.parse(settings.egress_allow)
        opened = registry.opened(connect=settings.connect_seconds, local=settings.local == "auto", policy=policy)
        async with opened as builtin:
            caller = Caller(database, builtin.providers, keys(settings), now, times(settings))
            with _bar() as (begin, step):
                return await ask(caller, builtin.client, begin=begin, step=step)

    return run(act)


@contextmanager
def _bar() -> Generator[tuple[Callable[[int], None], Callable[[], None]]]:
    """A progress bar on standard error, if that is a terminal."""
    with Bar(console=Console(file=sys.stderr), disable=not os.isatty(2), transient=True) as bar:
        task = bar.add_task("answers", total=None)
        yield lambda total: bar.update(task, total=total), lambda: bar.advance(task)
