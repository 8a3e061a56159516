import asyncio
import threading
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from arena.adapters.observability import metrics
from arena.adapters.store import endpoints as stored_endpoints
from arena.adapters.store import vote_batches
from arena.adapters.store import votes as stored
from arena.adapters.store.tables.conversations import VoteRow
from arena.domain.errors import (
    AlreadyExcluded,
    BattleClosed,
    BattleNotFound,
    Conflict,
    KeyReused,
    NotFound,
    NotVoted,
    TurnRunning,
)
from arena.domain.terms import BattleState, NotCounted, Outcome, Voter
from arena.usecases.battles import battles
from arena.usecases.ranking.vote_columns import CountedLog, head_of
from arena.usecases.votes import assessment, votes
from arena.usecases.votes.ballot import Ballot
from tests.usecases.battles.test_turns import BLUE, RED, begun, follow, names, play


def ballot(runtime, voter, battle_id, outcome=Outcome.A, key=None) -> Ballot:
    return Ballot(voter, battle_id, outcome, key, runtime.now())


async def vote(runtime, voter, battle_id, outcome=Outcome.A, key=None):
    return await votes.cast_vote(runtime.database, ballot(runtime, voter, battle_id, outcome, key))


async def count(runtime) -> int:
    return await runtime.database.read(lambda session: session.scalar(select(func.count()).select_from(VoteRow)))


@pytest.mark.parametrize("outcome", Outcome)
async def test_a_vote_is_stored_as_its_word_and_the_names_are_told(runtime, voter, outcome):
    battle, _ = await play(runtime, voter, "请写一首诗")
    reveal = await vote(runtime, voter, battle.id, outcome)
    who = await names(runtime, battle.id)
    assert (reveal.a.name, reveal.b.name) == tuple(who.values())
    assert (reveal.outcome, reveal.counted, reveal.reason) == (outcome, True, None)
    row = await runtime.database.read(stored.of_battle, battle.id)
    assert (row.outcome, row.language, row.turns) == (outcome, "zh", 1)
    assert 0 <= row.seconds < 5
    assert (await battles.look(runtime, voter, battle.id)).outcome is outcome


@pytest.mark.parametrize(("waited", "seconds"), [(0.25, 0.25), (-3, 0)])
async def test_the_time_from_the_answers_to_the_vote_is_never_less_than_none(runtime, voter, waited, seconds):
    battle, _ = await play(runtime, voter)
    ready_at = (await runtime.database.read(vote_batches.lock, [battle.id], wait=True))[battle.id].ready_at
    at_moment = replace(ballot(runtime, voter, battle.id), now=ready_at + timedelta(seconds=waited))
    await votes.cast_vote(runtime.database, at_moment)
    assert (await runtime.database.read(stored.of_battle, battle.id)).seconds == pytest.approx(seconds)


@pytest.mark.parametrize("counted", [True, False])
async def test_the_metric_counts_a_stored_vote_once(runtime, voter, counted):
    labels = {"outcome": "b", "counted": "true" if counted else "false"}
    before = metrics.REGISTRY.get_sample_value("arena_votes_total", labels) or 0
    battle, _ = await play(runtime, voter, "Write a poem" if counted else "Which model are you?")
    for _ in range(2):
        assert (await vote(runtime, voter, battle.id, Outcome.B, key="k")).counted is counted
        assert metrics.REGISTRY.get_sample_value("arena_votes_total", labels) == before + 1


async def test_a_vote_waits_for_both_answers(runtime, voter, part):
    part(RED, hang=True)
    battle = await battles.open_battle(runtime, voter, "Hello")
    with pytest.raises(TurnRunning):
        await vote(runtime, voter, battle.id)
    assert await count(runtime) == 0


async def test_a_void_or_skipped_battle_takes_no_vote(runtime, voter, part):
    skipped, _ = await play(runtime, voter)
    await battles.skip(runtime, voter, skipped.id)
    part(RED, error=RuntimeError("down"))
    void, _ = await play(runtime, voter)
    for battle in (skipped, void):
        with pytest.raises(BattleClosed):
            await vote(runtime, voter, battle.id)


async def test_a_key_with_another_outcome_or_battle_is_refused(runtime, voter):
    one, _ = await play(runtime, voter)
    two, _ = await play(runtime, voter)
    await vote(runtime, voter, one.id, Outcome.A, key="k")
    for battle_id, outcome in ((one.id, Outcome.B), (two.id, Outcome.A)):
        with pytest.raises(KeyReused):
            await vote(runtime, voter, battle_id, outcome, key="k")
    assert await count(runtime) == 1


