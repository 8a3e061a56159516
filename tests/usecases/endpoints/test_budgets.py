"""Daily caps: counted before the call, never passed, and settled by what was used."""

import asyncio
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from arena.adapters.breaker import Condition
from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.store import budgets, endpoints, owners
from arena.adapters.store.budgets import BATTLES, CHATS
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.calls import token_costs
from arena.calls.caller import ask_once
from arena.domain.errors import ArenaError, ModelsBusy, TooFewEndpoints
from arena.domain.terms import Voter
from arena.usecases.battles import battles
from arena.usecases.endpoints.monitoring import fingerprints
from arena.usecases.endpoints.views import detail
from arena_providers.base import Chunk, Target, Usage
from arena_providers.errors import EndpointUnavailable
from arena_providers.terms import Finish, Message, Role
from tests.conftest import START
from tests.row_factories import endpoint_row
from tests.usecases.battles.test_turns import follow, play, row_of

RED, BLUE = "red-7b", "blue-7b"
DAY = date(2026, 3, 1)


async def cap(runtime, name, calls=None, tokens=None):
    """Set the caps of an endpoint; half of such small ones is for battles."""

    def limit(session):
        row = endpoints.by_name(session, name)
        row.daily_calls, row.daily_tokens = calls, tokens
        return row.id

    return await runtime.database.write(limit)


async def join(runtime, count):
    def add(session):
        owner = endpoints.by_name(session, RED).owner
        session.add_all(endpoint_row(f"other-{number}", owner=owner) for number in range(count))

    await runtime.database.write(add)


async def counted(runtime, endpoint, share=BATTLES):
    return await runtime.database.read(budgets.of, endpoint, datetime.now(UTC).date(), share)


def take(session, endpoint, day, tokens, share=BATTLES):
    return budgets.take(session, session.get_one(EndpointRow, endpoint), day, tokens, share)


def asked(scripted, name):
    return sum(who == name for who, _ in scripted.asked)


async def all_at_once(acts) -> list[Any]:
    """Run calls, twenty at a time, so that a small PostgreSQL serves each in time; returns results and errors."""
    gate = asyncio.Semaphore(20)

    async def one(act):
        async with gate:
            return await act

    return await asyncio.gather(*map(one, acts), return_exceptions=True)


@pytest.fixture
def room(runtime):
    """Let one address ask as much as it likes."""
    runtime.limits = MemoryLimits(
        Allowance(prompts_per_address=10_000, running_per_address=1_000, running=1_000), lambda: 0.0
    )


CAPS = pytest.mark.parametrize(
    ("calls", "tokens", "fit"), [(74, None, 37), (None, 530, 37), (100, 535, 37), (0, None, 0)]
)


@CAPS
async def test_of_60_calls_at_once_as_many_pass_as_the_cap_says(runtime, calls, tokens, fit):
    await ask_at_once(runtime, 60, calls, tokens, fit)


@CAPS
@pytest.mark.heavy
async def test_of_200_calls_at_once_as_many_pass_as_the_cap_says(runtime, calls, tokens, fit):
    await ask_at_once(runtime, 200, calls, tokens, fit)


async def ask_at_once(runtime, many, calls, tokens, fit):
    red = await cap(runtime, RED, calls, tokens)
    verdicts = await asyncio.gather(*(runtime.database.write(take, red, DAY, 10) for _ in range(many)))
    assert sum(verdicts) == fit
    assert await runtime.database.read(budgets.of, red, DAY, BATTLES) == (fit, 10 * fit)


@pytest.mark.both_databases
@pytest.mark.usefixtures("room")
@pytest.mark.parametrize(("many", "fit"), [(60, 11), pytest.param(200, 37, marks=pytest.mark.heavy)])
async def test_of_many_battles_at_once_not_one_call_passes_the_cap(runtime, scripted, many, fit):
    await join(runtime, 3)
    red, blue = await cap(runtime, RED, calls=2 * fit), await cap(runtime, BLUE, calls=1)
    voters = [Voter(f"voter {number}", "127.0.0.1") for number in range(many)]
    opened = await all_at_once(battles.open_battle(runtime, voter, "Hello") for voter in voters)
    await asyncio.gather(*(follow(runtime, voter, battle.id) for voter, battle in zip(voters, opened, strict=True)))
    assert (asked(scripted, RED), asked(scripted, BLUE)) == (fit, 1)
    assert (await counted(runtime, red))[0] == fit
    assert (await counted(runtime, blue))[0] == 1
    assert len(scripted.asked) == 2 * many


