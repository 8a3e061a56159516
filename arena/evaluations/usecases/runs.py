"""Runs of the service, started and cancelled by a field in the database, so that they survive restarts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from arena.adapters.store.engine.transactions import write_transaction
from arena.domain.errors import ArenaError, Conflict
from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import evaluation_row
from arena.evaluations.usecases.likelihood import run_models

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.calls.caller import Caller
    from arena_providers.transport.http_client import HttpClient


@write_transaction
def start_run(session: Session, name: str, now: datetime) -> None:
    """Have the service ask each model the questions without an answer, failed ones included.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: It is open or closed, so its answers are fixed.
    """
    row = evaluation_row(session, name)
    if row.state is not EvaluationState.DRAFT:
        raise Conflict(f"{name} is {row.state}: its answers do not change any more.")
    stored.set_running(session, row.id, row.running_at or now, None)


@write_transaction
def cancel_run(session: Session, name: str) -> None:
    """Have the service stop asking; answers stay.

    Raises:
        EvaluationNotFound: There is none of this name.
    """
    stored.set_running(session, evaluation_row(session, name).id, None, None)


class Runs:
    """The runs of this process by evaluation; `look` starts and cancels them as the database says."""

    def __init__(self, caller: Caller, client: HttpClient) -> None:
        self._caller = caller
        self._client = client
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def look(self) -> None:
        """Start the runs that the database asks for, and cancel the others."""
        names = await self._caller.database.read(stored.running_names)
        for name in [name for name, task in self._tasks.items() if name not in names or task.done()]:
            self._tasks.pop(name).cancel()
        for name in names:
            if name not in self._tasks:
                self._tasks[name] = asyncio.create_task(self._run(name))

    async def end(self) -> None:
        """Cancel all runs; another process resumes them."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, name: str) -> None:
        try:
            runs = await run_models(self._caller, self._client, name, retry=True)
            reasons = {run.name: run.stopped for run in runs if run.stopped}
        except ArenaError as error:
            reasons = {"": str(error)}
        await self._caller.database.write(_note_end, name, reasons)


def _note_end(session: Session, name: str, reasons: dict[str, str]) -> None:
    row = stored.by_name(session, name)
    if row is not None and row.running_at is not None:
        stored.set_running(session, row.id, None, reasons)
