"""The run of one turn: its endpoints heard at once, shown on one clock, written down when both have ended."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from arena import costs, meters
from arena.battles.asking import ask
from arena.errors import ArenaError, ShuttingDown, StoreUnavailable
from arena.pacing import Pacer
from arena.providers.errors import ProviderError
from arena.spans import span
from arena.store import budgets
from arena.store import talks as stored
from arena.terms import BattleState, Finish, Message, Side
from arena.text import well_formed, whole_part
from arena.wire import TurnFailed, TurnReady

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from arena.battles.stage import Run, Stage
    from arena.health import Call
    from arena.providers.base import Chunk, Target, Usage
    from arena.store.talks import AnyBook, Reply

log = logging.getLogger(__name__)
T = TypeVar("T")

ANSWER_LIMIT: Final = 60_000
"""Characters of one answer that are kept; the rest is cut."""
ANSWER_FAILED: Final = TurnFailed(
    code="answer_failed",
    title="The models could not both answer, so this round does not count. Please start a new one.",
)
_PAUSES: Final = (0.2, 0.5, 1, 2, 4, 8)
"""Seconds between the tries to save a turn."""
STOPPED_EARLY: Final = TurnFailed(code="stopped_early", title="Stopped before the answers had begun.")


@dataclass(frozen=True, slots=True)
class Script:
    """All that a run needs, so that it holds no database session while the models talk.

    `reserved` are the tokens counted beforehand on `day`, for each side whose endpoint has a cap.
    """

    book: AnyBook
    talk_id: str
    turn_id: int
    number: int
    generation: int
    endpoints: dict[Side, int]
    targets: dict[Side, Target]
    messages: dict[Side, tuple[Message, ...]]
    day: date
    reserved: dict[Side, int]


@dataclass(slots=True)
class _Draft:
    """One side's answer as it arrives from its endpoint; times are milliseconds since the start."""

    text: str = ""
    reasoning: str = ""
    finish: Finish | None = None
    usage: Usage | None = None
    error: str | None = None
    started: float = field(default_factory=time.monotonic)
    first_token_ms: int | None = None
    total_ms: int = 0

    def elapsed(self) -> int:
        return round((time.monotonic() - self.started) * 1000)


async def run_turn(stage: Stage, script: Script, run: Run) -> None:
    """Hear the endpoints, show their answers, store them, and end the feed; leaves no running turn behind."""
    pacer = Pacer(stage.pace.characters, script.endpoints)
    drafts = {side: _Draft() for side in script.endpoints}
    listeners = {
        side: asyncio.create_task(
            _listen(stage, script, side, drafts[side], pacer, run.calls[side]), name=f"listen {side}"
        )
        for side in script.endpoints
    }
    try:
        stopped = await _show(stage, run, pacer, list(listeners.values()))
    except asyncio.CancelledError:
        await _fail(stage, script, run, drafts, failure="shutting_down", end=_ending(ShuttingDown()))
        raise
    except Exception as error:  # noqa: BLE001 - whatever it was, both sides end with the same neutral words
        await _fail(stage, script, run, drafts, failure=_kind(error), end=ANSWER_FAILED)
    else:
        # What still arrives after a stop was never shown, so it is no part of the answer.
        await _end_all(list(listeners.values()))
        await asyncio.shield(_keep(stage, script, run, drafts, stopped=stopped))
    finally:
        await _end_all(list(listeners.values()))


async def _listen(stage: Stage, script: Script, side: Side, draft: _Draft, pacer: Pacer, call: Call) -> None:
    """Hear one endpoint to its end; marks the draft before an error leaves."""
    try:
        with span("call", endpoint=script.endpoints[side], dialect=script.targets[side].dialect):
            async with aclosing(ask(stage, script, side, call)) as chunks:
                await _hear(chunks, side, draft, pacer)
        draft.reasoning = draft.reasoning if stage.reasoning else ""
    except Exception as error:
        draft.error = _kind(error)
        who = f"{script.targets[side].dialect} {script.targets[side].wire_model}"
        log.warning("talk %s, side %s (%s) failed: %s", script.talk_id, side, who, error, exc_info=_unexpected(error))
        raise
    finally:
        draft.total_ms = draft.elapsed()
        meters.ANSWERS.labels(script.endpoints[side], draft.error or "ok").inc()
    pacer.end(side)


async def _hear(chunks: AsyncIterator[Chunk], side: Side, draft: _Draft, pacer: Pacer) -> None:
    """Move one endpoint's chunks into its draft and the pacer."""
    half = ""
    async for chunk in chunks:
        draft.finish, draft.usage = chunk.finish or draft.finish, chunk.usage or draft.usage
        draft.reasoning += chunk.reasoning
        if chunk.text and draft.first_token_ms is None:
            draft.first_token_ms = draft.elapsed()
            meters.FIRST_TOKEN.observe(draft.first_token_ms / 1000)
        text, half = whole_part(half + chunk.text)
        _add(draft, pacer, side, text)
        if len(draft.text) >= ANSWER_LIMIT:
            draft.finish = Finish.LENGTH
            break
    _add(draft, pacer, side, well_formed(half))
    draft.finish = draft.finish or Finish.STOP


