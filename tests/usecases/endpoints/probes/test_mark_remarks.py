"""A probe looks for marks in all answers, and says what they were, where they stood and what can be set."""

from __future__ import annotations

from random import Random

import pytest

from arena.usecases.endpoints.probes.examination import Order, examine
from arena.usecases.endpoints.probes.probe_calls import ask
from arena_providers.terms import Message, Role
from arena_providers.transport.http_client import HttpClient
from tests.providers.dialects import DIALECTS
from tests.usecases.endpoints.probes.probes import caller, codes, examine_endpoint, target
from tests.usecases.endpoints.probes.vendor import Vendor

FOUND = {
    "a lone closing tag": (("Okay, the user asks. ", "\n</think>\n\n", "42"), "42", "unopened", "</think>", "2"),
    "prefixed tags": (("<mm:think>", "hidden", "</mm:think>", "42"), "42", "think_tags", "<mm:think>", "1"),
    "a channel": (("<|channel>thought\n", "hidden\n<channel|>", "42"), "42", "think_tags", "<|channel>", "1"),
    "Harmony without its tokens": (
        ("analysisWe ", "add.assistant", "final42"),
        "42",
        "think_tags",
        "assistantfinal",
        "1",
    ),
    "reasoning that a phrase ends": (
        ("Here is my thought process:\nWe add.\n", "Here is my response:\n42"),
        "42",
        "think_tags",
        "Here is my response:",
        "3",
    ),
    "a token at the end": (
        ("It is ", "42.\n", "So.<|im_", "end|>"),
        "It is 42.\nSo.",
        "control_marks",
        "<|im_end|>",
        "2",
    ),
    "a token that nobody listed": (("It is 42.\n", "<|rare_17|>"), "It is 42.\n", "control_marks", "<|rare_17|>", "2"),
    "a tool call": (
        ("I look.", "<|tool_calls_section_begin|>", "f", "<|tool_calls_section_end|>"),
        "I look.",
        "call_marks",
        "<|tool_calls_section_begin|>",
        "1",
    ),
    "a mark in a sentence": (
        ("The mark <|im_end|> is odd.",),
        "The mark <|im_end|> is odd.",
        "doubtful_marks",
        "<|im_end|>",
        "1",
    ),
}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@pytest.mark.parametrize("found", FOUND.values(), ids=FOUND)
async def test_every_dialect_cuts_marks_and_reports_them(dialect, found):
    text, shown, code, marks, lines = found
    async with (
        Vendor(dialect=dialect.name, base="/v1", text=text).listening() as vendor,
        HttpClient(connect=5) as client,
    ):
        order = Order(target(vendor), None, proven=True)
        findings = await examine(caller(client), client, order, Random(1))
        question = (Message(Role.USER, "What is 17 plus 25?"),)
        assert (await ask(caller(client), "en", target(vendor), question)).text == shown
    assert findings.passed
    assert [trial.text for trial in findings.tried] == [shown] * 3
    problem = next(problem for problem in findings.problems if problem["code"] == code)
    assert (problem["marks"], problem["lines"]) == (marks, lines)
    assert marks in problem["title"]
    assert findings.unopened is (code == "unopened")


async def test_an_answer_of_a_tool_call_alone_is_told_as_one():
    async with Vendor(text=("<tool_call>", '{"name": "f"}', "</tool_call>")).listening() as vendor:
        assert codes(await examine_endpoint(target(vendor)))[0] == "tool_call"


@pytest.mark.parametrize(("opening", "code"), [("<think>", "empty"), ("", "unopened")])
async def test_an_answer_of_reasoning_alone_is_empty_and_one_that_may_be_an_answer_is_told(opening, code):
    async with Vendor(text=(opening, "Okay, hm.", "\n</think>")).listening() as vendor:
        assert codes(await examine_endpoint(target(vendor)))[0] == code


async def test_an_ordinary_answer_has_no_remark():
    async with Vendor(text=("Use `<b>`, ", "[a link](b), 3 < 4 ", "and x |> f.")).listening() as vendor:
        assert codes(await examine_endpoint(target(vendor))) == []


async def test_a_probe_of_an_endpoint_that_stopped_doing_so_clears_it_and_does_not_blame_a_proxy():
    words = tuple(f"word {number} " for number in range(40))
    async with Vendor(text=words).listening() as vendor, HttpClient(connect=5) as client:
        order = Order(target(vendor, unopened=True), None, proven=True)
        findings = await examine(caller(client), client, order, Random(1))
    assert (findings.unopened, findings.problems) == (False, ())


ONLY_MARKS = {
    "Harmony without a final channel": ("<|channel|>analysis<|message|>", "We add."),
    "Harmony without its first mark": ("analysis<|message|>", "We add."),
    "reasoning that nothing closes": ("<think>", "We add."),
}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@pytest.mark.parametrize("text", ONLY_MARKS.values(), ids=ONLY_MARKS)
async def test_an_answer_that_is_nothing_but_reasoning_fails_and_names_its_marks(dialect, text):
    async with Vendor(dialect=dialect.name, base="/v1", text=text).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert codes(report) == ["empty", "think_tags"]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
async def test_what_may_be_reasoning_without_marks_is_reported(dialect):
    async with Vendor(dialect=dialect.name, base="/v1", text=("analysisWe ", "add. So 42.")).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert report["passed"]
    assert codes(report) == ["doubtful_marks"]
