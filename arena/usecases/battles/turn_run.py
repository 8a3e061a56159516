"""The run of one turn: both answers are received concurrently, shown on one clock, and stored once both have ended."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar

from arena.adapters.observability import metrics
from arena.adapters.observability.tracing import span
from arena.domain.blinding.pacing import SHOW_TIME, Pacer
from arena.domain.errors import ArenaError, DataRefused, StoreUnavailable
from arena.domain.schemas.battles import TurnFailedEvent, TurnReadyEvent
from arena.domain.terms import BattleState, Side
from arena.usecases.battles.attempts import ask
from arena.usecases.battles.breakers import report_failure
from arena.usecases.battles.feed import Feed
from arena.usecases.battles.runtime import Run
from arena.usecases.battles.turn_ends import Draft, Ending, is_refusal, save, save_failure
from arena.usecases.battles.turn_failures import LOST, SHUTTING_DOWN, STOPPED, failed_event
from arena_providers.errors import BadReply, ProviderError, TimedOut
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Mapping
    from contextlib import ExitStack

    from sqlalchemy.orm import Session

    from arena.adapters.breaker import Call
    from arena.adapters.limits import Limits
    from arena.calls.stream import ReceivedAnswer
    from arena.domain.terms import Voter
    from arena.usecases.battles.runtime import Runtime
    from arena.usecases.battles.turns import TurnPlan

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

_PAUSES: Final = (0.2, 0.5, 1, 2, 4, 8)
"""Seconds between attempts to store a turn, about 16 in all."""
_LONG_PAUSES: Final = (*_PAUSES, *(10,) * 30)
"""Seconds between attempts to fail a turn, until the sweeper does."""
_CLOSING: Final = 1.0
"""Seconds for which the end of a feed waits until the turn has failed in the database."""
SILENCE: Final = 30.0
"""Seconds without data after which a side's turn keeps its place only while fewer than half of all are taken.

Models may think for minutes. Without this rule fifty endpoints that never answer would refuse every honest prompt.
"""


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
    except Exception as error:
        log.exception("the run of conversation %s broke", plan.conversation_id)
        runtime.spawn(_close(runtime, plan, run, {}, Ending(_kind(error))))
    finally:
        if run.feed.end is None:
            run.feed.finish(failed_event(None))
        metrics.RUNNING.dec()
        metrics.TURNS.labels(_label(run.feed.end)).inc()
        capacity.close()
        if runtime.runs.get(plan.conversation_id) is run:
            del runtime.runs[plan.conversation_id]


async def run_turn(runtime: Runtime, plan: TurnPlan, run: Run) -> None:
    """Receive the answers, show them, store them, and end the feed."""
    pace = runtime.pace.current.named if plan.is_named else runtime.pace.current
    pacer = Pacer(pace, runtime.times.total + SHOW_TIME / 2, plan.endpoints)
    drafts = {side: Draft() for side in plan.endpoints}
    receivers = {
        side: asyncio.create_task(_receive(runtime, plan, run, side, drafts[side], pacer), name=f"receive {side}")
        for side in plan.endpoints
    }
    try:
        stopped = await _show(runtime, plan, run, pacer, list(receivers.values()), drafts)
    except asyncio.CancelledError:
        ending = Ending(SHUTTING_DOWN)
    except Exception as error:  # noqa: BLE001 - every failure ends both sides with the same text
        ending = Ending(_kind(error))
    else:
        ending = Ending(STOPPED, BattleState.ABANDONED) if stopped and not all(run.feed.shown.values()) else Ending()
    await _complete(_end(runtime, plan, run, drafts, list(receivers.values()), ending))


async def _complete(work: Coroutine[None, None, None]) -> None:
    """Run `work` to its end, also if this task is cancelled meanwhile: the end of a turn is short and must be told."""
    task = asyncio.create_task(work)
    while not task.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(task)
    task.result()


async def _receive(runtime: Runtime, plan: TurnPlan, run: Run, side: Side, draft: Draft, pacer: Pacer) -> None:
    """Receive one endpoint's answer to its end; an error is raised, and its kind recorded in the draft."""
    try:
        with span("call", endpoint=plan.endpoints[side], dialect=plan.targets[side].dialect):
            await ask(runtime, plan, run, side, draft, pacer)
        draft.finish = draft.finish or Finish.STOP
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
    runtime: Runtime,
    plan: TurnPlan,
    run: Run,
    pacer: Pacer,
    receivers: list[asyncio.Task[None]],
    drafts: dict[Side, Draft],
) -> bool:
    """Release frames until both answers are shown in full; returns whether the voter stopped them.

    A side that fails ends both at once in a blind battle; beside a known name the other answer goes on to its end.

    Raises:
        Exception: The first error of a side.
    """
    elapsed = 0.0
    while not pacer.finished:
        is_stopped = run.stop.is_set()
        if is_stopped or not plan.is_named:
            _check_errors(receivers)
        if is_stopped:
            return True
        _check_silence(runtime, run, drafts)
        frame = pacer.frame(elapsed)
        run.feed.show(frame.text, tuple(side for side in frame.done if not drafts[side].error))
        if frame.text and run.shown_at is None:
            run.shown_at = runtime.now()
        elapsed = await run.clock.beat(pacer.pace.interval)
    _check_errors(receivers)
    return False


