"""Samples are random, of distinct prompts, in proportion to routes, without personal data, and take little memory."""

from __future__ import annotations

import tracemalloc
from collections import Counter

import pytest

from arena.adapters.row_files.rows import Unusable
from arena.evaluations.usecases.traffic.call_sample import MAX_ROUTES, CallSample, SampleDraw, proportional
from arena.evaluations.usecases.traffic.logged_calls import LoggedCall, LoggedMessage
from arena_providers.terms import Role


def call(text, route="", model="dear", answer="Yes."):
    return LoggedCall(model, (LoggedMessage(Role.USER, text),), answer, route=route)


def drawn(calls, size, seed=1, model="dear"):
    sample = CallSample(size, seed)
    for entry in calls:
        sample.add(entry)
    drawing = SampleDraw(sample, model)
    for place, entry in enumerate(calls):
        if not isinstance(entry, Unusable):
            drawing.add(place, entry)
    return drawing


def texts(drawing):
    return {entry.messages[0].text for entry, _ in drawing.calls.values()}


def test_a_sample_is_the_same_by_its_seed_whatever_the_order_and_the_repetitions():
    calls = [call(f"Question {n}?") for n in range(300)]
    first = texts(drawn(calls, 20))
    assert texts(drawn(calls[::-1] + calls[::7] * 3, 20)) == first
    assert texts(drawn(calls, 20, seed=2)) != first
    assert len(first) == 20


def test_each_distinct_prompt_has_the_same_chance_however_often_it_was_asked():
    calls = [call(f"Question {n}?") for n in range(40) for _ in range(30 if n < 4 else 1)]
    times = Counter(text for seed in range(400) for text in texts(drawn(calls, 10, seed)))
    assert len(times) == 40
    assert 70 < min(times.values()) <= max(times.values()) < 135  # 100 expected, standard deviation 8.7


@pytest.mark.parametrize(
    "same",
    [
        ("What is 1+1?", "what  is 1+1? ", "What is 1+1", "What, is 1+1?!", "“What is 1+1”"),
        ("你好，世界。", "你好世界", "“你好，世界！”"),
        ("Don't stop.", "don't stop"),
        ("???", " ??? "),
    ],
)
def test_prompts_that_differ_in_case_spaces_and_marks_alone_are_one(same):
    assert drawn([call(text) for text in same], 5).distinct == 1


def test_what_may_ask_another_thing_is_another_prompt():
    texts = ["2.5 + 1", "25 + 1", "2-5", "2/5", "25", "a.b", "ab", "!x", "x", "???", "!!!", "x = y", "x == y", "(x)"]
    assert drawn([call(text) for text in texts], 20).distinct == len(texts)


def test_other_system_prompts_make_others():
    other = LoggedCall("dear", (LoggedMessage(Role.USER, "What is 1+1?"),), "2", system_prompt="In French.")
    assert drawn([call("What is 1+1?"), other], 5).distinct == 2


def test_routes_are_drawn_in_proportion():
    sizes = {"a": 500, "b": 300, "c": 200}
    calls = [call(f"{route} {n}?", route) for route, size in sizes.items() for n in range(size)]
    assert Counter(route for _, route in drawn(calls, 50).calls.values()) == {"a": 25, "b": 15, "c": 10}


def test_many_routes_are_taken_together():
    calls = [call(f"Question {n}?", f"route {n}") for n in range(3 * MAX_ROUTES)]
    drawing = drawn(calls, 150)
    assert len(drawing.calls) == 150
    assert len({route for _, route in drawing.calls.values()}) <= MAX_ROUTES + 1


def test_calls_with_personal_data_are_counted_by_kind_and_others_are_drawn_for_them():
    calls = [call(f"Write to ann{n}@example.org" if n % 4 == 0 else f"Question {n}?") for n in range(200)]
    drawing = drawn(calls, 30)
    assert len(drawing.calls) == 30
    assert not [text for text in texts(drawing) if "@" in text]
    assert set(drawing.personal) == {"email"}
    assert drawn([call("Who?", answer="Call +44 20 7946 0958.")], 3).calls == {}


def test_proportions_sum_to_the_size_or_to_all():
    assert proportional({"a": 1, "b": 1, "c": 1}, 2).keys() == {"a", "b", "c"}
    assert sum(proportional({"a": 7, "b": 5, "c": 1}, 6).values()) == 6
    assert proportional({"a": 2, "b": 1}, 10) == {"a": 2, "b": 1}


def test_memory_grows_by_eight_bytes_a_call():
    def peak(number):
        sample = CallSample(50, 1)
        tracemalloc.start()
        for n in range(number):
            sample.add(call(f"{n} {'words ' * 50}", f"route {n % 5}"))
        result = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return result

    assert peak(12_000) - peak(4_000) < 8_000 * 16
