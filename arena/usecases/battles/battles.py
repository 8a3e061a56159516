"""Acts on a battle before the vote: open, ask again or further, read, follow, stop, skip."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.adapters.language import detect, is_loaded
from arena.adapters.observability import metrics
from arena.adapters.store import conversations as stored
from arena.adapters.store import neighbourhoods
from arena.adapters.store.conversations import BATTLES
from arena.adapters.store.tables.conversations import BattleRow
from arena.domain.errors import BattleClosed, ModelsBusy, TurnRunning
from arena.domain.pairing.eligibility import need_of
from arena.domain.schemas.battles import BattleView
from arena.domain.sensitive_topics import topic_of
from arena.domain.terms import BattleKind, BattleState, TurnState
from arena.domain.text import normalised
from arena.usecases.battles import turns
from arena.usecases.battles.admission import admission, check_terms, clean, draw, hold, practice_possible, record_terms
from arena.usecases.battles.conversation_acts import ConversationActs
from arena.usecases.battles.pool import PoolChanged
from arena.usecases.battles.runtime import shielded
from arena.usecases.battles.turn_run import launch
from arena.usecases.battles.turns import NotCallable, Prompt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.domain.errors import ArenaError
    from arena.domain.pairing.draw import Pairing
    from arena.domain.pairing.eligibility import Need
    from arena.domain.terms import Voter
    from arena.usecases.battles.feed import Feed
    from arena.usecases.battles.pool import CandidatePool
    from arena.usecases.battles.runtime import Runtime
    from arena.usecases.battles.turns import TurnPlan

MAX_INLINE_CHARACTERS: Final = 500
"""Characters of a prompt that is classified on the event loop, in a quarter of a millisecond."""


class _BattleRequest(NamedTuple):
    """A voter's request for a battle; `terms` is the version of the terms that the voter accepts with it."""

    voter: Voter
    prompt: Prompt
    language: str
    terms: int | None
    kind: BattleKind


@shielded
async def open_battle(
    runtime: Runtime,
    voter: Voter,
    prompt: str,
    terms: int | None = None,
    images: Sequence[str] = (),
    kind: BattleKind = BattleKind.TEXT,
) -> BattleView:
    """Draw two endpoints and ask both; `terms` is the version of the terms that the voter accepts with this prompt.

    Raises:
        TooManyImages, ImageNotFound, NoVision: The images cannot be used.
        TermsNotAccepted: The voter has not accepted the current terms.
        PromptEmpty, PromptTooLong: The prompt does not fit.
        RateLimited, Busy, ModelsResting, ShuttingDown: There is no capacity now.
        TooManyBattles, TooFewVotes: The neighbourhood has reached a limit of this day.
        TooFewEndpoints: The pool has no pair.
        PracticeModelsOnly: No real models can be drawn, and practice models must not be asked about this.
        StoreUnavailable: Nothing was saved.
    """
    cleaned = clean(prompt, images)
    async with admission(runtime, voter, begins=True) as capacity:
        await check_terms(runtime, voter, terms)
        pool = await _pool(runtime)
        while True:
            language, need = await _need(runtime, cleaned, kind, practice=practice_possible(runtime, pool.candidates))
            request = _BattleRequest(voter, cleaned, language, terms, kind)
            pairing = draw(runtime, pool.candidates, need)
            calls = hold(runtime, BATTLES, pairing.sides, capacity)
            try:
                plan, battle = await runtime.database.write(_write, runtime, request, pool, pairing)
                break
            except (NotCallable, PoolChanged) as refusal:
                for call in calls.values():
                    call.close()
                pool = await _next_pool(runtime, pool, refusal)
        launch(runtime, plan, voter, calls, capacity.pop_all())
    metrics.BATTLES.inc()
    return _view(battle, runtime.feed(battle.id))


async def _need(runtime: Runtime, prompt: Prompt, kind: BattleKind, *, practice: bool) -> tuple[str, Need]:
    """Language and needs of a prompt; a short one is classified on the event loop, since a thread would cost more.

    Its topic, and whether a script can answer it, are looked up only if a `practice` model may be drawn.
    """
    text = prompt.text
    classify = partial(_classify, text, practice=practice)
    in_loop = len(text) <= MAX_INLINE_CHARACTERS and is_loaded()
    language, sensitive = classify() if in_loop else await asyncio.to_thread(classify)
    # Always in a thread: reading all notes of the script takes milliseconds.
    script = practice and await asyncio.to_thread(_is_in_script, runtime, text, kind)
    return language, need_of(text, language, script=script, vision=bool(prompt.images), sensitive=sensitive)


