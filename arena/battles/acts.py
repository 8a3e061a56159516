"""What a voter can do with a battle before the vote."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena import meters
from arena.battles import places, scripts
from arena.battles.feeds import Cursor, Feed
from arena.battles.runs import ANSWER_FAILED, run_turn
from arena.battles.scripts import Moment
from arena.battles.stage import Run
from arena.errors import BattleClosed, PromptEmpty, PromptTooLong, TermsNotAccepted, TurnRunning
from arena.language import detect
from arena.store import battles as stored
from arena.store import voters
from arena.store.tables import BattleRow
from arena.terms import PROMPT_LIMIT, BattleState, TurnState
from arena.text import well_formed
from arena.wire import BattleView, TurnFailed, TurnReady

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from typing import Any

    from sqlalchemy.orm import Session

    from arena.battles.places import Begun
    from arena.battles.runs import Script
    from arena.battles.stage import Stage
    from arena.limits import Lease
    from arena.pairing import Pairing
    from arena.terms import Voter
    from arena.wire import BattleEvent

log = logging.getLogger(__name__)

SHOW_TIME: Final = 60.0
"""Seconds that showing may take after the models have ended; then a turn is overdue."""


async def open_battle(stage: Stage, voter: Voter, prompt: str, terms: int | None = None) -> BattleView:
    """Draw two endpoints and ask both; `terms` is the version that the voter accepts with this prompt.

    Raises:
        TermsNotAccepted: Neither now nor earlier.
        PromptEmpty, PromptTooLong: The prompt does not fit.
        RateLimited, Busy, ShuttingDown: Not now.
        TooFewEndpoints: Nobody to meet.
        StoreUnavailable: Nothing was saved.
    """
    text = clean(prompt)

    async def begin() -> Begun:
        # Only who has been admitted is noted, so that nobody fills the table for nothing.
        await _agree(stage, voter, terms)
        language = await asyncio.to_thread(detect, text)
        return await places.drawn(stage, lambda pairing: write(pairing, language))

    async def write(pairing: Pairing, language: str) -> tuple[Script, BattleRow]:
        draft = BattleRow(
            id=stage.new_id(),
            voter_key=voter.key,
            endpoint_a_id=pairing.a,
            endpoint_b_id=pairing.b,
            probability=pairing.probability,
            state=BattleState.OPEN,
            language=language,
            created_at=stage.now(),
        )
        return await stage.database.write(scripts.first, draft, text, _moment(stage), stage.keys)

    view = await _start(stage, voter, begin, begins=True)
    meters.BATTLES.inc()
    return view


async def ask_next(stage: Stage, voter: Voter, battle_id: str, prompt: str) -> BattleView:
    """Put another prompt to the same two endpoints.

    Raises:
        TurnRunning, TurnLimitReached, BattleClosed, BattleNotFound, and all of `open_battle`.
        ModelsBusy: One of the two cannot be asked now.
    """
    text = clean(prompt)

    async def write() -> tuple[Script, BattleRow]:
        moment = _moment(stage)
        return await stage.database.write(scripts.following, voter.key, battle_id, text, moment, stage.keys)

    return await _start(stage, voter, lambda: places.again(stage, voter.key, battle_id, write))


async def ask_again(stage: Stage, voter: Voter, battle_id: str) -> BattleView:
    """Discard both answers of the last turn and ask both again; what was discarded stays on record.

    Raises:
        TurnRunning, RegenerateLimitReached, ModelsBusy, BattleClosed, BattleNotFound, and all of `open_battle`.
    """

    async def write() -> tuple[Script, BattleRow]:
        moment = _moment(stage)
        return await stage.database.write(scripts.repeated, voter.key, battle_id, moment, stage.keys)

    return await _start(stage, voter, lambda: places.again(stage, voter.key, battle_id, write))


async def look(stage: Stage, voter: Voter, battle_id: str) -> BattleView:
    """The battle as its voter sees it now, with the text shown so far."""
    battle, run = await _own_running(stage, voter, battle_id)
    return scripts.view(battle, run.feed if run else None)


async def stop(stage: Stage, voter: Voter, battle_id: str) -> BattleView:
    """End both answers where they are; the turn becomes ready with what has been shown."""
    battle = await _own(stage, voter, battle_id)
    if run := stage.runs.get(battle_id):
        run.stop.set()
        if run.task:
            await asyncio.wait([run.task])
        battle = await _own(stage, voter, battle_id)
    return _view(stage, battle)


async def skip(stage: Stage, voter: Voter, battle_id: str) -> BattleView:
    """Leave a battle without a vote; it is recorded as abandoned and its names stay hidden."""
    await stop(stage, voter, battle_id)
    battle = await stage.database.write(_abandon, voter.key, battle_id, stage)
    return _view(stage, battle)


async def watch(
    stage: Stage, voter: Voter, battle_id: str, last_id: str | None
) -> AsyncIterator[tuple[Cursor, BattleEvent]] | None:
    """Follow the last turn from the reader's last event on; None when there is nothing left to say."""
    battle, run = await _own_running(stage, voter, battle_id)
    feed = run.feed if run else _stored_feed(battle)
    cursor = feed.resume(last_id)
    return None if cursor.ended else feed.follow(cursor)


