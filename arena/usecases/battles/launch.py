"""The launch of a written turn: its run, in a task of the runtime, to the stored replies."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from arena.adapters.observability import metrics
from arena.adapters.observability.tracing import span
from arena.domain.schemas.battles import TurnFailedEvent, TurnReadyEvent
from arena.usecases.battles.feed import Feed
from arena.usecases.battles.runtime import Run
from arena.usecases.battles.turn_run import ANSWER_FAILED, run_turn

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import ExitStack

    from arena.adapters.breaker import Call
    from arena.domain.terms import Side, Voter
    from arena.usecases.battles.runtime import Runtime
    from arena.usecases.battles.turns import TurnPlan

log = logging.getLogger(__name__)


def launch(runtime: Runtime, plan: TurnPlan, voter: Voter, calls: Mapping[Side, Call], capacity: ExitStack) -> None:
    """Start the run of a voter's turn, which takes over the capacity held for it and releases it at its end."""
    run = Run(Feed(plan.number, plan.generation, plan.endpoints), dict(calls), (plan.kind, voter.key))
    runtime.runs[plan.conversation_id] = run
    run.task = runtime.spawn(_run(runtime, plan, run, capacity))


async def _run(runtime: Runtime, plan: TurnPlan, run: Run, capacity: ExitStack) -> None:
    metrics.RUNNING.inc()
    try:
        with span("turn", turn=plan.turn_id) as traced:
            await run_turn(runtime, plan, run)
            traced.set_attribute("end", _label(run.feed.end))
    except Exception:
        log.exception("the run of conversation %s broke; the sweeper will close its turn", plan.conversation_id)
    finally:
        if run.feed.end is None:
            run.feed.finish(ANSWER_FAILED)
        metrics.RUNNING.dec()
        metrics.TURNS.labels(_label(run.feed.end)).inc()
        capacity.close()
        if runtime.runs.get(plan.conversation_id) is run:
            del runtime.runs[plan.conversation_id]


def _label(end: TurnReadyEvent | TurnFailedEvent | None) -> str:
    return end.code if isinstance(end, TurnFailedEvent) else "ready"
