"""Another model behind an endpoint is noticed, and the same one is left alone."""

import asyncio
import re
from datetime import timedelta
from itertools import combinations, count
from random import Random

import numpy as np
import pytest
from sqlalchemy import delete

from arena.adapters.breaker import Condition
from arena.adapters.store import endpoints as stored
from arena.adapters.store import owners, track_records
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.endpoints import ChangeRow
from arena.adapters.store.tables.operations import LeaseRow
from arena.domain import fingerprint
from arena.domain.fingerprint import SUSPICIOUS, p_value
from arena.domain.terms import EndpointState
from arena.serving.endpoint_watches import fingerprints_loop
from arena.usecases.endpoints import monitoring, views
from arena.usecases.endpoints.monitoring import fingerprints
from arena.usecases.endpoints.states import OPERATOR, Step, set_state
from arena_providers.deadlines import TimeLimits
from arena_providers.errors import EndpointUnavailable, RequestRefused
from tests.conftest import START, add_endpoints
from tests.row_factories import endpoint_row
from tests.statements import recorded
from tests.usecases.endpoints.monitoring.speakers import NAMES, Speakers, compose

RED, BLUE = "red-7b", "blue-7b"
ROUNDS = count()
PROMPTS = (*fingerprints.PROMPTS[::4], fingerprints.PROMPTS[-1])
"""Enough to tell speakers apart; a night asks each several times, of each endpoint."""


def answers(name, times, chance):
    """Answers of a speaker to the prompts, `times` each."""
    return [
        [compose(name, prompt, chance)[: fingerprint.PREFIX] for _ in range(times)] for prompt in fingerprints.PROMPTS
    ]


