"""Acts on votes: cast one, see who was who, exclude one. The names of a battle leave only through here."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from arena import meters
from arena.categories import category_of
from arena.errors import (
    AlreadyExcluded,
    AlreadyVoted,
    BattleClosed,
    KeyReused,
    NotFound,
    NotVoted,
    TurnNotReady,
    TurnRunning,
)
from arena.identity import exposed
from arena.rating.markup import style_of
from arena.store import battles as stored_battles
from arena.store import flags, reveals, talks, votes
from arena.store.tables import ExclusionRow, VoteRow
from arena.terms import BattleState, Finish, NotCounted, Outcome, Part, Side, TurnState
from arena.wire import Crowd, Reasoning, ThoughtView

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.categories import Category
    from arena.store.engine import Database
    from arena.store.tables import BattleRow
    from arena.terms import Voter
    from arena.wire import Reveal


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote as it is handed in.

    `key` is the caller's Idempotency-Key: the same key with the same outcome gives the same answer again.
    """

    voter: Voter
    battle_id: str
    outcome: Outcome
    key: str | None
    now: datetime


async def cast_vote(database: Database, ballot: Ballot) -> Reveal:
    """Add one vote to the log; when this returns, it is on disk and the names may be shown.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        TurnRunning, TurnNotReady, BattleClosed: There are no two finished answers to vote on.
        AlreadyVoted: Carries the reveal of the first vote.
        KeyReused: The key came with another outcome or battle before.
        StoreUnavailable: Nothing was saved.
    """
    judged = await _judged(database, ballot)
    try:
        done = await database.write(_cast, ballot, judged)
    except IntegrityError:
        # Another request with the same battle or key was faster; its row decides what this one gets.
        done = await database.write(_cast, ballot, judged)
    if done.new:
        meters.VOTES.labels(ballot.outcome, str(done.reveal.counted).lower()).inc()
    if not done.own:
        raise AlreadyVoted(done.reveal)
    return done.reveal


async def reveal_again(database: Database, voter: Voter, battle_id: str) -> Reveal:
    """Who was who in a battle that this voter has voted on.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        NotVoted: The names stay hidden until the vote.
    """
    return await database.read(_reveal_again, voter, battle_id)


async def crowd(database: Database, voter: Voter, battle_id: str) -> Crowd:
    """What was chosen for this pair in the counted votes before this one; only its voter is told, after voting.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        NotVoted: The own vote comes first.
    """
    return await database.read(_crowd, voter, battle_id)


async def reasoning(database: Database, voter: Voter, battle_id: str) -> Reasoning:
    """What both thought beside their answers, as far as the operator keeps it; only its voter is told, after voting.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        NotVoted: It tells who they are.
    """
    return await database.read(_reasoning, voter, battle_id)


async def exclude(database: Database, number: int, *, reason: str, by: str, now: datetime) -> None:
    """Say in a new row that vote `number` does not count; the vote itself stays.

    Raises:
        NotFound: There is no such vote.
        AlreadyExcluded: Somebody said so before.
    """
    try:
        await database.write(_exclude, number, reason, by, now)
    except IntegrityError:
        raise AlreadyExcluded from None


@dataclass(frozen=True, slots=True)
class _Judged:
    """What a vote on exactly these answers is about, and why it would not count.

    `answers` names the turn and how often it was asked; `style` measures the first answers and then the second ones.
    """

    answers: tuple[int, int]
    not_counted: NotCounted | None
    category: Category | None
    style: list[int]


async def _judged(database: Database, ballot: Ballot) -> _Judged:
    """Judge the texts before the write, so that the writer never waits for it; the write checks that they stand."""
    answers, texts, stopped = await database.read(_told, ballot)
    return await asyncio.to_thread(_judge, answers, texts, stopped=stopped)


def _judge(answers: tuple[int, int], texts: _Texts, *, stopped: bool) -> _Judged:
    found = exposed(texts.prompts, texts.answers, texts.names, texts.owners)
    return _Judged(
        answers=answers,
        not_counted=found or (NotCounted.STOPPED if stopped else None),
        category=category_of(texts.prompts),
        style=[count for side in Side for count in style_of(texts.said[side])],
    )


@dataclass(frozen=True, slots=True)
class _Texts:
    prompts: list[str]
    answers: list[str]
    said: dict[Side, list[str]]
    names: list[str]
    owners: list[str]


