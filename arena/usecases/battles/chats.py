"""Acts on a chat: one or two models chosen by name, an opinion on their answers, and no rating."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.adapters.observability import metrics
from arena.adapters.store import conversations as stored
from arena.adapters.store import endpoints
from arena.adapters.store.conversations import CHATS
from arena.adapters.store.tables.chats import ChatRow, ChatVoteRow
from arena.domain.errors import (
    AnswersChanged,
    Invalid,
    ModelAway,
    ModelNotFound,
    ModelResting,
    TurnNotReady,
    TurnRunning,
)
from arena.domain.schemas.battles import ChatTurnView, ChatView
from arena.domain.schemas.votes import ANY_ANSWERS, ShownAnswers
from arena.domain.terms import BattleState, EndpointState, Opinion, Side, TurnState
from arena.domain.text import well_formed
from arena.usecases.battles import turns
from arena.usecases.battles.admission import RETRY_SECONDS, admission, check_terms, clean, hold, record_terms
from arena.usecases.battles.conversation_acts import ConversationActs
from arena.usecases.battles.runtime import shielded
from arena.usecases.battles.turn_run import launch
from arena.usecases.battles.turns import NotCallable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.chats import ChatTurnRow
    from arena.domain.errors import ArenaError
    from arena.domain.terms import Voter
    from arena.usecases.battles.feed import Feed
    from arena.usecases.battles.runtime import Runtime
    from arena.usecases.battles.turns import Prompt, TurnPlan

OF_ONE: Final = frozenset({Opinion.GOOD, Opinion.BAD})
OF_TWO: Final = frozenset(Opinion) - OF_ONE


@shielded
async def open_chat(
    runtime: Runtime,
    voter: Voter,
    prompt: str,
    models: Sequence[str],
    terms: int | None = None,
    images: Sequence[str] = (),
) -> ChatView:
    """Ask one or two models by name; `terms` is the version of the terms that the voter accepts with the prompt.

    Raises:
        Invalid: No model, more than two, or one twice.
        ModelNotFound: There is no public model of this name.
        ModelAway, ModelResting, ModelSpent: One of them, whose name the error has, is not available.
        PracticeModelsOnly: One of them is a practice model, which must not be asked about this.
        TooManyImages, ModelBlind, ImageNotFound: The images cannot be used.
        TermsNotAccepted, PromptEmpty, PromptTooLong, RateLimited, Busy, ShuttingDown, StoreUnavailable: As in a battle.
    """
    cleaned, names = clean(prompt, images), [well_formed(name) for name in models]
    if not 1 <= len(names) <= len(Side) or len(set(names)) < len(names):
        raise Invalid(rule="models")
    async with admission(runtime, voter, begins=True) as capacity:
        await check_terms(runtime, voter, terms)
        sides = await runtime.database.read(_endpoints, runtime, names)
        try:
            calls = hold(runtime, CHATS, sides, capacity)
            plan, chat = await runtime.database.write(_write, runtime, voter, sides, cleaned, terms)
        except NotCallable as not_callable:
            raise await _refusal(runtime, not_callable) from None
        launch(runtime, plan, voter, calls, capacity.pop_all())
    metrics.CHATS.inc()
    return _view(chat, runtime.feed(chat.id))


def _endpoints(session: Session, runtime: Runtime, names: Sequence[str]) -> dict[Side, int]:
    """The endpoints of these names; an unlisted one gives the same error as an unknown one."""
    rows = [row for name in names if (row := endpoints.public_by_name(session, name))]
    if len(rows) < len(names):
        raise ModelNotFound
    keyless = runtime.keys.lost(session)
    states = {row.name: endpoints.shown_state(session, row, keyless) for row in rows}
    if inactive := [name for name, state in states.items() if state is not EndpointState.ACTIVE]:
        raise ModelAway(name=", ".join(inactive))
    return {side: row.id for side, row in zip(Side, rows, strict=False)}


def _write(
    session: Session, runtime: Runtime, voter: Voter, sides: Mapping[Side, int], prompt: Prompt, terms: int | None
) -> tuple[TurnPlan, ChatRow]:
    """Store a chat with its first turn running; raises NotCallable if one of the endpoints cannot be asked."""
    rows, now = endpoints.by_id(session, sides.values()), runtime.now()
    chat = ChatRow(id=runtime.new_id(), voter_key=voter.key, state=BattleState.OPEN, created_at=now)
    chat.endpoint_a_id, chat.endpoint_b_id = sides[Side.A], sides.get(Side.B)
    chat.a, chat.b = rows[sides[Side.A]], rows.get(sides.get(Side.B, 0))
    record_terms(session, runtime, voter, terms, now)
    return turns.write_first(session, runtime, CHATS, chat, prompt, now), chat


def _view(chat: ChatRow, live: Feed | None) -> ChatView:
    """The chat with the names that its voter chose."""
    return ChatView(
        id=chat.id,
        state=chat.state,
        models={side: endpoints.competitor(row) for side, row in chat.models.items()},
        turns=[_turn_view(turn, live) for turn in chat.turns],
    )


def _turn_view(turn: ChatTurnRow, live: Feed | None) -> ChatTurnView:
    failed = stored.failed_sides(stored.current(turn)) if turn.state is TurnState.FAILED else []
    return ChatTurnView(**dict(turns.view(turn, live, is_blind=False)), outcome=_opinion(turn), failed=failed)


def _opinion(turn: ChatTurnRow) -> Opinion | None:
    """The opinion on the turn's current answers; None if there is none, or only one on discarded answers."""
    vote = turn.vote if turn.state is TurnState.READY else None
    return vote.opinion if vote and vote.generation == turn.generation else None


