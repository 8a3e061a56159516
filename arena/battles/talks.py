"""What a voter can do with a talk that has begun, be it a blind battle or a chat with chosen models."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from arena import meters
from arena.battles import places, scripts
from arena.battles.feeds import Cursor, Feed
from arena.battles.runs import ANSWER_FAILED, run_turn
from arena.battles.scripts import Moment, Unable
from arena.battles.stage import Run
from arena.errors import PromptEmpty, PromptTooLong, TermsNotAccepted
from arena.spans import span
from arena.store import talks as stored
from arena.store import voters
from arena.terms import PROMPT_LIMIT, TurnState
from arena.text import well_formed
from arena.wire import TurnFailed, TurnReady

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from arena.battles.places import Begun
    from arena.battles.runs import Script
    from arena.battles.stage import Stage
    from arena.errors import ArenaError
    from arena.limits import Lease
    from arena.store.talks import Book, Talk
    from arena.terms import Voter
    from arena.wire import BattleEvent

log = logging.getLogger(__name__)

SHOW_TIME: Final = 60.0
"""Seconds that showing may take after the models have ended; then a turn is overdue."""

T = TypeVar("T", bound="Talk")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Talks(Generic[T, V]):
    """One kind of talk: where it is written, how its voter sees it, and what is said if it has ones nobody can ask."""

    book: Book[T]
    view: Callable[[T, Feed | None], V]
    refusal: Callable[[T, Unable], ArenaError]

    async def begin(
        self, stage: Stage, voter: Voter, terms: int | None, begin: Callable[[], Coroutine[Any, Any, Begun[T]]]
    ) -> V:
        """Have a new talk written and run; `terms` is the version that the voter accepts with this prompt.

        Raises:
            TermsNotAccepted: Neither now nor earlier.
            RateLimited, Busy, ShuttingDown: Not now.
            StoreUnavailable: Nothing was saved.
        """

        async def agreed() -> Begun[T]:
            # Only who has been admitted is noted, so that nobody fills the table for nothing.
            await _agree(stage, voter, terms)
            return await begin()

        return await self._start(stage, voter, agreed, begins=True)

    async def ask_next(self, stage: Stage, voter: Voter, talk_id: str, prompt: str) -> V:
        """Put another prompt to the same endpoints.

        Raises:
            TurnRunning, TurnLimitReached, BattleClosed, BattleNotFound, ChatNotFound, and all of `begin`.
            ModelsBusy, ModelAway, ModelResting, ModelSpent: One of them cannot be asked now.
        """
        text = clean(prompt)

        async def write() -> tuple[Script, T]:
            return await stage.database.write(
                scripts.following, self.book, voter.key, talk_id, moment(stage), stage.keys, prompt=text
            )

        return await self._start(stage, voter, lambda: self._again(stage, voter, talk_id, write))

    async def ask_again(self, stage: Stage, voter: Voter, talk_id: str) -> V:
        """Discard the answers of the last turn and ask again; what was discarded stays on record.

        Raises:
            RegenerateLimitReached, and all of `ask_next`.
        """

        async def write() -> tuple[Script, T]:
            return await stage.database.write(
                scripts.repeated, self.book, voter.key, talk_id, moment(stage), stage.keys
            )

        return await self._start(stage, voter, lambda: self._again(stage, voter, talk_id, write))

    async def look(self, stage: Stage, voter: Voter, talk_id: str) -> V:
        """The talk as its voter sees it now, with the text shown so far."""
        talk, run = await self._own_running(stage, voter, talk_id)
        return self.view(talk, run.feed if run else None)

    async def stop(self, stage: Stage, voter: Voter, talk_id: str) -> V:
        """End the answers where they are; the turn becomes ready with what has been shown."""
        talk = await self._own(stage, voter, talk_id)
        if run := stage.runs.get(talk_id):
            run.stop.set()
            if run.task:
                await asyncio.wait([run.task])
            talk = await self._own(stage, voter, talk_id)
        return self.seen(stage, talk)

    async def watch(
        self, stage: Stage, voter: Voter, talk_id: str, last_id: str | None
    ) -> AsyncIterator[tuple[Cursor, BattleEvent]] | None:
        """Follow the last turn from the reader's last event on; None when there is nothing left to say."""
        talk, run = await self._own_running(stage, voter, talk_id)
        feed = run.feed if run else _stored_feed(talk)
        cursor = feed.resume(last_id)
        return None if cursor.ended else feed.follow(cursor)

    def seen(self, stage: Stage, talk: T) -> V:
        """The view of a talk that has just been read or written."""
        run = stage.runs.get(talk.id)
        return self.view(talk, run.feed if run else None)

    async def _again(
        self, stage: Stage, voter: Voter, talk_id: str, write: Callable[[], Coroutine[Any, Any, tuple[Script, T]]]
    ) -> Begun[T]:
        talk = await stage.database.read(scripts.askable, self.book, voter.key, talk_id)
        try:
            return await places.held(stage, talk.sides, write)
        except Unable as unable:
            raise self.refusal(talk, unable) from None

    async def _start(
        self, stage: Stage, voter: Voter, begin: Callable[[], Coroutine[Any, Any, Begun[T]]], *, begins: bool = False
    ) -> V:
        """Take a place, write the turn, start its run. Shielded: a reader who leaves in between breaks nothing."""
        stage.check_open()
        lease = await stage.limits.admit(voter, begins=begins)

        async def written_and_running() -> V:
            try:
                begun = await begin()
            except BaseException:
                lease.release()
                raise
            _launch(stage, begun, lease)
            return self.seen(stage, begun.talk)

        return await asyncio.shield(stage.spawn(written_and_running()))

    async def _own(self, stage: Stage, voter: Voter, talk_id: str) -> T:
        return await stage.database.read(stored.owned, self.book, talk_id, voter.key)

    async def _own_running(self, stage: Stage, voter: Voter, talk_id: str) -> tuple[T, Run | None]:
        """The talk and its run. A run that ends while the row is read is still the one to follow: the row is older."""
        before = stage.runs.get(talk_id)
        talk = await self._own(stage, voter, talk_id)
        return talk, stage.runs.get(talk_id) or before


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


