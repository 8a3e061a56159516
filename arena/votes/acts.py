"""Acts on votes: cast one, see who was who, exclude one. The names of a battle leave only through here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from arena import meters
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
from arena.store import battles as stored_battles
from arena.store import flags, reveals, talks, votes
from arena.store.casting import Standing
from arena.store.tables import ExclusionRow, VoteRow
from arena.terms import BattleState, Part, TurnState
from arena.votes import casting
from arena.votes.ballots import Done, Judged, answers, new_ids, row
from arena.wire import Crowd, Reasoning, ThoughtView

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.store.engine import Database
    from arena.store.tables import BattleRow
    from arena.terms import Voter
    from arena.votes.ballots import Ballot
    from arena.wire import Reveal


async def cast_vote(database: Database, ballot: Ballot) -> Reveal:
    """Add one vote to the log; when this returns, it is on disk and the names may be shown.

    Raises:
        BattleNotFound: Unknown, or another voter's.
        TurnRunning, TurnNotReady, BattleClosed: There are no two finished answers to vote on.
        AlreadyVoted: Carries the reveal of the first vote.
        KeyReused: The key came with another outcome or battle before.
        StoreUnavailable: Nothing was saved.
    """
    done = await database.together(casting.cast, ballot)
    if isinstance(done, Judged):
        done = await _cast_alone(database, ballot, done)
    if done.new:
        meters.VOTES.labels(ballot.outcome, str(done.reveal.counted).lower()).inc()
    if not done.own:
        raise AlreadyVoted(done.reveal)
    return done.reveal


async def _cast_alone(database: Database, ballot: Ballot, judged: Judged) -> Done:
    try:
        return await database.write(_cast, ballot, judged)
    except IntegrityError:
        # Another request with the same battle or key was faster; its row decides what this one gets.
        return await database.write(_cast, ballot, judged)


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


def _cast(session: Session, ballot: Ballot, judged: Judged) -> Done:
    battle = stored_battles.held(session, ballot.battle_id, ballot.voter.key, whole=False)
    _check_key(session, ballot)
    vote = votes.of_battle(session, battle.id)
    if vote is not None:
        own = ballot.key is not None and vote.idempotency_key == ballot.key
        return Done(reveals.of(session, vote), own=own, new=False)
    flags.check_open(session, Part.VOTING)
    _check_ready(battle)
    standing = _standing(battle)
    if answers(*standing.last) != judged.answers:
        raise TurnNotReady
    vote = VoteRow(**row(ballot, judged, new_ids(1)[0], standing))
    session.add(vote)
    battle.state, battle.ended_at = BattleState.VOTED, ballot.now
    session.flush()
    return Done(reveals.of(session, vote), own=True, new=True)


def _standing(battle: BattleRow) -> Standing:
    last = battle.turns[-1]
    return Standing(
        voter_key=battle.voter_key,
        sides=(battle.endpoint_a_id, battle.endpoint_b_id),
        language=battle.language,
        turns=len(battle.turns),
        last=(last.number, last.generation, last.state),
        ready_at=last.ended_at,
    )


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


def _reveal_again(session: Session, voter: Voter, battle_id: str) -> Reveal:
    _own(session, voter, battle_id)
    vote = votes.of_battle(session, battle_id)
    if vote is None:
        raise NotVoted
    return reveals.of(session, vote)


def _crowd(session: Session, voter: Voter, battle_id: str) -> Crowd:
    place = votes.place(session, battle_id, voter.key)
    if place is None:
        _own(session, voter, battle_id)
        raise NotVoted
    number, a, b = place
    return Crowd(**votes.of_pair(session, a, b, before=number))


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
