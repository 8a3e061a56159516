"""Circuit breakers in draws and second tries, which voters do not notice."""

import asyncio
import json
from random import Random

import pytest
from sqlalchemy.orm import Session

from arena.adapters.breaker import Breaker, BreakerRules, CallVerdict, CircuitBreakers
from arena.adapters.store import endpoints
from arena.adapters.store.budgets import BATTLES
from arena.adapters.store.tables.conversations import BattleRow
from arena.domain.errors import Busy, ModelsBusy, ModelsResting, TooFewEndpoints
from arena.domain.schemas.battles import DeltaEvent, TurnReadyEvent
from arena.domain.terms import BattleState, EndpointState, Side
from arena.usecases.battles import battles, breakers
from arena_providers.base import Chunk
from arena_providers.deadlines import TimeLimits
from arena_providers.errors import (
    AddressRefused,
    BadCredentials,
    BadReply,
    ContextTooLong,
    EndpointUnavailable,
    RateLimitedUpstream,
    RequestRefused,
    TimedOut,
)
from arena_providers.terms import Finish
from tests.conftest import add_endpoints
from tests.usecases.battles.test_turns import follow, names, play, row_of

RED, BLUE, GREEN = "red-7b", "blue-7b", "green-7b"


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(runtime):
    clock = Clock()
    runtime.breakers = CircuitBreakers(BreakerRules(at_once=4), clock)
    return clock


@pytest.fixture
async def more(runtime):
    await runtime.database.write(add_endpoints, (GREEN, "grey-7b"))


async def number(runtime, name):
    return await runtime.database.read(lambda session: endpoints.by_name(session, name).id)


async def breaker(runtime, name):
    return runtime.breakers.condition(await number(runtime, name)).breaker


class Failing:
    """Raises `errors` one after another before it answers."""

    def __init__(self, *errors, pieces=("fine",)):
        self.errors, self.pieces, self.asked = list(errors), pieces, 0

    async def stream(self, _target, _messages):
        self.asked += 1
        if self.errors:
            raise self.errors.pop(0)
        for piece in self.pieces:
            yield Chunk(text=piece)
        yield Chunk(finish=Finish.STOP)


@pytest.fixture
def failing(runtime, scripted):
    """Let every endpoint whose name starts with `red` be answered by the given provider."""

    def let(provider):
        class Both:
            def stream(self, target, messages):
                return (provider if target.wire_model == RED else scripted).stream(target, messages)

        runtime.providers = {"scripted": Both()}
        return provider

    return let


@pytest.mark.parametrize("error", [BadCredentials("401"), RequestRefused("429", fault="no_credit")])
@pytest.mark.usefixtures("clock", "more")
async def test_an_open_endpoint_is_not_drawn_and_the_others_are(runtime, voter, part, error):
    part(RED, error=error)
    while await breaker(runtime, RED) is Breaker.CLOSED:
        await play(runtime, voter)
    for _ in range(20):
        battle, events = await play(runtime, voter)
        assert isinstance(events[-1], TurnReadyEvent)
        assert RED not in (await names(runtime, battle.id)).values()


@pytest.mark.parametrize(
    "error",
    [EndpointUnavailable("500"), BadReply("html"), TimedOut("first token"), AddressRefused("10.0.0.1")],
    ids=lambda error: error.kind,
)
async def test_ten_failures_of_an_endpoint_open_it(runtime, voter, clock, failing, error):
    failing(Failing(*[error] * 100))
    calls = 0
    while await breaker(runtime, RED) is Breaker.CLOSED:
        await play(runtime, voter)
        calls += 1
    assert calls == (5 if isinstance(error, EndpointUnavailable) and not isinstance(error, AddressRefused) else 10)
    with pytest.raises(ModelsResting):
        await battles.open_battle(runtime, voter, "Hello")