@pytest.mark.both_databases
@pytest.mark.usefixtures("room")
@pytest.mark.parametrize("many", [15, pytest.param(50, marks=pytest.mark.heavy)])
async def test_of_many_later_turns_at_once_one_passes_where_one_call_is_left(runtime, scripted, many):
    red = await cap(runtime, RED, calls=2 * many + 2)
    voters = [Voter(f"voter {number}", "127.0.0.1") for number in range(many)]
    played = [
        (voter, battle)
        for voter, (battle, _) in zip(voters, await all_at_once(play(runtime, voter) for voter in voters), strict=True)
    ]
    results = await all_at_once(battles.ask_next(runtime, voter, battle.id, "more") for voter, battle in played)
    assert sum(not isinstance(result, Exception) for result in results) == 1
    refused = {(type(r), str(r), r.retry_after) for r in results if isinstance(r, ArenaError)}
    assert refused == {(ModelsBusy, str(ModelsBusy()), ModelsBusy().retry_after)}
    assert (await counted(runtime, red))[0] == many + 1
    for _, battle in played:
        turns = (await row_of(runtime, battle.id)).turns
        assert len(turns) == 1 + sum(getattr(result, "id", None) == battle.id for result in results)


async def test_an_endpoint_whose_budget_is_spent_is_not_drawn_before_tomorrow(runtime, voter):
    await cap(runtime, RED, calls=1)
    await play(runtime, voter)
    with pytest.raises(TooFewEndpoints):
        await battles.open_battle(runtime, voter, "Hello")
    today = runtime.now
    runtime.now = lambda: today() + timedelta(days=1)
    await play(runtime, voter)


async def test_an_endpoint_without_a_cap_is_not_counted(runtime, voter):
    red = await cap(runtime, RED)
    await play(runtime, voter)
    assert await counted(runtime, red) == (0, 0)


async def test_the_other_side_pays_nothing_for_a_turn_that_is_refused(runtime, voter):
    await cap(runtime, RED, calls=1)
    blue = await cap(runtime, BLUE, calls=9)
    battle, _ = await play(runtime, voter)
    before = await counted(runtime, blue)
    with pytest.raises(ModelsBusy):
        await battles.ask_next(runtime, voter, battle.id, "more")
    assert await counted(runtime, blue) == before


async def test_tokens_are_reserved_before_the_call_and_settled_after_it(runtime, voter, part):
    red = await cap(runtime, RED, calls=18)
    part(RED, "short", held=(held := asyncio.Event()))
    battle = await battles.open_battle(runtime, voter, "Hello")
    prompt = token_costs.estimate("Hello")
    assert await counted(runtime, red) == (1, prompt + token_costs.USUAL_ANSWER)
    held.set()
    await follow(runtime, voter, battle.id)
    assert await counted(runtime, red) == (1, prompt + token_costs.estimate("short"))


async def test_the_endpoints_own_count_is_believed(runtime, voter):
    class Counting:
        async def stream(self, _target, _messages):
            yield Chunk(text="an answer")
            yield Chunk(finish=Finish.STOP, usage=Usage(input_tokens=1_000, output_tokens=234))

    runtime.providers = {"scripted": Counting()}
    red = await cap(runtime, RED, calls=18)
    await play(runtime, voter)
    assert await counted(runtime, red) == (1, 1_234)


async def test_a_call_that_said_nothing_costs_a_call_and_no_tokens_and_a_second_try_costs_another(runtime, voter, part):
    red = await cap(runtime, RED, calls=18)
    part(RED, error=EndpointUnavailable("cut"))
    scripted = runtime.providers["scripted"]
    scripted.parts[RED].pieces = ()
    await play(runtime, voter)
    assert await counted(runtime, red) == (2, 0)


async def test_there_is_no_second_try_that_the_cap_forbids(runtime, voter, part, scripted):
    red = await cap(runtime, RED, calls=1)
    part(RED, error=EndpointUnavailable("cut"))
    scripted.parts[RED].pieces = ()
    await play(runtime, voter)
    assert asked(scripted, RED) == 1
    assert (await counted(runtime, red))[0] == 1


async def test_a_prompt_that_does_not_fit_into_the_tokens_left_goes_to_others(runtime, voter, scripted):
    await join(runtime, 2)
    await cap(runtime, RED, tokens=500)
    for _ in range(10):
        await play(runtime, voter)
    assert asked(scripted, RED) == 0


