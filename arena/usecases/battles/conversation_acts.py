"""Acts that battles and chats share: ask again or further, read, stop, follow."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from arena.adapters.store import conversations as stored
from arena.domain.schemas.battles import TurnReadyEvent
from arena.domain.terms import TurnState
from arena.usecases.battles import turns
from arena.usecases.battles.admission import admission, clean, hold
from arena.usecases.battles.feed import Feed
from arena.usecases.battles.runtime import shielded
from arena.usecases.battles.turn_failures import failed_event
from arena.usecases.battles.turn_run import launch
from arena.usecases.battles.turns import NotCallable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from arena.adapters.store.conversations import Conversation, ConversationKind
    from arena.domain.errors import ArenaError
    from arena.domain.terms import Voter
    from arena.usecases.battles.feed import Step
    from arena.usecases.battles.runtime import Runtime
    from arena.usecases.battles.turns import Prompt

T = TypeVar("T", bound="Conversation")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class ConversationActs(Generic[T, V]):
    """The acts on an open conversation of one kind.

    Attributes:
        kind: The kind, with its tables.
        view: Makes the voter's view from a row and the feed of its running turn.
        refusal: Makes the error for endpoints that cannot be asked; it names them only in chats.
    """

    kind: ConversationKind[T]
    view: Callable[[T, Feed | None], V]
    refusal: Callable[[Runtime, NotCallable], Awaitable[ArenaError]]

    async def ask_next(
        self, runtime: Runtime, voter: Voter, conversation_id: str, prompt: str, images: Sequence[str] = ()
    ) -> V:
        """Put another prompt to the same endpoints.

        Raises:
            PromptEmpty, PromptTooLong: The prompt does not fit.
            RateLimited, Busy, ShuttingDown: There is no capacity now.
            TurnLimitReached: And the other errors of `turns.write_next`.
        """
        return await self._ask(runtime, voter, conversation_id, clean(prompt, images))

    async def ask_again(self, runtime: Runtime, voter: Voter, conversation_id: str) -> V:
        """Ask the last prompt again; the earlier answers stay in the database, but are no longer shown.

        Raises:
            RateLimited, Busy, ShuttingDown: There is no capacity now.
            RegenerateLimitReached: And the other errors of `turns.write_next`.
        """
        return await self._ask(runtime, voter, conversation_id, None)

    async def look(self, runtime: Runtime, voter: Voter, conversation_id: str) -> V:
        """The conversation as its voter sees it now, with the text shown so far."""
        return self.view(*await self._row_and_feed(runtime, voter, conversation_id))

    async def stop(self, runtime: Runtime, voter: Voter, conversation_id: str) -> V:
        """Stop the running answers; the turn becomes ready with the text shown so far, or fails if a side has none."""
        conversation = await runtime.database.read(stored.owned, self.kind, conversation_id, voter.key)
        if run := runtime.runs.get(conversation_id):
            run.stop.set()
            if run.task:
                await asyncio.wait([run.task])
            conversation = await runtime.database.read(stored.owned, self.kind, conversation_id, voter.key)
        return self.view(conversation, runtime.feed(conversation_id))

    async def watch(
        self, runtime: Runtime, voter: Voter, conversation_id: str, last_id: str | None, *, as_html: bool = False
    ) -> AsyncIterator[list[Step]] | None:
        """Follow the last turn from the reader's last event on; None if the reader has had all events.

        As HTML, events have blocks in place of text.
        """
        run = runtime.runs.get(conversation_id)
        if run and run.holder == (self.kind, voter.key):
            feed = run.feed
        else:
            conversation, live = await self._row_and_feed(runtime, voter, conversation_id)
            feed = live or _stored_feed(conversation, is_blind=self.kind is stored.BATTLES)
        cursor = feed.resume(last_id)
        return None if cursor.ended else feed.follow(cursor, as_html=as_html)

    async def _ask(self, runtime: Runtime, voter: Voter, conversation_id: str, prompt: Prompt | None) -> V:
        try:
            conversation = await _ask(runtime, self.kind, voter, conversation_id, prompt)
        except NotCallable as not_callable:
            raise await self.refusal(runtime, not_callable) from None
        return self.view(conversation, runtime.feed(conversation_id))

    async def _row_and_feed(self, runtime: Runtime, voter: Voter, conversation_id: str) -> tuple[T, Feed | None]:
        """The conversation, and the feed of its running turn.

        The feed is looked up before the row as well, since a turn may end while its row is read as running.
        """
        feed = runtime.feed(conversation_id)
        conversation = await runtime.database.read(stored.owned, self.kind, conversation_id, voter.key)
        return conversation, runtime.feed(conversation_id) or feed


@shielded
async def _ask(
    runtime: Runtime, kind: ConversationKind[T], voter: Voter, conversation_id: str, prompt: Prompt | None
) -> T:
    """Put a prompt to the endpoints of a conversation, or the last one again if `prompt` is None."""
    async with admission(runtime, voter) as capacity:
        conversation = await runtime.database.read(turns.askable, kind, voter.key, conversation_id)
        calls = hold(runtime, kind, conversation.sides, capacity)
        plan, conversation = await runtime.database.write(
            turns.write_next, runtime, kind, voter.key, conversation_id, prompt
        )
        launch(runtime, plan, voter, calls, capacity.pop_all())
    return conversation


def _stored_feed(conversation: Conversation, *, is_blind: bool) -> Feed:
    """The complete feed of a turn that does not run here; for one that runs elsewhere, it tells readers to retry."""
    turn = conversation.turns[-1]
    feed = Feed(turn.number, turn.generation, conversation.sides)
    is_failed = turn.state is TurnState.FAILED
    if turn.state is TurnState.RUNNING:
        feed.close()
    elif is_failed and is_blind:
        feed.finish(failed_event(turn.failure))
    else:
        replies = stored.current(turn)
        failed = stored.failed_sides(replies)
        texts = {reply.side: reply.text for reply in replies}
        feed.show(texts, tuple(side for side in texts if side not in failed))
        feed.finish(failed_event(turn.failure, failed) if is_failed else TurnReadyEvent(number=turn.number))
    return feed
