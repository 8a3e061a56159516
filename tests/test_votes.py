import asyncio
import threading
from collections import Counter

import pytest
from sqlalchemy import func, select

from arena import battles, votes
from arena.errors import (
    AlreadyExcluded,
    AlreadyVoted,
    BattleClosed,
    BattleNotFound,
    Conflict,
    KeyReused,
    NotFound,
    NotVoted,
    TurnRunning,
)
from arena.ranking.logs import CountedLog, head_of
from arena.store import casting
from arena.store import endpoints as stored_endpoints
from arena.store import votes as stored
from arena.store.tables import VoteRow
from arena.terms import BattleState, NotCounted, Outcome, Voter
from arena.votes import Ballot, judging
from tests.battles.test_turns import BLUE, RED, begun, follow, names, play


def ballot(stage, voter, battle_id, outcome=Outcome.A, key=None) -> Ballot:
    return Ballot(voter, battle_id, outcome, key, stage.now())


async def vote(stage, voter, battle_id, outcome=Outcome.A, key=None):
    return await votes.cast_vote(stage.database, ballot(stage, voter, battle_id, outcome, key))


async def count(stage) -> int:
    return await stage.database.read(lambda session: session.scalar(select(func.count()).select_from(VoteRow)))


@pytest.mark.parametrize("outcome", Outcome)
async def test_a_vote_is_stored_as_its_word_and_the_names_are_told(stage, voter, outcome):
    battle, _ = await play(stage, voter, "请写一首诗")
    reveal = await vote(stage, voter, battle.id, outcome)
    who = await names(stage, battle.id)
    assert (reveal.a.name, reveal.b.name) == tuple(who.values())
    assert (reveal.outcome, reveal.counted, reveal.reason) == (outcome, True, None)
    row = await stage.database.read(stored.of_battle, battle.id)
    assert (row.outcome, row.language, row.turns) == (outcome, "zh", 1)
    assert 0 <= row.seconds < 5
    assert (await battles.look(stage, voter, battle.id)).outcome is outcome


async def test_a_vote_waits_for_both_answers(stage, voter, part):
    part(RED, "slow", pause=0.3)
    battle = await battles.open_battle(stage, voter, "Hello")
    with pytest.raises(TurnRunning):
        await vote(stage, voter, battle.id)
    assert await count(stage) == 0


async def test_a_void_or_skipped_battle_takes_no_vote(stage, voter, part):
    skipped, _ = await play(stage, voter)
    await battles.skip(stage, voter, skipped.id)
    part(RED, error=RuntimeError("down"))
    void, _ = await play(stage, voter)
    for battle in (skipped, void):
        with pytest.raises(BattleClosed):
            await vote(stage, voter, battle.id)


async def test_the_second_vote_is_told_the_first_ones_reveal(stage, voter):
    battle, _ = await play(stage, voter)
    first = await vote(stage, voter, battle.id, Outcome.A)
    with pytest.raises(AlreadyVoted) as caught:
        await vote(stage, voter, battle.id, Outcome.B)
    assert caught.value.reveal == first


async def test_the_same_key_and_outcome_give_the_same_answer(stage, voter):
    battle, _ = await play(stage, voter)
    first = await vote(stage, voter, battle.id, Outcome.TIE, key="k")
    assert await vote(stage, voter, battle.id, Outcome.TIE, key="k") == first
    assert await count(stage) == 1


async def test_a_key_with_another_outcome_or_battle_is_refused(stage, voter):
    one, _ = await play(stage, voter)
    two, _ = await play(stage, voter)
    await vote(stage, voter, one.id, Outcome.A, key="k")
    for battle_id, outcome in ((one.id, Outcome.B), (two.id, Outcome.A)):
        with pytest.raises(KeyReused):
            await vote(stage, voter, battle_id, outcome, key="k")
    assert await count(stage) == 1


@pytest.mark.parametrize("keys", [[None] * 8, ["same"] * 8, [f"key {n}" for n in range(8)]])
async def test_eight_parallel_votes_make_one_row(stage, voter, keys):
    battle, _ = await play(stage, voter)
    results = await asyncio.gather(
        *(vote(stage, voter, battle.id, Outcome.A, key=key) for key in keys), return_exceptions=True
    )
    kinds = Counter(type(result).__name__ for result in results)
    assert kinds == ({"Reveal": 8} if keys[0] == "same" else {"Reveal": 1, "AlreadyVoted": 7})
    assert await count(stage) == 1


async def test_only_the_voter_who_holds_the_battle_votes_and_sees_the_names(stage, voter):
    battle, _ = await play(stage, voter)
    stranger = Voter("stranger", "127.0.0.1")
    with pytest.raises(BattleNotFound):
        await vote(stage, stranger, battle.id)
    await vote(stage, voter, battle.id)
    with pytest.raises(BattleNotFound):
        await votes.reveal_again(stage.database, stranger, battle.id)


async def test_the_names_stay_hidden_until_the_vote_and_can_be_seen_again_after_it(stage, voter):
    battle, _ = await play(stage, voter)
    with pytest.raises(NotVoted):
        await votes.reveal_again(stage.database, voter, battle.id)
    first = await vote(stage, voter, battle.id)
    assert await votes.reveal_again(stage.database, voter, battle.id) == first


