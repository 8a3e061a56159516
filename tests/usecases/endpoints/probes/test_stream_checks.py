"""A probe compares the stream with an answer without streaming, and sees pieces that repeat the text so far."""

from __future__ import annotations

import json
from itertools import accumulate, cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.usecases.endpoints.probes.probe_calls import Tried
from arena.usecases.endpoints.probes.stream_checks import is_cumulative, is_cut, states_no_reason
from tests.usecases.endpoints.probes.probes import codes, examine_endpoint, target
from tests.usecases.endpoints.probes.vendor import DIALECT_BY_NAME, Vendor, answer, good_stream

LONG = "Seventeen plus twenty-five is forty-two, as everybody can count."


@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_a_stream_that_loses_text_is_remarked_after_two_more_calls(dialect):
    async with Vendor(dialect, text=("Seventeen",), whole=LONG).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert (report["passed"], codes(report)) == (True, ["loses_text"])
    assert (len(vendor.compared), len(vendor.posted)) == (1, 4)


@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_answers_that_differ_as_answers_do_are_compared_once(dialect):
    again = ("Seventeen ", "and 25 make ", "42.")
    vendor = Vendor(dialect, text=("Seventeen ", "and 25 are ", "42."), again=again, whole=LONG)
    async with vendor.listening():
        report = await examine_endpoint(target(vendor))
    assert (report["passed"], codes(report)) == (True, [])
    assert (len(vendor.compared), len(vendor.posted)) == (1, 3)


async def test_a_model_of_few_words_is_not_blamed():
    async with Vendor(text=("Hm",), again=("Hm?",), whole="Hm, no.").listening() as vendor:
        assert codes(await examine_endpoint(target(vendor))) == []


@pytest.mark.parametrize("status", [200, 400, 404, 500])
async def test_a_server_without_whole_answers_passes(status):
    def faulty(asked):
        return None if asked.streams else [answer(status, b'{"error": {"message": "only streams"}}')]

    async with Vendor(faulty=faulty).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert (report["passed"], codes(report)) == (True, [])


@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
@pytest.mark.parametrize("pause", [0.0, 0.01])
async def test_pieces_that_repeat_all_text_so_far_are_remarked(dialect, pause):
    words = LONG.split(" ")
    pieces = [" ".join(words[:count]) for count in range(1, len(words) + 1)]
    async with Vendor(dialect, faulty=lambda asked: streamed(asked, dialect, pieces, pause)).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert (report["passed"], codes(report)) == (True, ["cumulative"])


def streamed(asked, dialect, pieces, pause):
    if not asked.streams:
        return [answer(404)]
    return good_stream(dialect, *pieces, pause=pause)


ADDED = st.text(st.characters(exclude_characters="¶"), min_size=1, max_size=9)


@given(ADDED, st.lists(ADDED, min_size=3, max_size=11), st.integers(1, 12), st.integers(0, 3))
def test_growing_pieces_are_seen_however_they_arrive(first, added, together, cut):
    """Also where several arrived at once and the last one was cut, if no later text repeats all of the first piece."""
    sofar = list(accumulate([f"{first}¶", *added]))
    batches = ["".join(sofar[start : start + together]) for start in range(0, len(sofar), together)]
    batches[-1] = batches[-1][: len(batches[-1]) - cut]
    assert is_cumulative(Tried(text="".join(batches), texts=batches))


@pytest.mark.parametrize(
    "text", ["", "a", "ha ha ha ha", "hahahaha", "The sea. The sea is wide.", "一二三一二三一二三", "no no no no no no"]
)
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_text_that_repeats_itself_is_not_taken_for_growing_pieces(text, size):
    texts = [text[start : start + size] for start in range(0, len(text), size)]
    assert not is_cumulative(Tried(text=text, texts=texts))


async def test_a_server_that_never_states_a_finish_reason_is_remarked():
    events = [
        b'data: {"choices": [{"index": 0, "delta": {"content": "%s"}}]}\n\n' % word for word in (b"It ", b"is ", b"so.")
    ]

    def faulty(asked):
        return [answer(200, b"".join([*events, b"data: [DONE]\n\n"]), "text/event-stream")] if asked.streams else None

    async with Vendor(faulty=faulty).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert (report["passed"], codes(report)) == (True, ["no_reason"])


@pytest.mark.parametrize(("reasons", "remarked"), [(("length",), True), (("length", "stop"), False)])
async def test_answers_that_are_all_cut_at_their_longest_are_remarked(reasons, remarked):
    order = cycle(reasons)

    def faulty(asked):
        if not asked.streams:
            return None
        choice = {"index": 0, "delta": {"content": "The sum is"}, "finish_reason": next(order)}
        return [
            answer(
                200, b"data: %s\n\ndata: [DONE]\n\n" % json.dumps({"choices": [choice]}).encode(), "text/event-stream"
            )
        ]

    async with Vendor(faulty=faulty).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert report["passed"]
    assert ("all_cut" in codes(report)) is remarked


async def test_an_answer_above_the_longest_is_remarked():
    text = "Forty-two is the sum, as everybody can count. " * 1_400
    async with Vendor(text=(text[:30_000], text[30_000:]), whole=LONG).listening() as vendor:
        report = await examine_endpoint(target(vendor))
    assert (report["passed"], codes(report)) == (True, ["too_much_text"])


@pytest.mark.parametrize(
    ("reasons", "silent"),
    [([False], True), ([False, None], True), ([None], False), ([False, True], False), ([True], False), ([], False)],
)
def test_a_reason_once_stated_is_enough(reasons, silent):
    assert states_no_reason([Tried(has_reason=reason) for reason in reasons]) is silent


def test_an_answer_that_failed_is_not_cut():
    assert not is_cut(Tried(text="x" * 60_000, fault="stalled"))


@pytest.mark.parametrize(("rest", "pieces", "whole"), [(310, 18, False), (60, 3, True), (310, 1, True)])
def test_an_answer_after_long_thought_is_held_back_if_it_comes_at_once(rest, pieces, whole):
    answer = Tried(text="word " * 100, pieces=pieces, first_token_ms=8_040, total_ms=8_040 + rest)
    assert answer.whole is whole