def _told(session: Session, ballot: Ballot) -> tuple[tuple[int, int], _Texts, bool]:
    battle = _own(session, ballot.voter, ballot.battle_id)
    replies = [reply for turn in battle.turns for reply in talks.current(turn)]
    sides = reveals.competitors(session, battle.endpoint_a_id, battle.endpoint_b_id).values()
    texts = _Texts(
        prompts=[turn.prompt for turn in battle.turns],
        answers=[reply.text for reply in replies],
        said={side: [reply.text for reply in replies if reply.side is side] for side in Side},
        names=[name for row in sides for name in (row.name, row.family or row.name, *row.aliases)],
        owners=[row.owner.name for row in sides],
    )
    return _answers(battle), texts, any(reply.finish is Finish.STOPPED for reply in replies)


def _answers(battle: BattleRow) -> tuple[int, int]:
    """Which answers a vote is about: a follow-up or another try makes them others, and so does their being unready."""
    last = battle.turns[-1]
    return (last.number, last.generation if last.state is TurnState.READY else -1)


@dataclass(frozen=True, slots=True)
class _Done:
    """The reveal, whether this ballot may call the vote its own, and whether it was only now stored."""

    reveal: Reveal
    own: bool
    new: bool


def _cast(session: Session, ballot: Ballot, judged: _Judged) -> _Done:
    battle = stored_battles.held(session, ballot.battle_id, ballot.voter.key, whole=False)
    _check_key(session, ballot)
    vote = votes.of_battle(session, battle.id)
    if vote is not None:
        own = ballot.key is not None and vote.idempotency_key == ballot.key
        return _Done(reveals.of(session, vote), own=own, new=False)
    flags.check_open(session, Part.VOTING)
    _check_ready(battle)
    if _answers(battle) != judged.answers:
        raise TurnNotReady
    vote = _row(battle, ballot, judged)
    session.add(vote)
    battle.state, battle.ended_at = BattleState.VOTED, ballot.now
    session.flush()
    return _Done(reveals.of(session, vote), own=True, new=True)


def _check_key(session: Session, ballot: Ballot) -> None:
    earlier = votes.by_key(session, ballot.voter.key, ballot.key) if ballot.key else None
    if earlier is not None and (earlier.battle_id, earlier.outcome) != (ballot.battle_id, ballot.outcome):
        raise KeyReused


def _check_ready(battle: BattleRow) -> None:
    if battle.state is not BattleState.OPEN:
        raise BattleClosed
    last = battle.turns[-1]
    if last.state is TurnState.RUNNING:
        raise TurnRunning
    if last.state is not TurnState.READY:
        raise TurnNotReady


def _row(battle: BattleRow, ballot: Ballot, judged: _Judged) -> VoteRow:
    ready_at = battle.turns[-1].ended_at
    return VoteRow(
        id=secrets.token_urlsafe(16),
        battle_id=battle.id,
        outcome=ballot.outcome,
        voter_key=ballot.voter.key,
        idempotency_key=ballot.key,
        endpoint_a_id=battle.endpoint_a_id,
        endpoint_b_id=battle.endpoint_b_id,
        language=battle.language,
        category=judged.category,
        style=judged.style,
        turns=len(battle.turns),
        seconds=max(0.0, (ballot.now - ready_at).total_seconds()) if ready_at else None,
        not_counted=judged.not_counted,
        created_at=ballot.now,
    )


def _reveal_again(session: Session, voter: Voter, battle_id: str) -> Reveal:
    _own(session, voter, battle_id)
    vote = votes.of_battle(session, battle_id)
    if vote is None:
        raise NotVoted
    return reveals.of(session, vote)


def _crowd(session: Session, voter: Voter, battle_id: str) -> Crowd:
    _own(session, voter, battle_id)
    vote = votes.of_battle(session, battle_id)
    if vote is None:
        raise NotVoted
    return Crowd(**votes.of_pair(session, vote.endpoint_a_id, vote.endpoint_b_id, before=vote.number))


def _reasoning(session: Session, voter: Voter, battle_id: str) -> Reasoning:
    battle = _own(session, voter, battle_id)
    if votes.of_battle(session, battle_id) is None:
        raise NotVoted
    thoughts = {
        turn.number: {reply.side: reply.reasoning for reply in talks.current(turn) if reply.reasoning}
        for turn in battle.turns
    }
    return Reasoning(turns=[ThoughtView(number=number, thoughts=found) for number, found in thoughts.items() if found])


def _own(session: Session, voter: Voter, battle_id: str) -> BattleRow:
    return stored_battles.owned(session, battle_id, voter.key)


def _exclude(session: Session, number: int, reason: str, by: str, now: datetime) -> None:
    if votes.by_number(session, number) is None:
        raise NotFound(f"There is no vote {number}.")
    session.add(ExclusionRow(vote_number=number, reason=reason, by=by, created_at=now))
    session.flush()