@pytest.mark.both_databases
@pytest.mark.parametrize("keys", [[None] * 8, ["same"] * 8, [f"key {n}" for n in range(8)]])
async def test_eight_parallel_votes_make_one_row(runtime, voter, keys):
    battle, _ = await play(runtime, voter)
    results = await asyncio.gather(
        *(vote(runtime, voter, battle.id, Outcome.A, key=key) for key in keys), return_exceptions=True
    )
    kinds = Counter(type(result).__name__ for result in results)
    assert kinds == ({"RevealView": 8} if keys[0] == "same" else {"RevealView": 1, "AlreadyVoted": 7})
    assert await count(runtime) == 1


async def test_only_the_voter_who_holds_the_battle_votes_and_sees_the_names(runtime, voter):
    battle, _ = await play(runtime, voter)
    stranger = Voter("stranger", "127.0.0.1")
    with pytest.raises(BattleNotFound):
        await vote(runtime, stranger, battle.id)
    await vote(runtime, voter, battle.id)
    with pytest.raises(BattleNotFound):
        await votes.reveal_again(runtime.database, stranger, battle.id)


async def test_after_the_vote_the_battle_takes_no_more_prompts(runtime, voter):
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)
    for act in (battles.ask_next(runtime, voter, battle.id, "more"), battles.ask_again(runtime, voter, battle.id)):
        with pytest.raises(BattleClosed):
            await act
    with pytest.raises(BattleClosed):
        await battles.skip(runtime, voter, battle.id)


async def test_a_vote_on_an_answer_that_told_its_name_is_kept_but_not_counted(runtime, voter, part):
    part(RED, "I am red-7b, how can I help?")
    battle, _ = await play(runtime, voter)
    reveal = await vote(runtime, voter, battle.id)
    assert (reveal.counted, reveal.reason) == (False, NotCounted.IDENTITY_TOLD)
    assert await counted(runtime) == []


async def test_a_name_in_the_rivals_answer_tells_nothing(runtime, voter, part):
    part(RED, "I am blue-7b, how can I help?")
    part(BLUE, "I am red-7b, how can I help?")
    battle, _ = await play(runtime, voter)
    assert (await vote(runtime, voter, battle.id)).counted


@pytest.mark.both_databases
@pytest.mark.parametrize("word", ["of the", "I am", "sorry", "一个"])
async def test_an_owner_or_alias_of_common_words_keeps_no_vote_from_being_counted(runtime, voter, part, word):
    def take(session) -> None:
        row = stored_endpoints.by_name(session, RED)
        row.aliases, row.owner.name = [word], word

    await runtime.database.write(take)
    part(RED, "I am sorry, one of the best. I am part of the team. 我是一个人工智能助手。")
    battle, _ = await play(runtime, voter)
    assert (await vote(runtime, voter, battle.id)).counted


async def test_a_battle_is_judged_by_the_aliases_in_force_when_it_began(runtime, voter, part):
    part(RED, "I am Quux.")
    before, _ = await play(runtime, voter)

    def rename(session, *names: str) -> None:
        row = stored_endpoints.by_name(session, RED)
        assert row is not None
        stored_endpoints.replace_aliases(row, names, runtime.now())

    await runtime.database.write(rename, "Quux")
    during, _ = await play(runtime, voter)
    await runtime.database.write(rename)
    after, _ = await play(runtime, voter)
    counted = [(await vote(runtime, voter, battle.id)).counted for battle in (before, during, after)]
    assert counted == [True, False, True]


async def test_a_vote_after_asking_for_the_name_is_kept_but_not_counted(runtime, voter):
    battle, _ = await play(runtime, voter, "你是谁？")
    assert (await vote(runtime, voter, battle.id)).reason == NotCounted.IDENTITY_ASKED


@pytest.mark.both_databases
async def test_a_later_version_tells_itself_by_the_name_of_the_model(runtime, voter, part):
    def rename(session) -> None:
        row = stored_endpoints.by_name(session, RED)
        row.family, row.name = RED, "red-7b v2"

    await runtime.database.write(rename)
    part(RED, "I was trained as red-7b.")
    battle, _ = await play(runtime, voter)
    assert (await vote(runtime, voter, battle.id)).reason == NotCounted.IDENTITY_TOLD


async def test_a_vote_on_stopped_answers_is_kept_but_not_counted(runtime, voter, part):
    part(RED, "red", hang=True)
    part(BLUE, "blue", hang=True)
    battle = await battles.open_battle(runtime, voter, "Hello")
    await begun(runtime, voter, battle.id)
    await battles.stop(runtime, voter, battle.id)
    assert (await vote(runtime, voter, battle.id)).reason == NotCounted.STOPPED


