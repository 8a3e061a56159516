"""The run of one turn: both answers are received concurrently, shown on one clock, and stored once both have ended."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar

from arena.adapters.observability import metrics
from arena.adapters.observability.tracing import span
from arena.adapters.store import budgets, neighbourhoods
from arena.adapters.store import conversations as stored
from arena.calls import token_costs
from arena.calls.stream import ReceivedAnswer
from arena.domain.blinding.pacing import SHOW_TIME, Pacer
from arena.domain.errors import ArenaError, ShuttingDown, StoreUnavailable
from arena.domain.schemas.battles import TurnFailedEvent, TurnReadyEvent
from arena.domain.terms import BattleState, Side
from arena.usecases.battles.attempts import ask
from arena.usecases.battles.breakers import report_failure
from arena.usecases.battles.feed import Feed
from arena.usecases.battles.runtime import Run
from arena_providers.errors import ProviderError, TimedOut
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import ExitStack
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.breaker import Call
    from arena.adapters.limits import Limits
    from arena.adapters.store.conversations import Reply
    from arena.domain.terms import Voter
    from arena.usecases.battles.runtime import Runtime
    from arena.usecases.battles.turns import TurnPlan

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

ANSWER_FAILED: Final = TurnFailedEvent(
    code="answer_failed",
    title="The models could not both answer, so this round does not count. Please start a new one.",
)
_PAUSES: Final = (0.2, 0.5, 1, 2, 4, 8)
"""Seconds between attempts to store a turn."""
STOPPED_EARLY: Final = TurnFailedEvent(code="stopped_early", title="Stopped before the answers had begun.")
SILENCE: Final = 30.0
"""Seconds without data after which a side's turn keeps its place only while fewer than half of all are taken.

Models may think for minutes. Without this rule fifty endpoints that never answer would refuse every honest prompt.
"""


@dataclass(slots=True)
class _Draft(ReceivedAnswer):
    """One side's answer before it is stored; `error` is the kind of the error that ended it."""

    error: str | None = None


def launch(runtime: Runtime, plan: TurnPlan, voter: Voter, calls: Mapping[Side, Call], capacity: ExitStack) -> None:
    """Start the run of a voter's turn, which releases `capacity` at its end."""
    run = Run(Feed(plan.number, plan.generation, plan.endpoints), dict(calls), (plan.kind, voter.key))
    runtime.runs[plan.conversation_id] = run
    run.task = runtime.spawn(_run(runtime, plan, run, capacity))


async def _run(runtime: Runtime, plan: TurnPlan, run: Run, capacity: ExitStack) -> None:
    metrics.RUNNING.inc()
    try:
        with span("turn", turn=plan.turn_id) as turn_span:
            await run_turn(runtime, plan, run)
            turn_span.set_attribute("end", _label(run.feed.end))
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


async def run_turn(runtime: Runtime, plan: TurnPlan, run: Run) -> None:
    """Receive the answers, show them, store them, and end the feed."""
    pace = runtime.pace.current.named if plan.kind is stored.CHATS else runtime.pace.current
    pacer = Pacer(pace, runtime.times.total + SHOW_TIME / 2, plan.endpoints)
    drafts = {side: _Draft() for side in plan.endpoints}
    receivers = {
        side: asyncio.create_task(_receive(runtime, plan, run, side, drafts[side], pacer), name=f"receive {side}")
        for side in plan.endpoints
    }
    try:
        stopped = await _show(runtime, run, pacer, list(receivers.values()), drafts)
    except asyncio.CancelledError:
        await _fail(runtime, plan, run, drafts, failure="shutting_down", end=_failed_event(ShuttingDown()))
        raise
    except Exception as error:  # noqa: BLE001 - every failure ends both sides with the same text
        await _fail(runtime, plan, run, drafts, failure=_kind(error), end=ANSWER_FAILED)
    else:
        # First, so that no text arrives after a stop, which would never be shown.
        await _end_all(list(receivers.values()))
        await asyncio.shield(_keep(runtime, plan, run, drafts, stopped=stopped))
    finally:
        await _end_all(list(receivers.values()))


async def _receive(runtime: Runtime, plan: TurnPlan, run: Run, side: Side, draft: _Draft, pacer: Pacer) -> None:
    """Receive one endpoint's answer to its end; an error is raised, and its kind recorded in the draft."""
    try:
        with span("call", endpoint=plan.endpoints[side], dialect=plan.targets[side].dialect):
            await ask(runtime, plan, run, side, draft, pacer)
        draft.finish = draft.finish or Finish.STOP
        draft.reasoning = draft.reasoning if runtime.reasoning else ""
    except Exception as error:
        draft.error = _kind(error)
        model = f"{plan.targets[side].dialect} {plan.targets[side].wire_model}"
        log.warning(
            "conversation %s, side %s (%s) failed: %s",
            plan.conversation_id,
            side,
            model,
            error,
            exc_info=not isinstance(error, ProviderError),
        )
        raise
    finally:
        draft.total_ms, draft.ended = draft.elapsed(), True
        if draft.first_token_ms is not None:
            metrics.FIRST_TOKEN.observe(draft.first_token_ms / 1000)
        metrics.ANSWERS.labels(plan.endpoints[side], (draft.error or "ok").partition(":")[0]).inc()
    pacer.end(side)


