"""Votes that come at once are cast together, and none of them spoils another."""

import asyncio
import threading
from collections import Counter

import pytest
from sqlalchemy import select

from arena import battles, votes
from arena.errors import (
    AlreadyVoted,
    BattleClosed,
    BattleNotFound,
    Closed,
    KeyReused,
    StoreUnavailable,
    TurnRunning,
)
from arena.store import battles as stored_battles
from arena.store import casting, flags
from arena.store import votes as stored
from arena.store.engine import open_database
from arena.store.tables import VoteRow
from arena.terms import BattleState, NotCounted, Outcome, Part, Voter
from arena.votes import Ballot, judging
from arena.wire import Reveal
from tests.battles.test_turns import BLUE, RED, names, play
from tests.conftest import commits_failing


async def played(stage, count: int) -> list[tuple[Voter, str]]:
    """Battles that wait for their votes, each of a voter of its own."""
    voters = [Voter(f"voter {number}", "127.0.0.1") for number in range(count)]
    return [(voter, (await play(stage, voter))[0].id) for voter in voters]


def ballots_on(stage, held, outcome=Outcome.A, key=None) -> list[Ballot]:
    return [Ballot(voter, battle_id, outcome, key, stage.now()) for voter, battle_id in held]


async def cast(*ballots: Ballot, database) -> list:
    """All at once; what each gets, errors too."""
    return await asyncio.gather(*(votes.cast_vote(database, ballot) for ballot in ballots), return_exceptions=True)


def log(session) -> list[str | None]:
    """Whose battles the log holds, in its order."""
    return list(session.scalars(select(VoteRow.battle_id).order_by(VoteRow.number)))


@pytest.fixture
def writes(monkeypatch) -> list[int]:
    """How many votes each write has put into the log that did so for several."""
    sizes: list[int] = []
    add = casting.add

    def counted(session, rows) -> None:
        sizes.append(len(rows))
        add(session, rows)

    monkeypatch.setattr(casting, "add", counted)
    return sizes


@pytest.fixture
def elsewhere(url):
    """The same database as another process sees it."""
    database = open_database(url)
    yield database
    database.close()


async def test_votes_that_come_at_once_are_one_write_and_numbered_in_their_order(stage, writes):
    held = await played(stage, 12)
    reveals = await cast(*ballots_on(stage, held), database=stage.database)
    assert writes == [12]
    assert await stage.database.read(log) == [battle_id for _, battle_id in held]
    for (voter, battle_id), reveal in zip(held, reveals, strict=True):
        assert (reveal.a.name, reveal.b.name) == tuple((await names(stage, battle_id)).values())
        assert (await battles.look(stage, voter, battle_id)).state is BattleState.VOTED


async def test_a_vote_cast_with_others_is_the_row_and_the_reveal_of_one_cast_alone(stage, part, monkeypatch):
    part(RED, "I am red-7b, and **bold**.")
    part(BLUE, "# Blue\n\n- one\n- two")
    together, alone = ballots_on(stage, await played(stage, 2), Outcome.TIE, "k")
    first = await votes.cast_vote(stage.database, together)
    monkeypatch.setattr(casting, "standing", lambda *_: {})
    second = await votes.cast_vote(stage.database, alone)
    assert (first.outcome, first.counted, first.reason) == (second.outcome, second.counted, second.reason)
    assert {first.a, first.b} == {second.a, second.b}
    rows = [await stage.database.read(stored.of_battle, ballot.battle_id) for ballot in (together, alone)]
    for column in ("outcome", "idempotency_key", "language", "category", "turns", "not_counted"):
        assert getattr(rows[0], column) == getattr(rows[1], column)
    assert rows[0].not_counted is NotCounted.IDENTITY_TOLD
    for row, ballot in zip(rows, (together, alone), strict=True):
        battle = await stage.database.read(stored_battles.find, ballot.battle_id)
        assert (row.created_at, row.voter_key, battle.ended_at) == (ballot.now, ballot.voter.key, ballot.now)
        assert (row.endpoint_a_id, row.endpoint_b_id) == (battle.endpoint_a_id, battle.endpoint_b_id)
        assert sorted((row.style[:4], row.style[4:])) == [[19, 1, 2, 0], [26, 0, 0, 1]]
        assert 0 <= row.seconds < 60


async def test_each_of_many_gets_its_own_answer_and_the_good_ones_are_saved(stage, part):
    held = await played(stage, 8)
    good, (foreign, voted, skipped, fresh) = held[:4], held[4:]
    first = await votes.cast_vote(stage.database, *ballots_on(stage, [voted], Outcome.B, "earlier"))
    await battles.skip(stage, *skipped)
    part(RED, "slow", pause=0.5)
    running = Voter("in a hurry", "127.0.0.1")
    open_battle = await battles.open_battle(stage, running, "Hello")
    bad = [
        *ballots_on(stage, [(Voter("stranger", "127.0.0.1"), foreign[1]), (foreign[0], "no such battle")]),
        *ballots_on(stage, [voted, skipped, (running, open_battle.id)]),
        *ballots_on(stage, [voted], Outcome.A, "earlier"),
        *ballots_on(stage, [fresh], Outcome.A, "fresh"),
    ]
    mixed = [ballot for pair in zip(bad, ballots_on(stage, good * 2)[: len(bad)], strict=True) for ballot in pair]
    results = await cast(*mixed, database=stage.database)
    wrong, right = results[::2], results[1::2]
    assert [type(each) for each in wrong] == [
        *(BattleNotFound, BattleNotFound, AlreadyVoted, BattleClosed, TurnRunning, KeyReused, Reveal)
    ]
    assert wrong[2].reveal == first
    assert Counter(type(each) for each in right) == {Reveal: 4, AlreadyVoted: 3}
    assert len(await stage.database.read(log)) == 6