def moment(stage: Stage) -> Moment:
    """When and where a turn starts that is written now."""
    return Moment(stage.now(), timedelta(seconds=stage.times.total + SHOW_TIME), stage.process or None)


async def _agree(stage: Stage, voter: Voter, terms: int | None) -> None:
    if not stage.terms or await stage.database.read(voters.accepted, voter.key) >= stage.terms:
        return
    if terms != stage.terms:
        raise TermsNotAccepted(stage.terms)
    await stage.database.write(voters.accept, voter.key, stage.terms, stage.now())


def _launch(stage: Stage, begun: Begun[T], lease: Lease) -> None:
    script = begun.script
    run = Run(Feed(script.number, script.generation, script.endpoints), begun.calls)

    async def to_the_end() -> None:
        meters.RUNNING.inc()
        try:
            with span("turn", turn=script.turn_id) as note:
                await run_turn(stage, script, run)
                note("end", _how(run.feed.end))
        except Exception:
            log.exception("the run of talk %s broke; the sweeper will close its turn", script.talk_id)
        finally:
            if run.feed.end is None:
                run.feed.finish(ANSWER_FAILED)
            meters.RUNNING.dec()
            meters.TURNS.labels(_how(run.feed.end)).inc()
            begun.places.close()
            lease.release()
            if stage.runs.get(script.talk_id) is run:
                del stage.runs[script.talk_id]

    stage.runs[script.talk_id] = run
    run.task = stage.spawn(to_the_end())


def _how(end: TurnReady | TurnFailed | None) -> str:
    return end.code if isinstance(end, TurnFailed) else "ready"


def _stored_feed(talk: Talk) -> Feed:
    """A feed that has already happened. A turn that runs in no process we know of sends its readers back later."""
    turn = talk.turns[-1]
    feed = Feed(turn.number, turn.generation, talk.sides)
    if turn.state is TurnState.RUNNING:
        feed.close()
    elif turn.state is TurnState.FAILED:
        feed.finish(ANSWER_FAILED)
    else:
        replies = {reply.side: reply.text for reply in stored.current(turn)}
        feed.show(replies, tuple(replies))
        feed.finish(TurnReady(number=turn.number))
    return feed