@pytest.mark.parametrize("error", [RequestRefused("400"), ContextTooLong("413"), RuntimeError("ours")], ids=repr)
async def test_what_is_not_its_fault_does_not_open_an_endpoint(runtime, voter, clock, failing, error):
    failing(Failing(*[error] * 100))
    for _ in range(12):
        await play(runtime, voter)
    assert await breaker(runtime, RED) is Breaker.CLOSED


async def test_an_endpoint_that_said_when_to_come_back_is_not_drawn_until_then(runtime, voter, clock, failing):
    red = failing(Failing(RateLimitedUpstream("429", retry_after=42)))
    await play(runtime, voter)
    assert red.asked == 1
    clock.now += 41
    with pytest.raises(ModelsResting):
        await battles.open_battle(runtime, voter, "Hello")
    clock.now += 2
    _, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)


async def test_a_full_endpoint_is_not_drawn_and_its_place_comes_back(runtime, voter, clock, part):
    part(RED, *["slow "] * 20, pause=0.02)
    opened = [await battles.open_battle(runtime, voter, "Hello") for _ in range(4)]
    with pytest.raises(Busy):
        await battles.open_battle(runtime, voter, "Hello")
    for battle in opened:
        await follow(runtime, voter, battle.id)
    await asyncio.sleep(0)
    assert runtime.breakers.condition(await number(runtime, RED)).in_flight == 0
    await play(runtime, voter)


async def test_too_few_models_is_not_said_to_be_a_matter_of_waiting(runtime, voter):
    await runtime.database.write(
        lambda session: setattr(endpoints.by_name(session, RED), "state", EndpointState.RETIRED)
    )
    with pytest.raises(TooFewEndpoints):
        await battles.open_battle(runtime, voter, "Hello")


@pytest.mark.parametrize("act", ["next", "again"])
@pytest.mark.parametrize("why", ["open", "full", "suspended"])
async def test_a_later_turn_is_refused_before_anything_is_written(runtime, voter, clock, act, why):
    battle, _ = await play(runtime, voter)
    answers = set()
    for name in (RED, BLUE):
        await block(runtime, name, why)
        with pytest.raises(ModelsBusy) as refused:
            await (
                battles.ask_next(runtime, voter, battle.id, "more")
                if act == "next"
                else battles.ask_again(runtime, voter, battle.id)
            )
        answers.add((refused.value.code, str(refused.value), refused.value.retry_after))
        await block(runtime, name, None)
    assert len(answers) == 1
    row = await row_of(runtime, battle.id)
    assert (row.state, len(row.turns), row.turns[0].generation) == (BattleState.OPEN, 1, 0)
    assert runtime.breakers.condition(await number(runtime, BLUE)).in_flight == 0


async def block(runtime, name, why):
    endpoint = await number(runtime, name)
    runtime.breakers = CircuitBreakers(BreakerRules(at_once=1), lambda: 0.0)
    if why == "full":
        runtime.breakers.enter([endpoint])
    if why == "open":
        for _ in range(10):
            call = runtime.breakers.enter([endpoint])[endpoint]
            call.report(CallVerdict.FAULT)
            call.close()
    state = EndpointState.SUSPENDED if why == "suspended" else EndpointState.ACTIVE
    await runtime.database.write(lambda session: setattr(endpoints.by_name(session, name), "state", state))


async def test_a_call_that_failed_in_passing_is_made_once_more_and_nobody_sees_it(runtime, voter, failing):
    states = []
    for errors in ([], [EndpointUnavailable("cut")]):
        red = failing(Failing(*errors))
        battle, events = await play(runtime, voter)
        assert red.asked == 1 + len(errors)
        assert battle.state is BattleState.OPEN
        who = {name: side for side, name in (await names(runtime, battle.id)).items()}
        texts = {side: "".join(e.text for e in events if isinstance(e, DeltaEvent) and e.side is side) for side in Side}
        states.append((texts[who[RED]], texts[who[BLUE]], type(events[-1]), sorted({type(e).__name__ for e in events})))
        replies = (await row_of(runtime, battle.id)).turns[0].replies
        assert [reply.error for reply in replies] == [None, None]
        assert len(replies) == 2
    assert states[0] == states[1]


