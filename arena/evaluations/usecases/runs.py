"""Runs of the service, started and cancelled by a field in the database, so that they survive restarts."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.store.engine.transactions import write_transaction
from arena.calls.capped_calls import why_stopped
from arena.domain.errors import Conflict
from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import evaluation_row, locked_evaluation
from arena.evaluations.usecases.likelihood import run_models

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.calls.caller import Caller
    from arena.evaluations.usecases.generation import ModelRun
    from arena_providers.transport.http_client import HttpClient

    Reasons = dict[str, str] | str
    """Why a run stopped asking each model, by its name, or why it ended for all of them."""

log = logging.getLogger(__name__)

_TICK: Final = timedelta(microseconds=1)
"""Least difference of two times in the database."""


@write_transaction
def start_run(session: Session, name: str, now: datetime) -> None:
    """Have the service ask each model the questions without an answer, failed ones included.

    If it asks already, it does so once more when that run has ended, which may be this instant.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: It is open or closed, so its answers are fixed.
    """
    row = locked_evaluation(session, name)
    if row.state is not EvaluationState.DRAFT:
        raise Conflict(rule="answers_fixed", name=name, state=row.state)
    # No two requests have the same time, so that the end of a run ends the request alone that began it.
    stored.set_running(session, row.id, now + _TICK if row.running_at == now else now, None)


@write_transaction
def cancel_run(session: Session, name: str) -> None:
    """Have the service stop asking; answers stay.

    Raises:
        EvaluationNotFound: There is none of this name.
    """
    stored.set_running(session, evaluation_row(session, name).id, None, None)


async def run_now(
    caller: Caller,
    client: HttpClient,
    name: str,
    *,
    retry: bool,
    at_once: int,
    begin: Callable[[int], None],
    step: Callable[[], None],
) -> list[ModelRun]:
    """Run an evaluation in this process, as `run_models` does, and store why it stopped asking each model."""
    runs = await run_models(caller, client, name, retry=retry, at_once=at_once, begin=begin, step=step)
    await caller.database.write(_note_reasons, name, _reasons(runs))
    return runs


class Runs:
    """The runs of this process by evaluation; `look` starts and cancels them as the database says.

    A run ends once, whatever its error is: until its end is stored, only that is tried again.
    """

    def __init__(self, caller: Caller, client: HttpClient) -> None:
        self._caller = caller
        self._client = client
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._reasons: dict[str, tuple[datetime, Reasons]] = {}

    async def look(self) -> int:
        """Start the runs that the database asks for, and cancel the others; returns how many there are."""
        ended = {name for name, task in self._tasks.items() if task.done()}
        requests = await self._caller.database.read(stored.running)
        for name in [name for name in self._tasks if name not in requests]:
            self._tasks.pop(name).cancel()
            self._reasons.pop(name, None)
        for name, since in requests.items():
            if name not in self._tasks or name in ended:  # one that ends meanwhile was still requested as it was read
                self._tasks[name] = asyncio.create_task(self._run(name, since))
        return len(requests)

    async def end(self) -> None:
        """Cancel all runs; another process resumes them."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, name: str, since: datetime) -> None:
        """Run an evaluation once, or only note its end if that could not be stored before."""
        try:
            if name not in self._reasons:
                self._reasons[name] = since, await self._ask_models(name)
            await self._caller.database.write(_note_end, name, *self._reasons[name])
            self._reasons.pop(name, None)
        except Exception:
            log.exception("the end of the run of %s cannot be stored now", name)

    async def _ask_models(self, name: str) -> Reasons:
        try:
            runs = await run_models(self._caller, self._client, name, retry=True)
        except Exception as error:
            log.exception("the run of %s failed", name)
            return why_stopped(error)
        return _reasons(runs)


def _reasons(runs: Sequence[ModelRun]) -> dict[str, str]:
    return {run.name: run.stopped for run in runs if run.stopped}


def _note_reasons(session: Session, name: str, reasons: dict[str, str]) -> None:
    """Store the reasons of a run in this process, unless the service is to run too: it stores its own."""
    row = stored.locked(session, name)
    if row is not None and row.running_at is None:
        stored.set_running(session, row.id, None, reasons)


def _note_end(session: Session, name: str, since: datetime, reasons: Reasons) -> None:
    """Store the end of the run that was requested at a time; a request that came since then stays."""
    row = stored.locked(session, name)
    if row is None or row.running_at != since:
        return
    if isinstance(reasons, str):
        reasons = {model.name: reasons for model in stored.models(session, row.id) if model.endpoint_id is not None}
    stored.set_running(session, row.id, None, reasons)