async def _refusal(runtime: Runtime, not_callable: NotCallable) -> ArenaError:
    """The error with the names of the models that cannot be asked, which the voter has chosen."""
    rows = await runtime.database.read(endpoints.by_id, not_callable.endpoints)
    names = [rows[number].name for number in not_callable.endpoints]
    wait = RETRY_SECONDS if not_callable.why is ModelResting else None
    return not_callable.why(name=", ".join(names), retry_after=wait)


_ACTS: Final = ConversationActs(CHATS, _view, _refusal)
ask_next, ask_again, look, stop, watch = _ACTS.ask_next, _ACTS.ask_again, _ACTS.look, _ACTS.stop, _ACTS.watch


async def judge(
    runtime: Runtime, voter: Voter, chat_id: str, opinion: Opinion, shown: ShownAnswers = ANY_ANSWERS
) -> ChatView:
    """Store an opinion on the last answers, in place of an earlier one; no rating reads it.

    Raises:
        ChatNotFound: Unknown, or another voter's.
        TurnRunning, TurnNotReady: The answers are not finished.
        AnswersChanged: The voter judges other answers than the newest ones.
        Invalid: An opinion on two models in a chat with one, or the reverse.
    """
    chat = await runtime.database.write(_judge, voter.key, chat_id, opinion, shown, runtime.now())
    return _view(chat, runtime.feed(chat_id))


def _judge(
    session: Session, voter_key: str, chat_id: str, opinion: Opinion, shown: ShownAnswers, now: datetime
) -> ChatRow:
    chat = stored.owned_for_update(session, CHATS, chat_id, voter_key)
    last = chat.turns[-1]
    if last.state is TurnState.RUNNING:
        raise TurnRunning
    if last.state is TurnState.FAILED:
        raise TurnNotReady
    if not shown.are(last.number, last.generation):
        raise AnswersChanged
    if opinion not in (OF_ONE if len(chat.sides) == 1 else OF_TWO):
        raise Invalid(rule="opinion", word=opinion.value)
    vote = last.vote = last.vote or ChatVoteRow()
    vote.generation, vote.opinion, vote.created_at = last.generation, opinion, now
    session.flush()
    return chat
