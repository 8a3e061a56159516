import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.observability.metrics import REGISTRY
from arena.domain.blinding.pacing import Pacer
from arena.domain.errors import StoreUnavailable
from arena.domain.schemas.battles import TurnFailedEvent, TurnReadyEvent
from arena.domain.terms import BattleState, Outcome, Side, TurnState
from arena.usecases.battles import battles, turn_ends, turn_run
from arena.usecases.votes import shares, votes
from arena.usecases.votes.ballot import Ballot
from arena_providers.base import Chunk
from arena_providers.errors import BadReply, UnknownFinish
from arena_providers.terms import Finish
from tests.row_factories import START
from tests.usecases.battles.test_turns import BLUE, RED, begun, follow, names, play, row_of


def failing(runtime, work, times: int, *, after: bool = False):
    """Let the next writes of one kind fail, before or after they are done."""
    write = runtime.database.write
    left = [times]

    async def writing(asked, *arguments, **named):
        if asked is not work or not left[0]:
            return await write(asked, *arguments, **named)
        left[0] -= 1
        if after:
            await write(asked, *arguments, **named)
        raise StoreUnavailable(retry_after=5)

    runtime.database.write = writing


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


async def test_a_database_that_is_busy_for_a_while_loses_no_answer(runtime, voter, monkeypatch):
    monkeypatch.setattr(turn_run, "_PAUSES", (0, 0, 0))
    failing(runtime, turn_ends.save, 3)
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)
    assert battle.turns[0].state is TurnState.READY


async def test_an_answer_whose_saving_was_not_confirmed_is_not_called_failed(runtime, voter, monkeypatch):
    monkeypatch.setattr(turn_run, "_PAUSES", (0,))
    failing(runtime, turn_ends.save, 1, after=True)
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)
    assert battle.turns[0].state is TurnState.READY


async def test_a_database_that_stays_away_ends_the_stream_with_its_reason_and_is_logged(
    runtime, voter, monkeypatch, caplog
):
    monkeypatch.setattr(turn_run, "_PAUSES", (0,))
    failing(runtime, turn_ends.save, 9)
    before = value("arena_turns_total", end="store_unavailable")
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnFailedEvent)
    assert events[-1].code == "store_unavailable"
    assert f"the end of conversation {battle.id} could not be stored" in caplog.text
    await runtime.close(60)
    assert value("arena_turns_total", end="store_unavailable") == before + 1
    assert value("arena_running_turns") == 0


async def test_the_end_of_a_failed_turn_is_saved_as_patiently(runtime, voter, monkeypatch):
    monkeypatch.setattr(turn_run, "_PAUSES", (0, 0))
    failing(runtime, turn_ends.save, 2)
    runtime.providers = {}
    view = await battles.open_battle(runtime, voter, "Hello")
    await runtime.close(5)
    assert (await battles.look(runtime, voter, view.id)).state is BattleState.VOID


@pytest.fixture(autouse=True)
def _hasty(monkeypatch):
    monkeypatch.setattr(turn_run, "SILENCE", 0.3)


def places(runtime, running: int) -> None:
    runtime.limits = MemoryLimits(Allowance(running=running, running_per_voter=100), lambda: 0.0)


async def test_a_silent_battle_gives_up_its_place_where_half_are_taken_and_its_endpoint_has_failed(
    runtime, voter, part
):
    places(runtime, 2)
    part(RED, hang=True)
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnFailedEvent)
    assert (battle.state, runtime.limits.running) == (BattleState.VOID, 0)
    who = await names(runtime, battle.id)
    replies = (await row_of(runtime, battle.id)).turns[0].replies
    assert {who[reply.side]: reply.error for reply in replies} == {RED: "timed_out", BLUE: None}
    failures = {number: len(entry._failures) for number, entry in runtime.breakers._endpoints.items()}
    assert {who[reply.side]: failures[reply.endpoint_id] for reply in replies} == {RED: 1, BLUE: 0}


async def test_a_silent_battle_goes_on_while_fewer_than_half_are_taken(runtime, voter, part):
    places(runtime, 3)
    part(RED, "at last", held=(held := asyncio.Event()))
    battle = await battles.open_battle(runtime, voter, "Hello")
    await asyncio.sleep(0.3)
    held.set()
    events = await follow(runtime, voter, battle.id)
    assert isinstance(events[-1], TurnReadyEvent)


async def test_silent_endpoints_refuse_no_honest_prompt(runtime, voter, part):
    places(runtime, 10)
    part(RED, hang=True)
    await asyncio.gather(*(battles.open_battle(runtime, voter, "Hello") for _ in range(9)))
    while runtime.limits.crowded:
        await asyncio.sleep(0.05)
    part(RED, "well again")
    _, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)


async def test_neither_a_model_that_thinks_aloud_nor_one_that_has_ended_is_silent(
    runtime, voter, scripted, monkeypatch
):
    async def stream(_self, target, _messages):
        for _ in range(60 if target.wire_model == RED else 0):
            await asyncio.sleep(0.02)
            yield Chunk()
        yield Chunk("thought through")
        yield Chunk(finish=Finish.STOP)

    places(runtime, 1)
    monkeypatch.setattr(turn_run, "SILENCE", 1.0)
    monkeypatch.setattr(type(scripted), "stream", stream)
    _, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)


