"""What a person can do with a chat: one or two models chosen by name, an opinion on their answers, and no rating."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena import meters
from arena.battles import places, scripts
from arena.battles.scripts import Unable
from arena.battles.talks import Talks, clean, moment
from arena.errors import Invalid, ModelAway, ModelNotFound, ModelResting, TurnNotReady, TurnRunning
from arena.store import endpoints, reveals
from arena.store import talks as stored
from arena.store.tables import ChatRow, ChatVoteRow, EndpointRow
from arena.store.talks import CHATS
from arena.terms import BattleState, EndpointState, Opinion, Side, TurnState
from arena.text import well_formed
from arena.wire import ChatTurnView, ChatView

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.battles.feeds import Feed
    from arena.battles.places import Begun
    from arena.battles.runs import Script
    from arena.battles.scripts import Moment
    from arena.battles.stage import Stage
    from arena.errors import ArenaError
    from arena.store.tables import ChatTurnRow
    from arena.targets import Keys
    from arena.terms import Voter

OF_ONE: Final = frozenset({Opinion.GOOD, Opinion.BAD})
OF_TWO: Final = frozenset(Opinion) - OF_ONE
_SOON: Final = 10


async def open_chat(
    stage: Stage, voter: Voter, prompt: str, models: Sequence[str], terms: int | None = None
) -> ChatView:
    """Ask the models of these names, one or two of them; `terms` is the version that the voter accepts with it.

    Raises:
        Invalid: No model, more than two, or one twice.
        ModelNotFound: Nobody may know of such a model.
        ModelAway, ModelResting, ModelSpent: One of them is not asked, now or on this day; the detail names it.
        TermsNotAccepted, PromptEmpty, PromptTooLong, RateLimited, Busy, ShuttingDown, StoreUnavailable: As in a battle.
    """
    text, names = clean(prompt), [well_formed(name) for name in models]
    if not 1 <= len(names) <= len(Side) or len(set(names)) < len(names):
        raise Invalid("A chat has one model, or two different ones.")

    async def begin() -> Begun[ChatRow]:
        chosen = await stage.database.read(_chosen, names)
        sides = {side: row.id for side, row in chosen.items()}

        async def write() -> tuple[Script, ChatRow]:
            draft = ChatRow(id=stage.new_id(), voter_key=voter.key, state=BattleState.OPEN, created_at=stage.now())
            return await stage.database.write(_first, draft, sides, text, moment(stage), stage.keys)

        try:
            return await places.held(stage, sides, write)
        except Unable as unable:
            raise _refusal(chosen.values(), unable) from None

    view = await _KIND.begin(stage, voter, terms, begin)
    meters.CHATS.inc()
    return view


async def judge(stage: Stage, voter: Voter, chat_id: str, opinion: Opinion) -> ChatView:
    """Keep what is said of the last answers; nothing depends on it, so a later word takes the place of an earlier one.

    Raises:
        ChatNotFound: Unknown, or another voter's.
        TurnRunning, TurnNotReady: There is no finished answer.
        Invalid: An opinion on two models where there is one, or the other way round.
    """
    chat = await stage.database.write(_judge, voter.key, chat_id, opinion, stage.now())
    return _KIND.seen(stage, chat)


def _chosen(session: Session, names: Sequence[str]) -> dict[Side, EndpointRow]:
    """The endpoints of these names; one that is not listed looks like one that does not exist."""
    found = {side: endpoints.public_by_name(session, name) for side, name in zip(Side, names, strict=False)}
    rows = {side: row for side, row in found.items() if row is not None}
    if len(rows) < len(found):
        raise ModelNotFound
    if away := [row.name for row in rows.values() if row.state is not EndpointState.ACTIVE]:
        raise ModelAway(", ".join(away))
    return rows


def _first(
    session: Session, draft: ChatRow, sides: Mapping[Side, int], prompt: str, now: Moment, keys: Keys
) -> tuple[Script, ChatRow]:
    rows = endpoints.by_id(session, sides.values())
    draft.a, draft.b = rows[sides[Side.A]], rows.get(sides.get(Side.B, 0))
    return scripts.first(session, CHATS, draft, prompt, now, keys)


def _judge(session: Session, voter_key: str, chat_id: str, opinion: Opinion, now: datetime) -> ChatRow:
    chat = stored.held(session, CHATS, chat_id, voter_key)
    last = chat.turns[-1]
    if last.state is TurnState.RUNNING:
        raise TurnRunning
    if last.state is TurnState.FAILED:
        raise TurnNotReady
    if opinion not in (OF_ONE if len(chat.sides) == 1 else OF_TWO):
        raise Invalid(f"The answers of this chat are not judged by the word {opinion!r}.")
    said = last.vote = last.vote or ChatVoteRow()
    said.generation, said.opinion, said.created_at = last.generation, opinion, now
    session.flush()
    return chat


def _view(chat: ChatRow, live: Feed | None) -> ChatView:
    """The chat with the names that its holder chose."""
    return ChatView(
        id=chat.id,
        state=chat.state,
        models={side: reveals.competitor(row) for side, row in chat.models.items()},
        turns=[_turn(turn, live) for turn in chat.turns],
    )


def _turn(turn: ChatTurnRow, live: Feed | None) -> ChatTurnView:
    said = turn.vote if turn.state is TurnState.READY else None
    return ChatTurnView(
        number=turn.number,
        prompt=turn.prompt,
        state=turn.state,
        generation=turn.generation,
        answers=scripts.shown(turn, live),
        outcome=said.opinion if said and said.generation == turn.generation else None,
    )


def _refusal(models: Iterable[EndpointRow], unable: Unable) -> ArenaError:
    """The names are known, so it may be said which one cannot be asked, and why."""
    names = [row.name for row in models if row.id in unable.endpoints]
    return unable.why(", ".join(names), retry_after=_SOON if unable.why is ModelResting else None)


_KIND: Final = Talks(CHATS, _view, lambda chat, unable: _refusal(chat.models.values(), unable))
ask_next, ask_again = _KIND.ask_next, _KIND.ask_again
look, stop, watch = _KIND.look, _KIND.stop, _KIND.watch