async def test_after_the_vote_the_battle_takes_no_more_prompts(stage, voter):
    battle, _ = await play(stage, voter)
    await vote(stage, voter, battle.id)
    for act in (battles.ask_next(stage, voter, battle.id, "more"), battles.ask_again(stage, voter, battle.id)):
        with pytest.raises(BattleClosed):
            await act
    with pytest.raises(BattleClosed):
        await battles.skip(stage, voter, battle.id)


async def test_a_vote_on_an_answer_that_told_its_name_is_kept_but_not_counted(stage, voter, part):
    part(RED, "I am red-7b, how can I help?")
    battle, _ = await play(stage, voter)
    reveal = await vote(stage, voter, battle.id)
    assert (reveal.counted, reveal.reason) == (False, NotCounted.IDENTITY_TOLD)
    assert await counted(stage) == []


async def test_a_vote_after_asking_for_the_name_is_kept_but_not_counted(stage, voter):
    battle, _ = await play(stage, voter, "你是谁？")
    assert (await vote(stage, voter, battle.id)).reason == NotCounted.IDENTITY_ASKED


async def test_a_later_version_tells_itself_by_the_name_of_the_model(stage, voter, part):
    def rename(session) -> None:
        row = stored_endpoints.by_name(session, RED)
        row.family, row.name = RED, "red-7b v2"

    await stage.database.write(rename)
    part(RED, "I was trained as red-7b.")
    battle, _ = await play(stage, voter)
    assert (await vote(stage, voter, battle.id)).reason == NotCounted.IDENTITY_TOLD


async def test_a_vote_on_stopped_answers_is_kept_but_not_counted(stage, voter, part):
    part(RED, "red", hang=True)
    part(BLUE, "blue", hang=True)
    battle = await battles.open_battle(stage, voter, "Hello")
    await begun(stage, voter, battle.id)
    await battles.stop(stage, voter, battle.id)
    assert (await vote(stage, voter, battle.id)).reason == NotCounted.STOPPED


async def test_a_discarded_answer_does_not_speak_against_the_vote(stage, voter, part):
    part(RED, "I am red-7b")
    battle, _ = await play(stage, voter)
    part(RED, "Fine weather")
    await battles.ask_again(stage, voter, battle.id)
    await follow(stage, voter, battle.id)
    assert (await vote(stage, voter, battle.id)).counted


async def counted(stage) -> list[int]:
    log = CountedLog()
    await stage.database.read(lambda session: log.advance(session, head_of(session)))
    return log.numbers.tolist()


async def test_an_excluded_vote_stays_in_the_log_and_out_of_the_count(stage, voter):
    for _ in range(3):
        battle, _ = await play(stage, voter)
        await vote(stage, voter, battle.id)
    await votes.exclude(stage.database, 2, reason="test", by="operator", now=stage.now())
    assert await count(stage) == 3
    assert await counted(stage) == [1, 3]
    with pytest.raises(AlreadyExcluded):
        await votes.exclude(stage.database, 2, reason="again", by="operator", now=stage.now())
    with pytest.raises(NotFound):
        await votes.exclude(stage.database, 99, reason="none", by="operator", now=stage.now())


async def test_the_battle_and_its_vote_change_in_one_transaction(stage, voter, monkeypatch):
    battle, _ = await play(stage, voter)
    add = casting.add

    def fail_behind(session, rows) -> None:
        add(session, rows)
        raise ZeroDivisionError

    monkeypatch.setattr(casting, "add", fail_behind)
    with pytest.raises(ZeroDivisionError):
        await vote(stage, voter, battle.id)
    assert await count(stage) == 0
    assert (await battles.look(stage, voter, battle.id)).state is BattleState.OPEN


async def test_a_vote_on_answers_that_are_asked_again_meanwhile_is_not_taken(stage, voter, part, monkeypatch):
    battle, _ = await play(stage, voter)
    part(RED, "I am red-7b")
    judge, under_way, asked = judging.judge, asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def slowly(seen):
        loop.call_soon_threadsafe(under_way.set)
        asked.wait()
        return judge(seen)

    monkeypatch.setattr(judging, "judge", slowly)
    voting = asyncio.create_task(vote(stage, voter, battle.id))
    await under_way.wait()
    await battles.ask_again(stage, voter, battle.id)
    await follow(stage, voter, battle.id)
    asked.set()
    with pytest.raises(Conflict):
        await voting
    assert await count(stage) == 0


async def test_after_the_vote_the_voter_learns_what_others_chose_for_this_pair(stage, voter):
    with pytest.raises(BattleNotFound):
        await votes.crowd(stage.database, voter, "nothing")
    chosen: Counter[str] = Counter()
    for number in range(8):
        other = Voter(f"voter {number}", "127.0.0.1")
        battle, _ = await play(stage, other)
        with pytest.raises(NotVoted):
            await votes.crowd(stage.database, other, battle.id)
        reveal = await vote(stage, other, battle.id, (Outcome.A, Outcome.TIE)[number % 2])
        winner = {Outcome.A: reveal.a.name}.get(reveal.outcome, reveal.outcome)
        crowd = await votes.crowd(stage.database, other, battle.id)
        seen = Counter({reveal.a.name: crowd.a, reveal.b.name: crowd.b, "tie": crowd.tie, "both_bad": crowd.both_bad})
        assert +seen == +chosen
        chosen[winner] += 1
    await votes.exclude(stage.database, 2, reason="test", by="operator", now=stage.now())
    assert (await votes.crowd(stage.database, other, battle.id)).tie == chosen["tie"] - 2