async def test_a_discarded_answer_does_not_speak_against_the_vote(runtime, voter, part):
    part(RED, "I am red-7b")
    battle, _ = await play(runtime, voter)
    part(RED, "Fine weather")
    await battles.ask_again(runtime, voter, battle.id)
    await follow(runtime, voter, battle.id)
    assert (await vote(runtime, voter, battle.id)).counted


async def counted(runtime) -> list[int]:
    log = CountedLog()
    await runtime.database.read(lambda session: log.advance(session, head_of(session)))
    return log.numbers.tolist()


async def test_an_excluded_vote_stays_in_the_log_and_out_of_the_count(runtime, voter):
    for _ in range(3):
        battle, _ = await play(runtime, voter)
        await vote(runtime, voter, battle.id)
    await votes.exclude(runtime.database, 2, reason="test", by="operator", now=runtime.now())
    assert await count(runtime) == 3
    assert await counted(runtime) == [1, 3]
    with pytest.raises(AlreadyExcluded):
        await votes.exclude(runtime.database, 2, reason="again", by="operator", now=runtime.now())
    with pytest.raises(NotFound):
        await votes.exclude(runtime.database, 99, reason="none", by="operator", now=runtime.now())


async def test_the_battle_and_its_vote_change_in_one_transaction(runtime, voter, monkeypatch):
    battle, _ = await play(runtime, voter)
    add = vote_batches.add

    def fail_behind(session, rows) -> None:
        add(session, rows)
        raise ZeroDivisionError

    monkeypatch.setattr(vote_batches, "add", fail_behind)
    with pytest.raises(ZeroDivisionError):
        await vote(runtime, voter, battle.id)
    assert await count(runtime) == 0
    assert (await battles.look(runtime, voter, battle.id)).state is BattleState.OPEN


@pytest.mark.both_databases
async def test_a_vote_on_answers_that_are_asked_again_meanwhile_is_not_taken(runtime, voter, part, monkeypatch):
    battle, _ = await play(runtime, voter)
    part(RED, "I am red-7b")
    assess, under_way, assessing = assessment.assess, asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def slowly(evidence):
        loop.call_soon_threadsafe(under_way.set)
        assessing.wait()
        return assess(evidence)

    monkeypatch.setattr(assessment, "assess", slowly)
    voting = asyncio.create_task(vote(runtime, voter, battle.id))
    await under_way.wait()
    await battles.ask_again(runtime, voter, battle.id)
    await follow(runtime, voter, battle.id)
    assessing.set()
    with pytest.raises(Conflict):
        await voting
    assert await count(runtime) == 0


@pytest.mark.both_databases
async def test_after_the_vote_the_voter_learns_what_others_chose_for_this_pair(runtime, voter):
    with pytest.raises(BattleNotFound):
        await votes.crowd(runtime.database, voter, "nothing")
    chosen: Counter[str] = Counter()
    for number in range(8):
        other = Voter(f"voter {number}", "127.0.0.1")
        battle, _ = await play(runtime, other)
        with pytest.raises(NotVoted):
            await votes.crowd(runtime.database, other, battle.id)
        reveal = await vote(runtime, other, battle.id, (Outcome.A, Outcome.TIE)[number % 2])
        winner = {Outcome.A: reveal.a.name}.get(reveal.outcome, reveal.outcome)
        crowd = await votes.crowd(runtime.database, other, battle.id)
        counts = Counter({reveal.a.name: crowd.a, reveal.b.name: crowd.b, "tie": crowd.tie, "both_bad": crowd.both_bad})
        assert +counts == +chosen
        chosen[winner] += 1
    battle, _ = await play(runtime, Voter("voter 3", "127.0.0.1"))
    await vote(runtime, Voter("voter 3", "127.0.0.1"), battle.id, Outcome.BOTH_BAD)
    crowd = await votes.crowd(runtime.database, Voter("voter 3", "127.0.0.1"), battle.id)
    assert (crowd.tie, crowd.both_bad) == (chosen["tie"] - 1, 0), "the visitor's own vote is not another person's"
    battle, _ = await play(runtime, other)
    await vote(runtime, other, battle.id)
    crowd = await votes.crowd(runtime.database, other, battle.id)
    assert crowd.a + crowd.b + crowd.tie + crowd.both_bad == 7, "one voice each, however many votes"
    assert crowd.both_bad == 1
    await votes.exclude(runtime.database, 2, reason="test", by="operator", now=runtime.now())
    assert (await votes.crowd(runtime.database, other, battle.id)).tie == chosen["tie"] - 3
