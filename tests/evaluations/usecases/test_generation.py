"""Generation: each question is asked once, whatever happens in between."""

import asyncio
from collections import Counter

import pytest

from arena.adapters.store import budgets, endpoints
from arena.domain.terms import EndpointState, Use
from arena.evaluations.domain.errors import EvaluationNotFound
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases import generation, views
from arena_providers.errors import RateLimitedUpstream, RequestRefused
from tests.conftest import NAMES
from tests.evaluations.usecases.populated import add_evaluation, caller
from tests.scripted import ScriptedAnswer


async def figures(database) -> dict[str, tuple[int, int]]:
    found = await views.progress(database, "taste")
    return {each.name: (each.answered, each.failed) for each in found.models}


async def test_every_turn_is_asked_once_with_the_answers_before_it_and_the_settings_are_kept(database, scripted, part):
    part("red-7b", "Four", ".")
    await add_evaluation(database, temperature=0.0, max_tokens=50)
    steps = []
    runs = await generation.generate(caller(database, scripted), "taste", begin=steps.append, step=lambda: None)
    assert (steps, [(run.done, run.failed, run.left) for run in runs]) == ([6], [(3, 0, 0), (3, 0, 0)])
    again = await generation.generate(caller(database, scripted), "taste", begin=steps.append)
    assert (steps, again[0].done) == ([6, 0], 3)
    asked = [[message.content for message in messages] for name, messages in scripted.asked if name == "red-7b"]
    assert len(asked) == 4
    assert ["What is 2 + 2?", "Four.", "And 3 + 3?"] in asked
    answer = (await database.read(stored.answers, 1))[0]
    assert answer.texts == ["Four.", "Four."]
    assert (answer.settings["temperature"], answer.settings["max_tokens"]) == (0.0, 50)


@pytest.mark.both_databases
async def test_a_killed_run_goes_on_and_asks_again_only_what_was_in_flight(database, scripted):
    await add_evaluation(database)
    scripted.parts["blue-7b"] = ScriptedAnswer(hang=True)
    running = asyncio.create_task(generation.generate(caller(database, scripted), "taste", at_once=1))
    while (await figures(database))["red-7b"] != (3, 0):
        await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    scripted.parts.clear()
    await generation.generate(caller(database, scripted), "taste")
    assert await figures(database) == dict.fromkeys(NAMES, (3, 0))
    assert Counter(name for name, _ in scripted.asked) == {"red-7b": 4, "blue-7b": 5}


@pytest.mark.both_databases
async def test_a_failed_answer_is_shown_as_such_and_asked_again_on_wish(database, scripted):
    await add_evaluation(database)
    scripted.parts["red-7b"] = ScriptedAnswer(error=RequestRefused("no"))
    await generation.generate(caller(database, scripted), "taste")
    assert await figures(database) == {"red-7b": (0, 3), "blue-7b": (3, 0)}
    assert (await views.progress(database, "taste")).models[0].faults == {"refused": 3}
    scripted.parts.clear()
    await generation.generate(caller(database, scripted), "taste")
    assert (await figures(database))["red-7b"] == (0, 3)
    runs = await generation.generate(caller(database, scripted), "taste", retry=True)
    assert (runs[0].done, runs[0].failed, await figures(database)) == (3, 0, dict.fromkeys(NAMES, (3, 0)))


@pytest.mark.sqlite
async def test_a_busy_endpoint_is_asked_again_after_the_time_it_says_and_then_given_up(database, scripted):
    await add_evaluation(database)
    scripted.parts["red-7b"] = ScriptedAnswer(pieces=(), error=RateLimitedUpstream("slow", retry_after=0.001))
    await generation.generate(caller(database, scripted), "taste")
    assert (await views.progress(database, "taste")).models[0].faults == {"rate_limited": 3}
    assert Counter(name for name, _ in scripted.asked)["red-7b"] == 9


async def test_an_endpoint_that_retires_half_way_is_asked_no_more_and_the_others_go_on(database, scripted):
    await add_evaluation(database)
    await database.write(lambda s: setattr(endpoints.by_name(s, NAMES[0]), "state", EndpointState.RETIRED))
    red, blue = await generation.generate(caller(database, scripted), "taste")
    assert (red.stopped, red.left, blue.done) == ("it is retired", 3, 3)


@pytest.mark.both_databases
async def test_a_spent_cap_stops_a_model_until_the_next_day(database, scripted):
    await add_evaluation(database)
    await database.write(budgets.allow, 1, Use.EVALUATIONS, 1)
    red, blue = await generation.generate(caller(database, scripted), "taste", at_once=1)
    assert (red.stopped, blue.done) == ("its calls for evaluations are spent for today (UTC)", 3)


@pytest.mark.sqlite
async def test_nothing_is_asked_for_an_evaluation_that_is_not_there(database, scripted):
    with pytest.raises(EvaluationNotFound):
        await generation.generate(caller(database, scripted), "taste")