def test_a_swapped_speaker_is_found_in_19_of_20():
    chance, rng = Random(1), np.random.default_rng(1)
    detections = 0
    for number in range(20):
        before, after = NAMES[number % 8], NAMES[(number % 8 + 1 + number // 8) % 8]
        first = answers(before, fingerprints.FIRST, chance)
        nights = [p_value(first, answers(after, fingerprints.NIGHTLY, chance), rng, 1_999) for _ in range(2)]
        detections += all(p < SUSPICIOUS for p in nights)
    assert detections >= 19


def test_the_same_speaker_raises_no_alarm():
    chance, rng = Random(2), np.random.default_rng(2)
    alarms, low = 0, []
    for name in NAMES:
        first, before = answers(name, fingerprints.FIRST, chance), False
        for _ in range(10):
            p = p_value(first, answers(name, fingerprints.NIGHTLY, chance), rng, 1_999)
            odd = p < SUSPICIOUS
            alarms, before = alarms + (odd and before), odd
            low.append(p < 0.05)
    assert alarms == 0
    assert sum(low) < 20  # a few of 80 are to be expected below one in twenty


@pytest.mark.parametrize("tilt", [0.0, 20.0])
def test_p_values_of_equal_samples_are_evenly_spread_and_those_of_others_low(tilt):
    rng = np.random.default_rng(3)
    letters = np.array(list("abcdefghij"))

    def sample(each, tilt):
        weights = np.ones(10) + tilt * np.arange(10)
        return [["".join(rng.choice(letters, 60, p=weights / weights.sum())) for _ in range(each)] for _ in range(12)]

    p_values = np.array([p_value(sample(6, 0), sample(4, tilt), rng, 199) for _ in range(200)])
    if tilt:
        assert (p_values < 0.01).mean() > 0.9
    else:
        assert abs((p_values < 0.1).mean() - 0.1) < 0.07
        assert abs(p_values.mean() - 0.5) < 0.07


def test_the_p_value_is_that_of_all_permutations_counted_one_by_one():
    before, after = [["aa", "ab", "ba"]], [["bb", "bc"]]
    pooled = before[0] + after[0]

    def alike(x, y):
        return (sum(a == b for a, b in zip(x, y, strict=True)) + fingerprint.PREFIX - 2) / fingerprint.PREFIX

    def mean(xs, ys):
        return np.mean([alike(x, y) for x in xs for y in ys])

    def distance(members):
        inside, outside = [pooled[i] for i in members], [pooled[i] for i in range(5) if i not in members]
        return mean(inside, inside) + mean(outside, outside) - 2 * mean(inside, outside)

    statistic = distance((0, 1, 2))
    exact = np.mean([distance(members) >= statistic - 1e-9 for members in combinations(range(5), 3)])
    assert p_value(before, after, np.random.default_rng(4), 20_000) == pytest.approx(exact, abs=0.02)


def test_samples_that_never_differ_are_never_odd():
    always = [["yes"] * 5] * 20
    assert p_value(always, always, np.random.default_rng(5)) == 1.0


def test_every_prompt_needs_answers_on_both_sides():
    with pytest.raises(ValueError, match="both samples"):
        p_value([["a"]], [[]], np.random.default_rng(6))
    with pytest.raises(ValueError, match="zip"):
        p_value([["a"], ["b"]], [["a"]], np.random.default_rng(6))


@pytest.fixture
async def models(runtime, monkeypatch):
    """Red is answered by the poet, blue by the essayist, a few prompts each; `models["now"]` moves the clock."""
    plan = {"now": START}
    monkeypatch.setattr(fingerprints, "PROMPTS", PROMPTS)
    runtime.providers = {"scripted": Speakers()}
    runtime.now, runtime.times = lambda: plan["now"], TimeLimits()

    def name(session):
        stored.by_name(session, RED).wire_model = "poet"
        stored.by_name(session, BLUE).wire_model = "essayist"

    await runtime.database.write(name)
    return plan


def speak(runtime, name, speaker):
    return runtime.database.write(lambda session: setattr(stored.by_name(session, name), "wire_model", speaker))


async def check(runtime):
    checks = monitoring.FingerprintChecks(runtime.caller, np.random.default_rng(7))
    return await checks.check_due(f"round {next(ROUNDS)}")


async def kept(runtime, name=RED):
    number = (await runtime.database.read(stored.by_name, name)).id
    return [row.p_value for row in await runtime.database.read(track_records.fingerprints, number, 99)]


@pytest.mark.both_databases
async def test_while_none_can_be_taken_the_loop_shows_why_and_goes_on_when_one_can(runtime, models):
    def failing(error):
        class Provider:
            async def stream(self, _target, _messages):
                raise error
                yield

        return {"scripted": Provider()}

    good, runtime.providers = runtime.providers, failing(EndpointUnavailable("502"))
    loop = fingerprints_loop(runtime.caller, period=300)
    for _ in range(3):  # the leases of failed endpoints keep them from being asked again
        assert await loop._pass(lambda: models["now"], unguarded) == 300
        assert re.fullmatch(f"{RED} has no fingerprint now: .*502.*, and 1 more have none", loop.state.failure)
    runtime.providers = good
    await runtime.database.write(lambda session: session.execute(delete(LeaseRow)))
    loop.work = fingerprints_loop(runtime.caller, period=300).work
    await loop._pass(lambda: models["now"], unguarded)
    assert (loop.state.failure, loop.state.worked_at) == ("", models["now"])


@pytest.mark.both_databases
async def test_a_model_without_a_key_is_left_out_by_name_and_the_others_are_compared(runtime, models, caplog):
    def take_key(session):
        stored.by_name(session, RED).key_env = "ARENA_NO_SUCH_KEY"

    await runtime.database.write(take_key)
    loop = fingerprints_loop(runtime.caller, period=300)
    for _ in range(3):  # in later passes the model without a key is the only one that is due
        await loop._pass(lambda: models["now"], unguarded)
        assert loop.state.failure == ""
    assert (await kept(runtime, RED), await kept(runtime, BLUE)) == ([], [None])
    told = f"{RED} is left out of fingerprints: the environment variable ARENA_NO_SUCH_KEY is not set here"
    warnings = [record for record in caplog.records if record.levelname == "WARNING"]
    assert [warning.getMessage() for warning in warnings if warning.name.startswith("arena.")] == [told]


def flagged(runtime):
    """The fingerprint view of the owner."""

    def read(session) -> bool:
        row = stored.by_name(session, RED)
        assert row is not None
        fingerprint = views.detail(session, row, START, Condition()).fingerprint
        assert fingerprint is not None
        return fingerprint.flagged

    return runtime.database.read(read)


@pytest.mark.both_databases
async def test_of_two_processes_one_takes_a_fingerprint(runtime, models):
    rngs = [np.random.default_rng(seed) for seed in range(3)]
    checks = [monitoring.FingerprintChecks(runtime.caller, rng) for rng in rngs]
    await asyncio.gather(*(each.check_due(f"process {n}") for n, each in enumerate(checks)))
    assert (await kept(runtime), await kept(runtime, BLUE)) == ([None], [None])
    assert models["now"] == START


@pytest.mark.both_databases
async def test_two_odd_nights_in_a_row_suspend_and_the_second_is_an_hour_later(runtime, models):
    assert await check(runtime) == []
    assert await kept(runtime) == [None]
    models["now"] += timedelta(hours=23)
    assert await check(runtime) == []
    assert await kept(runtime) == [None]
    models["now"] += timedelta(hours=2)
    assert await check(runtime) == []
    assert (await kept(runtime))[0] > SUSPICIOUS
    await speak(runtime, RED, "clerk")
    models["now"] += timedelta(days=1)
    assert await check(runtime) == []
    assert (await kept(runtime))[0] < SUSPICIOUS
    assert not await flagged(runtime)
    models["now"] += timedelta(hours=1)
    assert await check(runtime) == [RED]
    assert await flagged(runtime)
    states = {name: (await runtime.database.read(stored.by_name, name)).state for name in (RED, BLUE)}
    assert states == {RED: EndpointState.SUSPENDED, BLUE: EndpointState.ACTIVE}
    change = await runtime.database.read(lambda session: session.query(ChangeRow).one())
    assert (change.actor, "twice p < 0.001" in change.reason) == ("health", True)
    await set_state(runtime.database, RED, EndpointState.ACTIVE, Step(OPERATOR, "the owner told us", models["now"]))
    assert await check(runtime) == []
    assert (await kept(runtime))[0] is None  # what answers now is what later nights are compared with


async def test_a_pause_does_not_wipe_out_what_answers_are_compared_with(runtime, models):
    await check(runtime)
    for after in (EndpointState.PAUSED, EndpointState.ACTIVE):
        await set_state(runtime.database, RED, after, Step("owner:1", "as I like", models["now"]))
    await speak(runtime, RED, "clerk")
    models["now"] += timedelta(days=1)
    await check(runtime)
    assert (await kept(runtime))[0] < SUSPICIOUS


@pytest.mark.both_databases
async def test_half_a_fingerprint_is_not_kept(runtime, models):
    class Tired(Speakers):
        left = 30

        async def stream(self, target, messages):
            self.left -= 1
            if self.left < 0:
                raise EndpointUnavailable("cut")
            async for chunk in super().stream(target, messages):
                yield chunk

    tired = runtime.providers["scripted"] = Tired()
    assert await check(runtime) == []
    assert await kept(runtime) == []
    tired.left = 1_000
    assert await check(runtime) == []
    assert await kept(runtime) == []  # a failing endpoint is not called again and again
    await runtime.database.write(lambda session: session.query(LeaseRow).delete())  # hours later
    await check(runtime)
    assert await kept(runtime) == [None]
    assert models["now"] == START


async def test_a_refusal_is_an_answer_like_others(runtime, models):
    class Prim(Speakers):
        async def stream(self, target, messages):
            if "cat" in messages[-1].content or "猫" in messages[-1].content:
                raise RequestRefused("400")
            async for chunk in super().stream(target, messages):
                yield chunk

    runtime.providers = {"scripted": Prim()}
    await check(runtime)
    assert await kept(runtime) == [None]
    assert models["now"] == START


async def test_fingerprints_are_paid_by_the_budget_and_stop_with_it(runtime, models):
    def limit(session):
        stored.by_name(session, RED).daily_calls = 20

    await runtime.database.write(limit)
    await check(runtime)
    assert await kept(runtime) == []
    assert await kept(runtime, BLUE) == [None]
    assert models["now"] == START


@pytest.mark.sqlite
async def test_one_endpoint_that_breaks_the_check_leaves_the_others_theirs_and_rests(runtime, models, monkeypatch):
    number = (await runtime.database.read(stored.by_name, RED)).id
    asked = []

    async def answer(caller, endpoint, prompt):
        if endpoint == number:
            asked.append(prompt)
            raise OverflowError("Python int too large")
        return await whole(caller, endpoint, prompt)

    whole = fingerprints._answer
    monkeypatch.setattr(fingerprints, "_answer", answer)
    for _ in range(4):
        assert await check(runtime) == []
    assert (await kept(runtime), await kept(runtime, BLUE), len(asked)) == ([], [None], 1)
    assert models["now"] == START


async def test_a_slow_endpoint_of_one_owner_keeps_no_other_owner_waiting(runtime, models):
    assert models
    release, asked = asyncio.Event(), set()

    class SlowRed(Speakers):
        async def stream(self, target, messages):
            asked.add(target.wire_model)
            if target.wire_model == "poet":
                await release.wait()
            async for chunk in super().stream(target, messages):
                yield chunk

    def join(session) -> None:
        owner = owners.find_or_add(session, "Other Labs", START)
        session.add(endpoint_row("green", owner=owner, wire_model="clerk"))

    await runtime.database.write(join)
    runtime.providers = {"scripted": SlowRed()}
    checking = asyncio.create_task(check(runtime))
    async with asyncio.timeout(60):
        while not await kept(runtime, "green"):
            await asyncio.sleep(0.01)
    assert (await kept(runtime, RED), asked) == ([], {"poet", "clerk"})  # blue is of red's owner
    release.set()
    assert await checking == []
    assert len(await kept(runtime, RED)) == len(await kept(runtime, BLUE)) == 1


async def test_a_check_that_takes_too_long_ends(runtime, models, monkeypatch):
    assert models

    class Silent(Speakers):
        async def stream(self, _target, _messages):
            await asyncio.Event().wait()
            yield

    monkeypatch.setattr(fingerprints, "MAX_SECONDS", 0.2)
    runtime.providers = {"scripted": Silent()}
    assert await check(runtime) == []
    assert await kept(runtime, RED) == []


async def test_looking_for_due_fingerprints_sends_one_statement_however_many_endpoints_there_are(runtime):
    for number in (0, 40):
        await runtime.database.write(add_endpoints, [f"other-{place}" for place in range(number)])
        with recorded() as statements:
            due = await runtime.database.read(fingerprints.due_endpoints, START)
        queries = [statement for statement, _ in statements if statement.startswith("SELECT")]
        assert (len(due), len(queries)) == (2 + number, 1)