def end_so(scripted, monkeypatch, finish=None, error=None):
    """Let each model say three words and then end like this."""

    async def answer(*_):
        yield Chunk("Three short words")
        if error is not None:
            raise error
        yield Chunk(finish=finish)

    monkeypatch.setattr(type(scripted), "stream", lambda _self, *asked: answer(*asked))


async def test_an_answer_that_a_filter_ends_stands_as_far_as_it_came_and_is_voted_on(
    runtime, voter, scripted, monkeypatch
):
    end_so(scripted, monkeypatch, finish=Finish.FILTER)
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)
    replies = (await row_of(runtime, battle.id)).turns[0].replies
    assert {(reply.text, reply.finish, reply.error) for reply in replies} == {
        ("Three short words", Finish.FILTER, None)
    }
    ballot = Ballot(voter, battle.id, Outcome.TIE, None, runtime.now())
    assert (await votes.cast_vote(runtime.database, ballot)).outcome is Outcome.TIE


async def test_that_an_answer_was_cut_at_its_length_limit_is_told_after_the_vote_alone(
    runtime, voter, scripted, monkeypatch
):
    end_so(scripted, monkeypatch, finish=Finish.LENGTH)
    battle, _ = await play(runtime, voter)
    before = await battles.look(runtime, voter, battle.id)
    assert "cut" not in before.model_dump()["turns"][0]
    await votes.cast_vote(runtime.database, Ballot(voter, battle.id, Outcome.TIE, None, runtime.now()))
    assert (await battles.look(runtime, voter, battle.id)).turns[0].cut == list(Side)
    link = await shares.share(runtime.database, voter, battle.id, runtime.new_id(), runtime.now())
    assert (await shares.shared(runtime.database, link.token)).turns[0].cut == list(Side)


@pytest.mark.both_databases
async def test_an_unknown_reason_voids_the_battle_and_is_stored_with_its_word(runtime, voter, scripted, monkeypatch):
    word = "brand_new_" * 9
    end_so(scripted, monkeypatch, error=UnknownFinish(word))
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnFailedEvent)
    assert battle.state is BattleState.VOID
    errors = {reply.error for reply in (await row_of(runtime, battle.id)).turns[0].replies}
    assert f"unknown_finish:{word[:24]}" in errors
    labels = {label for metric in REGISTRY.collect() for sample in metric.samples for label in sample.labels.values()}
    assert not any(word[:24] in label for label in labels)


def answer_counts() -> Counter[tuple[str, str]]:
    samples = (sample for metric in REGISTRY.collect() for sample in metric.samples)
    return Counter(
        {(s.labels["endpoint"], s.labels["result"]): int(s.value) for s in samples if s.name == "arena_answers_total"}
    )


async def test_the_metric_of_answers_counts_each_endpoint_by_the_kind_of_its_error(runtime, voter, part):
    part(RED, error=UnknownFinish("brand_new"))
    before = answer_counts()
    battle, _ = await play(runtime, voter)
    who, row = await names(runtime, battle.id), await row_of(runtime, battle.id)
    number = {who[Side.A]: str(row.endpoint_a_id), who[Side.B]: str(row.endpoint_b_id)}
    assert answer_counts() - before == {(number[RED], "unknown_finish"): 1, (number[BLUE], "ok"): 1}


async def test_models_may_take_all_their_time_and_are_shown_whole_before_the_turn_is_overdue(
    runtime, voter, monkeypatch
):
    pacers = []
    monkeypatch.setattr(turn_run, "Pacer", lambda *parts: pacers.append(Pacer(*parts)) or pacers[-1])
    await play(runtime, voter)
    overdue = (runtime.deadline(START) - START).total_seconds()
    assert runtime.times.total < pacers[0].limit < overdue


@pytest.mark.parametrize(("error", "has_traceback"), [(BadReply("html"), False), (RuntimeError("a bug"), True)])
async def test_a_fault_of_ours_is_logged_with_its_traceback_and_an_endpoint_s_without(
    runtime, voter, part, caplog, error, has_traceback
):
    part(RED, error=error)
    await play(runtime, voter)
    (record,) = (record for record in caplog.records if str(error) in record.getMessage())
    assert bool(record.exc_info) is has_traceback


async def test_answers_count_as_shown_from_their_first_text_on_however_long_they_go_on(
    runtime, voter, scripted, monkeypatch
):
    moment, go_on = [START], asyncio.Event()

    async def stream(_self, _target, _messages):
        yield Chunk("first ")
        await go_on.wait()
        yield Chunk("and last")
        yield Chunk(finish=Finish.STOP)

    monkeypatch.setattr(type(scripted), "stream", stream)
    runtime.now = lambda: moment[0]
    battle = await battles.open_battle(runtime, voter, "Hello")
    await begun(runtime, voter, battle.id)
    moment[0] += timedelta(minutes=1)
    go_on.set()
    await follow(runtime, voter, battle.id)
    (turn,) = (await row_of(runtime, battle.id)).turns
    assert (turn.shown_at, turn.ended_at) == (START, START + timedelta(minutes=1))