async def _show(
    runtime: Runtime, run: Run, pacer: Pacer, receivers: list[asyncio.Task[None]], drafts: dict[Side, _Draft]
) -> bool:
    """Release frames until both answers are shown in full; returns whether the voter stopped them.

    Raises:
        Exception: The first error of a side.
    """
    elapsed = 0.0
    while not pacer.finished:
        for receiver in receivers:
            if receiver.done():
                receiver.result()
        if run.stop.is_set():
            return True
        _check_silence(runtime, run, drafts)
        frame = pacer.frame(elapsed)
        run.feed.show(frame.text, frame.done)
        if frame.text and run.shown_at is None:
            run.shown_at = runtime.now()
        elapsed = await run.clock.beat(pacer.pace.interval)
    return False


def _check_silence(runtime: Runtime, run: Run, drafts: dict[Side, _Draft]) -> None:
    """End a turn with a silent side if other turns need its place.

    Raises:
        TimedOut: A side is silent and places are scarce.
    """
    error = TimedOut("silence")
    for side in (sides := silent_sides(drafts, runtime.limits)):
        drafts[side].error = error.kind
        report_failure(run.calls[side], error)
    if sides:
        raise error


def silent_sides(answers: Mapping[Side, ReceivedAnswer], limits: Limits) -> list[Side]:
    """The sides without data for `SILENCE` seconds; none while places are plentiful."""
    if not limits.crowded:
        return []
    return [side for side, answer in answers.items() if not answer.ended and answer.silence() >= SILENCE]


async def _keep(runtime: Runtime, plan: TurnPlan, run: Run, drafts: dict[Side, _Draft], *, stopped: bool) -> None:
    """Store both answers as they were shown, then end the feed."""
    texts = run.feed.shown
    if stopped and not all(texts.values()):
        await _fail(runtime, plan, run, drafts, failure="stopped", end=STOPPED_EARLY, state=BattleState.ABANDONED)
        return
    for side, draft in drafts.items():
        if side not in run.feed.done:
            draft.text, draft.finish = texts[side], Finish.STOPPED
    try:
        saved = await _write(runtime, _save, plan, drafts, run.shown_at, runtime.now())
    except ArenaError as error:
        run.feed.finish(_failed_event(error))
        return
    run.feed.finish(TurnReadyEvent(number=plan.number) if saved else ANSWER_FAILED)


async def _fail(
    runtime: Runtime,
    plan: TurnPlan,
    run: Run,
    drafts: dict[Side, _Draft],
    *,
    failure: str,
    end: TurnFailedEvent,
    state: BattleState = BattleState.VOID,
) -> None:
    """End the turn for both sides alike; the error of a side is stored, but never shown."""
    try:
        await asyncio.shield(_write(runtime, _save_failure, plan, drafts, failure, state, runtime.now()))
    except ArenaError:
        log.warning("conversation %s could not be closed; the sweeper will", plan.conversation_id)
    run.feed.finish(end)


async def _write(runtime: Runtime, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Write, with retries for about 16 s, since most failures of a database are short.

    Raises:
        StoreUnavailable: The last attempt failed too.
    """
    for pause in _PAUSES:
        try:
            return await runtime.database.write(work, *args, **kwargs)
        except StoreUnavailable:
            await asyncio.sleep(pause)
    return await runtime.database.write(work, *args, **kwargs)


async def _end_all(receivers: list[asyncio.Task[None]]) -> None:
    for receiver in receivers:
        receiver.cancel()
    await asyncio.gather(*receivers, return_exceptions=True)


def _save(
    session: Session, plan: TurnPlan, drafts: dict[Side, _Draft], shown_at: datetime | None, now: datetime
) -> bool:
    if not stored.finish_turn(session, plan.kind, plan.turn_id, shown_at=shown_at, now=now):
        # The turn has ended before: by the sweeper, or by an earlier attempt whose commit went unnoticed.
        return stored.is_ready(session, plan.kind, plan.turn_id, plan.generation)
    _add_replies(session, plan, drafts)
    return True


def _save_failure(
    session: Session, plan: TurnPlan, drafts: dict[Side, _Draft], failure: str, state: BattleState, now: datetime
) -> None:
    if stored.fail_turn(session, plan.kind, plan.turn_id, failure=failure, state=state, now=now):
        _add_replies(session, plan, drafts)
        if plan.place and state is BattleState.VOID:
            neighbourhoods.give_back(session, plan.place)


def _add_replies(session: Session, plan: TurnPlan, drafts: dict[Side, _Draft]) -> None:
    stored.add_replies(session, _rows(plan, drafts))
    differences: dict[int, int] = {}
    for side, reserved in plan.reserved.items():
        used = token_costs.used(plan.targets[side], plan.messages[side], drafts[side].text, drafts[side].usage)
        differences[plan.endpoints[side]] = used - reserved
    budgets.settle(session, plan.day, differences, plan.kind.share)


def _rows(plan: TurnPlan, drafts: dict[Side, _Draft]) -> list[Reply]:
    return [
        plan.kind.reply(
            turn_id=plan.turn_id,
            endpoint_id=plan.endpoints[side],
            generation=plan.generation,
            side=side,
            text=draft.text,
            reasoning=draft.reasoning or None,
            finish=draft.finish,
            error=draft.error,
            first_token_ms=draft.first_token_ms,
            total_ms=draft.total_ms or draft.elapsed(),
            input_tokens=draft.usage.input_tokens if draft.usage else None,
            output_tokens=draft.usage.output_tokens if draft.usage else None,
        )
        for side, draft in drafts.items()
    ]


def _failed_event(error: ArenaError) -> TurnFailedEvent:
    return TurnFailedEvent(code=error.code, title=error.title)


def _kind(error: Exception) -> str:
    return error.kind if isinstance(error, ProviderError) else "internal"


def _label(end: TurnReadyEvent | TurnFailedEvent | None) -> str:
    return end.code if isinstance(end, TurnFailedEvent) else "ready"
