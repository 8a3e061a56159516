"""Endpoints that fail too often are suspended, with the figures as the reason."""

import asyncio
from collections import Counter
from datetime import timedelta
from random import Random

import pytest

from arena.adapters.store import endpoints as stored
from arena.adapters.store.tables.conversations import ReplyRow, TurnRow
from arena.adapters.store.tables.endpoints import ChangeRow
from arena.adapters.store.track_records import error_counts, errors
from arena.domain.terms import BattleState, EndpointState, Side, TurnState
from arena.usecases.battles import battles
from arena.usecases.endpoints import monitoring
from arena.usecases.endpoints.monitoring import FailureSearch
from arena.usecases.endpoints.states import HEALTH, OPERATOR, Step, set_state
from arena_providers.base import Chunk
from arena_providers.errors import RateLimitedUpstream, RequestRefused
from arena_providers.terms import Finish
from arena_providers.transport.http_client import HttpClient
from tests.conftest import START, add_endpoints
from tests.row_factories import battle_row
from tests.statements import recorded

RED, BLUE = "red-7b", "blue-7b"
NOW = START + timedelta(hours=5)
GOOD = None


def call(number, ends, at, red, blue):
    """A battle whose red answer ended like this: a string is an error, a `Finish` a complete answer."""
    replies = []
    for side, endpoint, how in ((Side.A, red, ends), (Side.B, blue, Finish.STOP)):
        finish, error = (how, None) if how is None or isinstance(how, Finish) else (None, how)
        replies.append(
            ReplyRow(endpoint_id=endpoint, generation=0, side=side, text="", finish=finish, error=error, total_ms=1)
        )
    turn = TurnRow(
        number=1, prompt="x", state=TurnState.READY, started_at=at, deadline_at=at, ended_at=at, replies=replies
    )
    times = {"created_at": at, "ended_at": at}
    return battle_row(f"battle-{number}-{at:%H%M}", red, blue, state=BattleState.ABANDONED, turns=[turn], **times)


async def happened(runtime, *ends, at=START, red=RED, blue=BLUE):
    def all_of(session):
        ids = [stored.by_name(session, name).id for name in (red, blue)]
        session.add_all(call(number, end, at, *ids) for number, end in enumerate(ends))

    await runtime.database.write(all_of)


async def state(runtime, name=RED):
    return (await runtime.database.read(stored.by_name, name)).state


async def reasons(runtime):
    return await runtime.database.read(
        lambda session: [(row.actor, row.reason) for row in session.query(ChangeRow).order_by(ChangeRow.number)]
    )


FINE = Finish.STOP


async def suspended(runtime, now):
    """The names of those that are suspended, where all endpoints have had battles."""
    return await monitoring.suspend_failing(runtime.database, await runtime.database.read(stored.ids), now)


async def test_more_than_one_in_twenty_of_200_calls_suspends_and_says_why(runtime):
    await happened(runtime, *["timed_out"] * 7, *["unavailable"] * 4, *[FINE] * 189)
    assert await suspended(runtime, NOW) == [RED]
    assert await state(runtime) is EndpointState.SUSPENDED
    assert await state(runtime, BLUE) is EndpointState.ACTIVE
    assert await reasons(runtime) == [
        (HEALTH, "5.5% of the last 200 calls failed, more than 5%; most often with timed_out")
    ]
    assert await suspended(runtime, NOW) == []


@pytest.mark.parametrize(
    "ends",
    [
        ["timed_out"] * 10 + [FINE] * 190,
        ["timed_out"] * 199,
        ["internal"] * 100 + ["unknown_dialect"] * 100 + [FINE] * 200,
        [Finish.STOPPED] * 150 + ["timed_out"] * 12 + [FINE] * 50,
        [None] * 300 + ["timed_out"] * 100,
        ["timed_out"] * 100 + [FINE] * 200,
        ["refused"] * 40 + [FINE] * 160,
        ["context_too_long"] * 20 + ["refused"] * 20 + [FINE] * 160,
    ],
    ids=["ten", "too few calls", "ours", "stopped", "the other side", "long ago", "refusals", "two kinds of refusals"],
)
async def test_everything_else_does_not(runtime, ends):
    await happened(runtime, *ends)
    assert await suspended(runtime, NOW) == []


async def test_one_in_five_refusals_suspends_too(runtime):
    await happened(runtime, *["refused"] * 41, *[FINE] * 159)
    assert await suspended(runtime, NOW) == [RED]
    assert "refused" in (await reasons(runtime))[0][1]