async def test_one_key_for_two_battles_at_once_is_taken_by_one_of_them(stage):
    voter = Voter("v", "127.0.0.1")
    held = [(voter, (await play(stage, voter))[0].id) for _ in range(3)]
    results = await cast(*ballots_on(stage, held, key="same"), database=stage.database)
    assert Counter(type(each) for each in results) == {Reveal: 1, KeyReused: 2}


async def test_a_constraint_that_refuses_one_costs_the_others_nothing(stage, monkeypatch):
    """As when another process takes the same key between the look and the write."""
    held = await played(stage, 3)
    first, *others = ballots_on(stage, held, key="k")
    await votes.cast_vote(stage.database, first)
    again, _ = await play(stage, first.voter)
    monkeypatch.setattr(casting, "used", lambda *_: set())
    ballots = [*ballots_on(stage, [(first.voter, again.id)], key="k"), *others]
    results = await cast(*ballots, database=stage.database)
    assert [type(each) for each in results] == [KeyReused, Reveal, Reveal]
    assert len(await stage.database.read(log)) == 3


async def test_a_flush_that_fails_is_told_to_all_and_reveals_nothing(stage):
    held = await played(stage, 5)
    ballots = ballots_on(stage, held, key="k")
    with commits_failing(stage.database):
        results = await cast(*ballots, database=stage.database)
    assert [type(each) for each in results] == [StoreUnavailable] * 5
    assert await stage.database.read(log) == []
    for voter, battle_id in held:
        assert (await battles.look(stage, voter, battle_id)).state is BattleState.OPEN
    assert [type(each) for each in await cast(*ballots, database=stage.database)] == [Reveal] * 5


async def test_a_text_that_cannot_be_judged_costs_its_own_vote_only(stage, monkeypatch):
    held = await played(stage, 4)
    judge = judging.judge

    def picky(seen):
        if seen.shown.voter_key == held[2][0].key:
            raise RecursionError
        return judge(seen)

    monkeypatch.setattr(judging, "judge", picky)
    results = await cast(*ballots_on(stage, held), database=stage.database)
    assert [type(each) for each in results] == [Reveal, Reveal, RecursionError, Reveal]


async def test_where_voting_is_closed_nobody_votes(stage):
    held = await played(stage, 3)
    await stage.database.write(flags.put, Part.VOTING, closed=True, reason="r", now=stage.now())
    results = await cast(*ballots_on(stage, held), database=stage.database)
    assert [type(each) for each in results] == [Closed] * 3
    assert await stage.database.read(log) == []


async def test_a_caller_who_leaves_takes_nobody_along(stage):
    held = await played(stage, 6)
    calls = [asyncio.create_task(votes.cast_vote(stage.database, ballot)) for ballot in ballots_on(stage, held)]
    await asyncio.sleep(0)
    calls[0].cancel()
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(each) for each in results[1:]] == [Reveal] * 5
    assert set(await stage.database.read(log)) >= {battle_id for _, battle_id in held[1:]}


async def test_two_processes_that_take_the_same_votes_save_each_once(stage, elsewhere):
    held = await played(stage, 16)
    here, there = ballots_on(stage, held, Outcome.A), ballots_on(stage, held[::-1], Outcome.B)
    results = await asyncio.gather(cast(*here, database=stage.database), cast(*there, database=elsewhere))
    found = Counter(type(each) for half in results for each in half)
    assert found == {Reveal: 16, AlreadyVoted: 16}
    assert sorted(await stage.database.read(log)) == sorted(battle_id for _, battle_id in held)
    for ballot, each in zip(here + there, results[0] + results[1], strict=True):
        told = each if type(each) is Reveal else each.reveal
        assert (await stage.database.read(stored.of_battle, ballot.battle_id)).outcome == told.outcome


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_battle_that_somebody_holds_keeps_no_other_vote_waiting(stage, elsewhere):
    held = await played(stage, 4)
    loop, begun, go_on = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def hold(session) -> None:
        stored_battles.held(session, held[0][1], held[0][0].key)
        loop.call_soon_threadsafe(begun.set)
        go_on.wait(20)

    holding = asyncio.create_task(elsewhere.write(hold))
    await begun.wait()
    waiting, *others = [
        asyncio.create_task(votes.cast_vote(stage.database, ballot)) for ballot in ballots_on(stage, held)
    ]
    assert [type(each) for each in await asyncio.gather(*others)] == [Reveal] * 3
    assert not waiting.done()
    go_on.set()
    await holding
    assert type(await waiting) is Reveal