def clean(prompt: str) -> str:
    """The prompt as it is stored and sent: trimmed, well-formed, without NUL.

    Raises:
        PromptEmpty, PromptTooLong: It does not fit.
    """
    text = well_formed(prompt).strip()
    if not text:
        raise PromptEmpty
    if len(text) > PROMPT_LIMIT:
        raise PromptTooLong
    return text


async def _agree(stage: Stage, voter: Voter, terms: int | None) -> None:
    if not stage.terms or await stage.database.read(voters.accepted, voter.key) >= stage.terms:
        return
    if terms != stage.terms:
        raise TermsNotAccepted(stage.terms)
    await stage.database.write(voters.accept, voter.key, stage.terms, stage.now())


async def _start(
    stage: Stage, voter: Voter, begin: Callable[[], Coroutine[Any, Any, Begun]], *, begins: bool = False
) -> BattleView:
    """Take a place, write the turn, start its run. Shielded: a reader who leaves in between breaks nothing."""
    stage.check_open()
    lease = await stage.limits.admit(voter, begins=begins)

    async def written_and_running() -> BattleView:
        try:
            begun = await begin()
        except BaseException:
            lease.release()
            raise
        _launch(stage, begun, lease)
        return _view(stage, begun.battle)

    return await asyncio.shield(stage.spawn(written_and_running()))


def _launch(stage: Stage, begun: Begun, lease: Lease) -> None:
    script = begun.script
    run = Run(Feed(script.number, script.generation), begun.calls)

    async def to_the_end() -> None:
        meters.RUNNING.inc()
        try:
            await run_turn(stage, script, run)
        except Exception:
            log.exception("the run of battle %s broke; the sweeper will close its turn", script.battle_id)
        finally:
            if run.feed.end is None:
                run.feed.finish(ANSWER_FAILED)
            meters.RUNNING.dec()
            meters.TURNS.labels(_how(run.feed.end)).inc()
            begun.places.close()
            lease.release()
            if stage.runs.get(script.battle_id) is run:
                del stage.runs[script.battle_id]

    stage.runs[script.battle_id] = run
    run.task = stage.spawn(to_the_end())


def _how(end: TurnReady | TurnFailed | None) -> str:
    return end.code if isinstance(end, TurnFailed) else "ready"


def _moment(stage: Stage) -> Moment:
    return Moment(stage.now(), timedelta(seconds=stage.times.total + SHOW_TIME), stage.process or None)


async def _own(stage: Stage, voter: Voter, battle_id: str) -> BattleRow:
    return await stage.database.read(stored.owned, battle_id, voter.key)


async def _own_running(stage: Stage, voter: Voter, battle_id: str) -> tuple[BattleRow, Run | None]:
    """The battle and its run. A run that ends while the row is read is still the one to follow: the row is older."""
    before = stage.runs.get(battle_id)
    battle = await _own(stage, voter, battle_id)
    return battle, stage.runs.get(battle_id) or before


def _abandon(session: Session, voter_key: str, battle_id: str, stage: Stage) -> BattleRow:
    battle = stored.held(session, battle_id, voter_key)
    if battle.state is BattleState.OPEN:
        if battle.turns[-1].state is TurnState.RUNNING:
            raise TurnRunning
        battle.state, battle.ended_at = BattleState.ABANDONED, stage.now()
    elif battle.state is BattleState.VOTED:
        raise BattleClosed
    return battle


def _view(stage: Stage, battle: BattleRow) -> BattleView:
    run = stage.runs.get(battle.id)
    return scripts.view(battle, run.feed if run else None)


def _stored_feed(battle: BattleRow) -> Feed:
    """A feed that has already happened. A turn that runs in no process we know of sends its readers back later."""
    turn = battle.turns[-1]
    feed = Feed(turn.number, turn.generation)
    if turn.state is TurnState.RUNNING:
        feed.close()
    elif turn.state is TurnState.FAILED:
        feed.finish(ANSWER_FAILED)
    else:
        replies = {reply.side: reply.text for reply in stored.current(turn)}
        feed.show(replies, tuple(replies))
        feed.finish(TurnReady(number=turn.number))
    return feed