@pytest.mark.both_databases
async def test_the_results_of_several_endpoints_are_those_of_each(runtime):
    kinds, chance = (FINE, FINE, "timed_out", "internal", "unknown_finish:odd, or", Finish.STOPPED, None), Random(5)
    await happened(runtime, *chance.choices(kinds, k=60))
    await happened(runtime, *chance.choices(kinds, k=60), at=NOW, red=BLUE, blue=RED)
    await set_state(runtime.database, RED, EndpointState.SUSPENDED, Step(OPERATOR, "off", START))
    await set_state(runtime.database, RED, EndpointState.ACTIVE, Step(OPERATOR, "on", START + timedelta(hours=1)))
    numbers, but = await runtime.database.read(stored.ids), ("internal",)
    everything = {
        number: await runtime.database.read(lambda session, number=number: errors(session, number, but=but, limit=500))
        for number in numbers
    }
    for limit in (1, 7, 40):
        counts = await runtime.database.read(
            lambda session, limit=limit: error_counts(session, numbers, but=but, limit=limit, until=NOW)
        )
        assert counts == {
            number: Counter(results[:limit]) for number, results in everything.items() if len(results) >= limit
        }
        assert counts


@pytest.mark.both_databases
async def test_after_the_operator_has_resumed_it_old_errors_are_forgotten(runtime):
    await happened(runtime, *["timed_out"] * 200)
    await suspended(runtime, NOW)
    await set_state(runtime.database, RED, EndpointState.ACTIVE, Step(OPERATOR, "mended", NOW))
    assert await suspended(runtime, NOW) == []
    await happened(runtime, *["timed_out"] * 200, at=NOW)
    assert await suspended(runtime, NOW) == [RED]


async def test_a_pause_of_the_owner_wipes_nothing_out(runtime):
    await happened(runtime, *["timed_out"] * 200)
    for after in (EndpointState.PAUSED, EndpointState.ACTIVE):
        await set_state(runtime.database, RED, after, Step("owner:1", "as I like", NOW))
    assert await suspended(runtime, NOW) == [RED]


@pytest.mark.parametrize("seed", range(8))
async def test_failing_on_the_hardest_prompts_is_noticed_within_300_calls(runtime, seed):
    chance = Random(seed)
    hard = ["refused" if chance.random() < 0.3 else FINE for _ in range(300)]
    await happened(runtime, *hard)
    assert await suspended(runtime, NOW) == [RED]


class Answering:
    """A provider that answers or raises `error`, and counts its calls."""

    def __init__(self, error=None):
        self.error, self.asked = error, 0

    async def stream(self, _target, _messages):
        self.asked += 1
        if self.error:
            raise self.error
        yield Chunk(text="fine", finish=Finish.STOP)


async def mute(runtime, provider, search=None):
    runtime.providers = {"scripted": provider}
    async with HttpClient() as client:
        return await monitoring.suspend_mute(runtime.caller, client, search or FailureSearch(), Random(1), 60)


DOWN = RateLimitedUpstream("429")


async def test_who_fails_in_all_of_its_first_ten_calls_is_suspended_and_told_why(runtime):
    await happened(runtime, *["rate_limited"] * 10)
    why = "the server limits the arena (429); raise the limit of this key, or try again later"
    reason = f"all of its first 10 calls failed: {why}"
    assert await mute(runtime, Answering(DOWN)) == [(RED, reason)]
    assert await state(runtime) is EndpointState.SUSPENDED
    assert await state(runtime, BLUE) is EndpointState.ACTIVE
    assert await reasons(runtime) == [(HEALTH, reason)]
    assert await mute(runtime, Answering(DOWN)) == []


@pytest.mark.parametrize(
    "ends",
    [
        ["rate_limited"] * 9,
        [FINE] + ["rate_limited"] * 10,
        ["rate_limited"] * 10 + [FINE],
        ["internal"] * 10,
        [None] * 10 + ["rate_limited"] * 9,
        [FINE] + ["rate_limited"] * 100,
    ],
    ids=["nine", "the first was answered", "the last was answered", "ours", "the other side", "answered long ago"],
)
async def test_who_has_answered_once_or_was_hardly_asked_is_not(runtime, ends):
    await happened(runtime, *ends)
    server = Answering(DOWN)
    assert await mute(runtime, server) == []
    assert server.asked == 0


async def test_who_answers_by_now_is_suspended_for_faults_and_spared_for_what_voters_may_have_brought_about(runtime):
    await happened(runtime, *["refused"] * 5, *["context_too_long"] * 5)
    search, server = FailureSearch(), Answering()
    for _ in range(2):
        assert await mute(runtime, server, search) == []
    assert (len(search.spared), server.asked) == (1, 3)
    await happened(runtime, "timed_out", at=NOW)
    ((name, reason),) = await mute(runtime, server)
    assert name == RED
    assert reason == "all of its first 10 calls failed: context_too_long, refused, timed_out; by now it answers"


async def test_a_search_asks_one_thing_while_no_call_has_ended_however_many_endpoints_there_are(runtime):
    await happened(runtime, *[FINE] * 20)
    search, counts = FailureSearch(), []
    await mute(runtime, Answering(DOWN), search)
    for number in (0, 30):
        names = [f"other-{number}-{place}" for place in range(number)]
        await runtime.database.write(add_endpoints, names)
        with recorded() as statements:
            await mute(runtime, Answering(DOWN), search)
        counts.append(len([statement for statement, _ in statements if statement.startswith("SELECT")]))
    assert counts == [1, 1]