def _add(draft: _Draft, pacer: Pacer, side: Side, text: str) -> None:
    text = text[: ANSWER_LIMIT - len(draft.text)]
    draft.text += text
    pacer.feed(side, text)


async def _show(stage: Stage, run: Run, pacer: Pacer, listeners: list[asyncio.Task[None]]) -> bool:
    """Release frames until both answers are out; True if the voter stopped them, and the first error of a side."""
    loop = asyncio.get_running_loop()
    tick = loop.time()
    while not pacer.finished:
        for listener in listeners:
            if listener.done():
                listener.result()
        if run.stop.is_set():
            return True
        frame = pacer.frame()
        run.feed.show(frame.text, frame.done)
        tick = max(tick + stage.pace.interval, loop.time())
        await asyncio.sleep(tick - loop.time())
        meters.FRAME_LATE.observe(loop.time() - tick)
    return False


async def _keep(stage: Stage, script: Script, run: Run, drafts: dict[Side, _Draft], *, stopped: bool) -> None:
    """Write both answers as they were shown, then say that the turn is ready."""
    shown = run.feed.shown
    if stopped and not all(shown.values()):
        await _fail(stage, script, run, drafts, failure="stopped", end=STOPPED_EARLY, state=BattleState.ABANDONED)
        return
    for side, draft in drafts.items():
        if side not in run.feed.done:
            draft.text, draft.finish = shown[side], Finish.STOPPED
    try:
        kept = await _patiently(lambda: stage.database.write(_save, script, drafts, stage.now()))
    except ArenaError as error:
        run.feed.finish(_ending(error))
        return
    run.feed.finish(TurnReady(number=script.number) if kept else ANSWER_FAILED)


async def _fail(
    stage: Stage,
    script: Script,
    run: Run,
    drafts: dict[Side, _Draft],
    *,
    failure: str,
    end: TurnFailed,
    state: BattleState = BattleState.VOID,
) -> None:
    """End the turn for both sides alike; the true reason stays in the private rows."""
    try:
        await asyncio.shield(
            _patiently(lambda: stage.database.write(_save_failure, script, drafts, failure, state, stage.now()))
        )
    except ArenaError:
        log.warning("talk %s could not be closed; the sweeper will", script.talk_id)
    run.feed.finish(end)


async def _patiently(write: Callable[[], Awaitable[T]]) -> T:
    """Try to save what was shown as long as its reader may wait; a database that is busy elsewhere comes back.

    Raises:
        StoreUnavailable: It did not come back in time.
    """
    for pause in _PAUSES:
        try:
            return await write()
        except StoreUnavailable:
            await asyncio.sleep(pause)
    return await write()


async def _end_all(listeners: list[asyncio.Task[None]]) -> None:
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)


def _save(session: Session, script: Script, drafts: dict[Side, _Draft], now: datetime) -> bool:
    if not stored.finish_turn(session, script.book, script.turn_id, now=now):
        # Ended by the sweeper, or by an earlier try of ours whose success nobody could tell us.
        return stored.is_ready(session, script.book, script.turn_id, script.generation)
    _add_replies(session, script, drafts)
    return True


def _save_failure(
    session: Session, script: Script, drafts: dict[Side, _Draft], failure: str, state: BattleState, now: datetime
) -> None:
    if stored.fail_turn(session, script.book, script.turn_id, failure=failure, state=state, now=now):
        _add_replies(session, script, drafts)


def _add_replies(session: Session, script: Script, drafts: dict[Side, _Draft]) -> None:
    session.add_all(_rows(script, drafts))
    differences: dict[int, int] = {}
    for side, reserved in script.reserved.items():
        used = costs.used(script.targets[side], script.messages[side], drafts[side].text, drafts[side].usage)
        differences[script.endpoints[side]] = used - reserved
    budgets.settle(session, script.day, differences)


def _rows(script: Script, drafts: dict[Side, _Draft]) -> list[Reply]:
    return [
        script.book.reply(
            turn_id=script.turn_id,
            endpoint_id=script.endpoints[side],
            generation=script.generation,
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


def _ending(error: ArenaError) -> TurnFailed:
    return TurnFailed(code=error.code, title=error.title)


def _kind(error: Exception) -> str:
    return error.kind if isinstance(error, ProviderError) else "internal"


def _unexpected(error: Exception) -> bool:
    return not isinstance(error, ProviderError)