async def test_there_is_one_more_try_and_not_two(runtime, voter, failing):
    red = failing(Failing(*[EndpointUnavailable("cut")] * 5))
    battle, _ = await play(runtime, voter)
    assert red.asked == 2
    assert battle.state is BattleState.VOID


@pytest.mark.parametrize(
    "error",
    [
        BadCredentials("401"),
        RateLimitedUpstream("429", retry_after=1),
        RateLimitedUpstream("429"),
        RequestRefused("400"),
        ContextTooLong("413"),
        BadReply("html"),
        TimedOut("first token"),
        AddressRefused("10.0.0.1"),
    ],
    ids=repr,
)
async def test_what_would_fail_again_or_was_told_to_wait_is_not_tried_again(runtime, voter, failing, error):
    red = failing(Failing(error))
    await play(runtime, voter)
    assert red.asked == 1


async def test_nothing_is_asked_again_after_the_first_byte(runtime, voter, scripted, part):
    part(RED, "I began", error=EndpointUnavailable("cut"))
    battle, _ = await play(runtime, voter)
    assert [name for name, _ in scripted.asked].count(RED) == 1
    assert battle.state is BattleState.VOID


async def test_the_second_try_has_no_more_time_than_the_first_had(runtime, voter, failing):
    class Slow(Failing):
        begun = 0

        async def stream(self, target, messages):
            self.begun += 1
            await asyncio.sleep(1.6)
            async for chunk in super().stream(target, messages):
                yield chunk

    runtime.times = TimeLimits(connect=1, first_token=3, between_tokens=1, total=10)
    red = failing(Slow(EndpointUnavailable("cut")))
    battle, _ = await play(runtime, voter)
    assert red.begun == 2
    assert battle.state is BattleState.VOID  # 1.6 s, a pause and 1.6 s are more than three


@pytest.mark.both_databases
async def test_an_open_endpoint_is_probed_and_comes_back(runtime, voter, clock, failing):
    red = failing(Failing(*[BadCredentials("401")] * 2))
    await play(runtime, voter)
    assert await breaker(runtime, RED) is Breaker.OPEN
    watching = asyncio.create_task(breakers.recover(runtime))
    clock.now += 10.1
    while red.asked < 2:
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.1)
    assert await breaker(runtime, RED) is Breaker.OPEN
    clock.now += 10.1
    while await breaker(runtime, RED) is not Breaker.CLOSED:
        await asyncio.sleep(0.05)
    assert red.asked == 3
    watching.cancel()
    await play(runtime, voter)


async def test_an_endpoint_that_is_not_active_any_more_is_not_probed(runtime, voter, clock, failing):
    red = failing(Failing(BadCredentials("401")))
    await play(runtime, voter)
    await runtime.database.write(
        lambda session: setattr(endpoints.by_name(session, RED), "state", EndpointState.PAUSED)
    )
    clock.now += 10.1
    endpoint = await number(runtime, RED)
    await breakers._probe(runtime, endpoint, runtime.breakers.probe(endpoint), BATTLES)
    assert red.asked == 1
    assert await breaker(runtime, RED) is Breaker.OPEN


@pytest.mark.usefixtures("clock", "more")
async def test_the_drawn_pair_keeps_the_probability_it_had_among_those_who_could_be_drawn(runtime, voter, part):
    runtime.rng = Random(3)
    red = await number(runtime, RED)
    runtime.breakers.enter([red])[red].report(CallVerdict.FAULT, rest=99)
    battle, _ = await play(runtime, voter)
    row = await runtime.database.read(Session.get, BattleRow, battle.id)
    assert row.probability == pytest.approx(1 / 3)
    assert json.loads(battle.model_dump_json()).keys() == {"id", "state", "outcome", "turns"}
