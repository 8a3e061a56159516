"""What a voter can do with a battle before the vote; most of it is what can be done with any talk."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from arena import meters
from arena.battles import places, scripts
from arena.battles.talks import Talks, clean, moment
from arena.errors import BattleClosed, ModelsBusy, TurnRunning
from arena.language import detect
from arena.store import battles as stored
from arena.store.tables import BattleRow
from arena.store.talks import BATTLES
from arena.terms import BattleState, TurnState
from arena.wire import BattleView, TurnView

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.battles.feeds import Feed
    from arena.battles.places import Begun
    from arena.battles.runs import Script
    from arena.battles.stage import Stage
    from arena.pairing import Pairing
    from arena.terms import Voter


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

    async def begin() -> Begun[BattleRow]:
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
        return await stage.database.write(scripts.first, BATTLES, draft, text, moment(stage), stage.keys)

    view = await _KIND.begin(stage, voter, terms, begin)
    meters.BATTLES.inc()
    return view


async def skip(stage: Stage, voter: Voter, battle_id: str) -> BattleView:
    """Leave a battle without a vote; it is recorded as abandoned and its names stay hidden."""
    await stop(stage, voter, battle_id)
    battle = await stage.database.write(_abandon, voter.key, battle_id, stage)
    return _KIND.seen(stage, battle)


def _abandon(session: Session, voter_key: str, battle_id: str, stage: Stage) -> BattleRow:
    battle = stored.held(session, battle_id, voter_key)
    if battle.state is BattleState.OPEN:
        if battle.turns[-1].state is TurnState.RUNNING:
            raise TurnRunning
        battle.state, battle.ended_at = BattleState.ABANDONED, stage.now()
    elif battle.state is BattleState.VOTED:
        raise BattleClosed
    return battle


def _view(battle: BattleRow, live: Feed | None) -> BattleView:
    """All that the voter may see; the running turn's text comes from its feed."""
    return BattleView(
        id=battle.id,
        state=battle.state,
        outcome=battle.vote.outcome if battle.state is BattleState.VOTED and battle.vote else None,
        turns=[
            TurnView(
                number=turn.number,
                prompt=turn.prompt,
                state=turn.state,
                generation=turn.generation,
                answers=scripts.shown(turn, live),
            )
            for turn in battle.turns
        ],
    )


_KIND: Final = Talks(BATTLES, _view, lambda _battle, _unable: ModelsBusy())
ask_next, ask_again = _KIND.ask_next, _KIND.ask_again
look, stop, watch = _KIND.look, _KIND.stop, _KIND.watch