async def test_a_call_outside_battles_is_paid_by_the_same_budget(runtime, part):
    red = await cap(runtime, RED, calls=4)
    part(RED, "one ", "two ", "three")
    for share in (BATTLES, CHATS):
        assert await ask_once(runtime.caller, red, "Hello", share) == "one two three"
        assert await ask_once(runtime.caller, red, "Hello", share, enough=5) == "one t"
        assert await ask_once(runtime.caller, red, "Hello", share) is None
        assert (await counted(runtime, red, share))[0] == 2


@pytest.mark.parametrize(("calls", "chats"), [(0, 0), (1, 0), (2, 1), (9, 4), (320, 160), (500, 160), (700, 175)])
async def test_battles_and_chats_have_shares_that_are_the_cap_together(runtime, calls, chats):
    red = await cap(runtime, RED, calls=calls)

    def most(session):
        caps = [share.cap(EndpointRow.daily_calls) for share in (BATTLES, CHATS)]
        return session.execute(select(*caps).where(EndpointRow.id == red)).one()

    assert await runtime.database.read(most) == (calls - chats, chats)
    assert fingerprints.FIRST * len(fingerprints.PROMPTS) == budgets.COMPARISON_CALLS


def test_an_estimate_is_rather_too_high():
    assert token_costs.estimate("") == 0
    assert token_costs.estimate("你好吗") == 3
    assert token_costs.estimate("Hello, how are you?") == 7
    messages = (Message(Role.USER, "你好"),)
    target = Target("d", "u", "m", system_prompt="Be kind.", max_tokens=50)
    assert token_costs.reserve(target, messages) == 2 + 3 + 50
    assert token_costs.used(target, messages, "", None) == 0
    assert token_costs.used(target, messages, "好", None) == 2 + 3 + 1


STEPS = st.lists(
    st.tuples(st.sampled_from(["take", "settle"]), st.integers(-40, 60), st.integers(0, 1)), min_size=1, max_size=25
)


@pytest.mark.both_databases
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=STEPS,
    calls_cap=st.none() | st.integers(0, 8),
    tokens_cap=st.none() | st.integers(0, 150),
    share=st.sampled_from([BATTLES, CHATS]),
)
def test_counting_agrees_with_a_naive_ledger(steps, calls_cap, tokens_cap, share, ledger):
    database, runner, endpoint, days = ledger
    today = days[0] = days[0] + timedelta(days=2)
    totals = {0: [0, 0], 1: [0, 0]}

    def limit(session):
        row = session.get(EndpointRow, endpoint)
        row.daily_calls, row.daily_tokens = ((2 * cap if cap else cap) for cap in (calls_cap, tokens_cap))

    runner.run(database.write(limit))
    for act, number, offset in steps:
        day, counts = today + timedelta(days=offset), totals[offset]
        if act == "settle":
            number = max(number, -counts[1])  # noqa: PLW2901 - nothing is given back that was not taken
            runner.run(database.write(budgets.settle, day, {endpoint: number}, share))
            counts[1] += number if counts[0] else 0
            continue
        tokens = abs(number)
        fits = (calls_cap is None or counts[0] + 1 <= calls_cap) and (
            tokens_cap is None or counts[1] + tokens <= tokens_cap
        )
        assert runner.run(database.write(take, endpoint, day, tokens, share)) == fits
        if fits and not (calls_cap is None and tokens_cap is None):
            counts[0], counts[1] = counts[0] + 1, counts[1] + tokens
        assert runner.run(database.read(budgets.of, endpoint, day, share)) == tuple(counts)
        spent = (calls_cap is not None and counts[0] >= calls_cap) or (
            tokens_cap is not None and counts[1] >= tokens_cap
        )
        assert (endpoint in runner.run(database.read(budgets.spent, day, share))) == spent


@pytest.fixture
def ledger(database):
    with asyncio.Runner() as runner:

        def add(session):
            row = endpoint_row("one", owner=owners.find_or_add(session, "Somebody", START))
            session.add(row)
            session.flush()
            return row.id

        yield database, runner, runner.run(database.write(add)), [DAY]


async def test_an_endpoint_without_a_cap_shows_what_it_was_asked_today(runtime, voter, publish_figures):
    battle = await battles.open_battle(runtime, voter, "Hello")
    await follow(runtime, voter, battle.id)
    row, now = await runtime.database.read(endpoints.by_name, RED), runtime.now()

    def shown(session):
        cases = ((live, day) for live in (True, False) for day in (now, now + timedelta(days=1)))
        return [detail(session, row, day, Condition(), live=live).budget.calls for live, day in cases]

    assert await runtime.database.read(shown) == [1, 0, 0, 0]
    await battles.skip(runtime, voter, battle.id)
    await publish_figures()
    assert await runtime.database.read(shown) == [1, 0, 1, 0]