def _check_errors(receivers: list[asyncio.Task[None]]) -> None:
    """Raise the error of the first side that has failed.

    Raises:
        Exception: That error.
    """
    for receiver in receivers:
        if receiver.done():
            receiver.result()


def _check_silence(runtime: Runtime, run: Run, drafts: dict[Side, Draft]) -> None:
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


async def _end(
    runtime: Runtime,
    plan: TurnPlan,
    run: Run,
    drafts: dict[Side, Draft],
    receivers: list[asyncio.Task[None]],
    ending: Ending,
) -> None:
    """Store the answers as they were shown and end the feed; whatever storing raises fails the turn for both sides."""
    # First, so that no text arrives after a stop, which would never be shown.
    await _end_all(receivers)
    for side, draft in drafts.items():
        draft.reasoning = draft.reasoning if runtime.reasoning else ""
        if ending.failure is None and side not in run.feed.done:
            draft.text, draft.finish = run.feed.shown[side], Finish.STOPPED
    failure = ending.failure
    try:
        if not await _write(runtime, _PAUSES, save, plan, drafts, ending, run.shown_at, runtime.now()):
            failure = failure or LOST
    except Exception as error:  # noqa: BLE001 - whatever it is, the turn must end
        log.warning("the end of conversation %s could not be stored: %r", plan.conversation_id, type(error))
        failure = _failure(error)
        closing = runtime.spawn(_close(runtime, plan, run, drafts, Ending(failure)))
        await asyncio.wait([closing], timeout=_CLOSING)
    failed = [side for side, draft in drafts.items() if draft.error] if plan.is_named else []
    run.feed.finish(TurnReadyEvent(number=plan.number) if failure is None else failed_event(failure, failed))


def _failure(error: Exception) -> str:
    """The failure of a turn whose end could not be stored."""
    if is_refusal(error):
        return BadReply.kind
    return error.code if isinstance(error, ArenaError) else _kind(error)


async def _close(runtime: Runtime, plan: TurnPlan, run: Run, drafts: dict[Side, Draft], ending: Ending) -> None:
    """Fail a turn whose end could not be stored, and report the endpoints whose answers cannot be."""
    try:
        refused = await _write(runtime, _LONG_PAUSES, save_failure, plan, drafts, ending, runtime.now())
    except Exception:
        log.exception("conversation %s could not be closed; the sweeper will", plan.conversation_id)
        return
    for side in refused:
        report_failure(run.calls[side], BadReply("the database refuses the answer"))


async def _write(
    runtime: Runtime,
    pauses: Iterable[float],
    work: Callable[Concatenate[Session, P], T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Write, with retries after `pauses`, since most failures of a database are short.

    Raises:
        StoreUnavailable: The last attempt failed too, or the database refuses a value.
    """
    for pause in pauses:
        try:
            return await runtime.database.write(work, *args, **kwargs)
        except DataRefused:
            raise
        except StoreUnavailable:
            await asyncio.sleep(pause)
    return await runtime.database.write(work, *args, **kwargs)


async def _end_all(receivers: list[asyncio.Task[None]]) -> None:
    for receiver in receivers:
        receiver.cancel()
    await asyncio.gather(*receivers, return_exceptions=True)


def _kind(error: Exception) -> str:
    return error.kind if isinstance(error, ProviderError) else "internal"


def _label(end: TurnReadyEvent | TurnFailedEvent | None) -> str:
    return end.code if isinstance(end, TurnFailedEvent) else "ready"
