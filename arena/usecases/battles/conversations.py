"""Acts on a conversation that battles and chats share: ask on, look, stop, follow."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from arena.adapters.store import conversations as stored
from arena.domain.schemas import TurnReadyEvent
from arena.domain.terms import TurnState
from arena.usecases.battles import turns
from arena.usecases.battles.admission import admission
from arena.usecases.battles.capacity import hold
from arena.usecases.battles.feed import Feed
from arena.usecases.battles.launch import launch
from arena.usecases.battles.runtime import shielded
from arena.usecases.battles.turn_run import ANSWER_FAILED

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from arena.adapters.store.conversations import Conversation, ConversationKind
    from arena.domain.terms import Voter
    from arena.usecases.battles.feed import Step
    from arena.usecases.battles.plan import Prompt
    from arena.usecases.battles.runtime import Runtime

T = TypeVar("T", bound="Conversation")


@shielded
async def ask(
    runtime: Runtime,
    kind: ConversationKind[T],
    voter: Voter,
    conversation_id: str,
    prompt: Prompt | None,
) -> T:
    """Put another prompt to the same endpoints, or the last one again if `prompt` is None; returns the conversation.

    Raises:
        TooManyImages, ImagesLate, ModelBlind, ImageNotFound, ImagesGone: Not with these images, or not without others.
        TurnRunning, TurnNotReady, TurnLimitReached, RegenerateLimitReached, BattleClosed, BattleNotFound, ChatNotFound:
            The conversation does not go on.
        PracticeModelsOnly: One of the endpoints is a practice model, which must not be asked about this.
        NotCallable: One of the endpoints cannot be asked now.
        RateLimited, Busy, ShuttingDown: Not now.
        StoreUnavailable: Nothing was saved.
    """
    async with admission(runtime, voter) as capacity:
        conversation = await runtime.database.read(turns.askable, kind, voter.key, conversation_id)
        calls = hold(runtime, kind, conversation.sides, capacity)
        plan, conversation = await runtime.database.write(
            turns.write_next, kind, voter.key, conversation_id, runtime.turn_start(), runtime.keys, prompt=prompt
        )
        launch(runtime, plan, voter, calls, capacity.pop_all())
    return conversation


async def look(
    runtime: Runtime, kind: ConversationKind[T], voter: Voter, conversation_id: str
) -> tuple[T, Feed | None]:
    """The conversation, and the feed of its running turn.

    A turn that ends while its row is read is still followed: the row is the older of the two.
    """
    before = runtime.feed(conversation_id)
    conversation = await runtime.database.read(stored.owned, kind, conversation_id, voter.key)
    return conversation, runtime.feed(conversation_id) or before


async def stop(runtime: Runtime, kind: ConversationKind[T], voter: Voter, conversation_id: str) -> T:
    """End the answers where they are; the turn becomes ready with the text that has been shown."""
    conversation = await runtime.database.read(stored.owned, kind, conversation_id, voter.key)
    if run := runtime.runs.get(conversation_id):
        run.stop.set()
        if run.task:
            await asyncio.wait([run.task])
        conversation = await runtime.database.read(stored.owned, kind, conversation_id, voter.key)
    return conversation


async def watch(
    runtime: Runtime, kind: ConversationKind[T], voter: Voter, conversation_id: str, last_id: str | None
) -> AsyncIterator[list[Step]] | None:
    """Follow the last turn from the reader's last event on; None when nothing is left."""
    run = runtime.runs.get(conversation_id)
    if run and run.holder == (kind, voter.key):
        feed = run.feed
    else:
        conversation, live = await look(runtime, kind, voter, conversation_id)
        feed = live or _stored_feed(conversation)
    cursor = feed.resume(last_id)
    return None if cursor.ended else feed.follow(cursor)


def _stored_feed(conversation: Conversation) -> Feed:
    """The feed of a turn that does not run here; if it runs in an unknown process, readers are told to come back."""
    turn = conversation.turns[-1]
    feed = Feed(turn.number, turn.generation, conversation.sides)
    if turn.state is TurnState.RUNNING:
        feed.close()
    elif turn.state is TurnState.FAILED:
        feed.finish(ANSWER_FAILED)
    else:
        replies = {reply.side: reply.text for reply in stored.current(turn)}
        feed.show(replies, tuple(replies))
        feed.finish(TurnReadyEvent(number=turn.number))
    return feed