def _is_in_script(runtime: Runtime, text: str, kind: BattleKind) -> bool:
    """Whether the scripted practice models have an answer to this prompt."""
    return bool(runtime.script and runtime.script.can_answer(text, page=kind is BattleKind.WEB_PAGE))


def _classify(text: str, *, practice: bool) -> tuple[str, bool]:
    return detect(text), practice and topic_of(text) is not None


async def _pool(runtime: Runtime) -> CandidatePool:
    return await runtime.pool.on(turns.day_of(runtime.now()), runtime.database, runtime.keys)


async def _next_pool(runtime: Runtime, pool: CandidatePool, refusal: NotCallable | PoolChanged) -> CandidatePool:
    """The pool to draw from after a pair was refused: without its endpoints that cannot be asked, or read anew."""
    if isinstance(refusal, NotCallable):
        return pool.without(refusal.endpoints)
    runtime.pool.forget()
    return await _pool(runtime)


def _write(
    session: Session, runtime: Runtime, request: _BattleRequest, pool: CandidatePool, pairing: Pairing
) -> tuple[TurnPlan, BattleRow]:
    """Store a battle with its first turn running.

    Raises:
        ImageNotFound: One of the images is not the voter's, or has expired.
        NotCallable: One of the endpoints cannot be asked.
        PracticeModelsOnly: One of them is a practice model, which must not be asked about this.
        PoolChanged: An endpoint has changed since the pool was read.
        TooManyBattles, TooFewVotes: The neighbourhood has reached a limit of this day.
    """
    pool.check(session)
    voter, prompt, now = request.voter, request.prompt, runtime.now()
    battle = BattleRow(
        id=runtime.new_id(),
        kind=request.kind,
        voter_key=voter.key,
        endpoint_a_id=pairing.a,
        endpoint_b_id=pairing.b,
        probability=pairing.probability,
        repeated=not prompt.images and _is_repeated(session, request, pairing),
        state=BattleState.OPEN,
        language=request.language,
        created_at=now,
    )
    record_terms(session, runtime, voter, request.terms, now)
    place = runtime.bounds.place(voter, now)
    plan = turns.write_first(session, runtime, BATTLES, battle, prompt, now, place=place)
    # Last, because other battles of the neighbourhood wait for this lock until the commit.
    runtime.bounds.check(*neighbourhoods.begin(session, place), now)
    return plan, battle


def _is_repeated(session: Session, request: _BattleRequest, pairing: Pairing) -> bool:
    """Whether this voter has put the same prompt to the same pair before."""
    earlier = stored.first_prompts(session, request.voter.key, (pairing.a, pairing.b), request.kind)
    return normalised(request.prompt.text) in map(normalised, earlier)


def _view(battle: BattleRow, live: Feed | None) -> BattleView:
    """The battle as its voter may see it; the running turn's text comes from its feed."""
    return BattleView(
        id=battle.id,
        state=battle.state,
        kind=battle.kind,
        outcome=battle.vote.outcome if battle.state is BattleState.VOTED and battle.vote else None,
        turns=[turns.view(turn, live, is_blind=battle.state is not BattleState.VOTED) for turn in battle.turns],
    )


async def _refusal(_runtime: Runtime, _not_callable: NotCallable) -> ArenaError:
    """One error for every endpoint and every cause, so that it identifies no model."""
    return ModelsBusy()


_ACTS: Final = ConversationActs(BATTLES, _view, _refusal)
ask_next, ask_again, look, stop, watch = _ACTS.ask_next, _ACTS.ask_again, _ACTS.look, _ACTS.stop, _ACTS.watch


async def skip(runtime: Runtime, voter: Voter, battle_id: str) -> BattleView:
    """Leave a battle without a vote; it becomes abandoned and its names stay hidden.

    Raises:
        BattleNotFound, BattleClosed, TurnRunning: It is not this voter's, has a vote, or runs in another process.
    """
    await stop(runtime, voter, battle_id)
    battle = await runtime.database.write(_abandon, voter.key, battle_id, runtime.now())
    return _view(battle, runtime.feed(battle_id))


def _abandon(session: Session, voter_key: str, battle_id: str, now: datetime) -> BattleRow:
    battle = stored.owned_for_update(session, BATTLES, battle_id, voter_key)
    if battle.state is BattleState.OPEN:
        if battle.turns[-1].state is TurnState.RUNNING:
            raise TurnRunning
        battle.state, battle.ended_at = BattleState.ABANDONED, now
    elif battle.state is BattleState.VOTED:
        raise BattleClosed
    return battle