async def test_a_search_asks_only_about_endpoints_that_have_failed_since_the_last_one(runtime):
    await runtime.database.write(add_endpoints, [f"other-{place}" for place in range(30)])
    search = FailureSearch()
    await happened(runtime, *[FINE] * 3)
    await mute(runtime, Answering(DOWN), search)
    await happened(runtime, *["rate_limited"] * 9, at=NOW)
    with recorded() as statements:
        assert await mute(runtime, Answering(DOWN), search) == []
    assert len(statements) < 10
    await happened(runtime, "rate_limited", at=NOW + timedelta(minutes=1))
    assert await mute(runtime, Answering(DOWN), search) == []  # the first three were answered


class Stalling:
    """A provider that answers no call before `parties` calls run."""

    def __init__(self, parties):
        self.barrier = asyncio.Barrier(parties)

    async def stream(self, _target, _messages):
        await self.barrier.wait()
        raise DOWN
        yield


async def test_a_server_that_stalls_holds_up_no_other_search_for_a_cause(runtime):
    await runtime.database.write(add_endpoints, ["green-7b"])
    for name, at in ((RED, START), (BLUE, NOW)):
        await happened(runtime, *["timed_out"] * 10, at=at, red=name, blue="green-7b")
    async with asyncio.timeout(30):
        suspensions = await mute(runtime, Stalling(2))
    assert {name for name, _ in suspensions} == {RED, BLUE}


@pytest.mark.both_databases
async def test_of_two_processes_one_tells_of_a_suspension(runtime):
    await happened(runtime, *["rate_limited"] * 10)
    suspensions = await asyncio.gather(*(mute(runtime, Answering(DOWN)) for _ in range(2)))
    assert sum(map(len, suspensions)) == 1


@pytest.mark.both_databases
async def test_after_the_operator_has_resumed_it_ten_more_calls_are_waited_for(runtime):
    await happened(runtime, *["rate_limited"] * 10)
    await mute(runtime, Answering(DOWN))
    await set_state(runtime.database, RED, EndpointState.ACTIVE, Step(OPERATOR, "mended", NOW))
    assert await mute(runtime, Answering(DOWN)) == []


async def test_errors_of_real_battles_are_counted(runtime, voter):
    class Refusing:
        async def stream(self, target, _messages):
            if target.wire_model == RED:
                raise RequestRefused("400")
            yield Chunk(text="fine", finish=Finish.STOP)

    await happened(runtime, *["refused"] * 40, *[FINE] * 159)
    runtime.providers = {"scripted": Refusing()}
    battle = await battles.open_battle(runtime, voter, "Hello")
    async for _ in await battles.watch(runtime, voter, battle.id, None):
        pass
    assert await suspended(runtime, NOW) == []
    assert await suspended(runtime, runtime.now()) == [RED]


async def suspended_for_words(runtime, search=None):
    return await monitoring.suspend_unknown_finishes(runtime.database, search or FailureSearch(), NOW)


async def test_a_search_for_unknown_finishes_asks_only_about_endpoints_that_have_failed_since_the_last_one(runtime):
    search, counts = FailureSearch(), []
    await happened(runtime, *[FINE] * 3)
    for number in (0, 30):
        names = [f"other-{number}-{place}" for place in range(number)]
        await runtime.database.write(add_endpoints, names)
        await happened(runtime, FINE, at=START + timedelta(minutes=number + 1))
        with recorded() as statements:
            assert await suspended_for_words(runtime, search) == []
        counts.append(len(statements))
        with recorded() as statements:
            await suspended_for_words(runtime, search)
        assert len([statement for statement, _ in statements if statement.startswith("SELECT")]) == 1
    assert counts[0] == counts[1] < 10
    await happened(runtime, *["unknown_finish:odd"] * 3, at=NOW)
    assert [name for name, _ in await suspended_for_words(runtime, search)] == [RED]


@pytest.mark.both_databases
async def test_three_answers_that_end_for_unknown_reasons_suspend_with_the_newest_word(runtime):
    await happened(runtime, "unknown_finish:odd", FINE, "unknown_finish:odd", "timed_out")
    assert await suspended_for_words(runtime) == []
    await happened(runtime, "unknown_finish:brand_new", at=START + timedelta(minutes=1))
    reason = "3 answers ended for a reason that the arena does not know: brand_new"
    assert await suspended_for_words(runtime) == [(RED, reason)]
    assert await state(runtime) is EndpointState.SUSPENDED
    assert await reasons(runtime) == [(HEALTH, reason)]
    assert await suspended_for_words(runtime) == []


async def test_unknown_reasons_before_an_operator_resumed_it_are_forgotten(runtime):
    await happened(runtime, *["unknown_finish:odd"] * 3)
    await suspended_for_words(runtime)
    await set_state(runtime.database, RED, EndpointState.ACTIVE, Step(OPERATOR, "mended", NOW))
    assert await suspended_for_words(runtime) == []


async def test_unknown_reasons_count_as_one_kind_of_failure(runtime):
    await happened(runtime, *[f"unknown_finish:w{number}" for number in range(11)], *[FINE] * 189)
    assert await suspended(runtime, NOW) == [RED]
    assert (await reasons(runtime))[0][1].endswith("most often with unknown_finish")
