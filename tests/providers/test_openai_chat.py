"""Particulars of Chat Completions: the request, and the many variations of the stream between servers."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import httpx2
import pytest

from arena_providers import answer_stream
from arena_providers.base import Chunk, Usage
from arena_providers.errors import (
    BadCredentials,
    BadReply,
    ContextTooLong,
    EndpointUnavailable,
    RateLimitedUpstream,
    RequestRefused,
)
from arena_providers.terms import Finish, Message, Role
from tests.providers.conftest import KEY, Endpoint, target_of
from tests.providers.dialects import OPENAI_CHAT, sse

TALK = (Message(Role.USER, "Hi"), Message(Role.ASSISTANT, "Hello!"), Message(Role.USER, "再见"))


@pytest.fixture
def chat() -> Endpoint:
    return Endpoint(OPENAI_CHAT, target_of(OPENAI_CHAT))


def choice(delta: object = None, reason: object = None, **more: object) -> bytes:
    return sse({"choices": [{"index": 0, "delta": delta, "finish_reason": reason, **more}]})


def text(content: str) -> bytes:
    return choice({"content": content})


@pytest.mark.parametrize("url", ["https://model.test/v1", "https://model.test/v1/"])
async def test_the_request_holds_the_whole_talk_and_the_chosen_parameters(chat, url):
    chat.target = replace(chat.target, url=url, system_prompt="Be brief.", temperature=0.0, top_p=0.9, max_tokens=64)
    chat.says(OPENAI_CHAT.answer("ok"))
    await chat.hear(TALK)
    (request,) = chat.asked
    assert str(request.url) == "https://model.test/v1/chat/completions"
    assert json.loads(request.content) == {
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello!"},
            {"role": "user", "content": "再见"},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.0,
        "top_p": 0.9,
        "max_tokens": 64,
    }


async def test_what_was_not_chosen_is_not_sent(chat):
    chat.says(OPENAI_CHAT.answer("ok"))
    await chat.hear()
    sent = json.loads(chat.asked[0].content)
    assert sorted(sent) == ["messages", "model", "stream", "stream_options"]
    assert [message["role"] for message in sent["messages"]] == ["user"]


async def test_the_headers_ask_for_plain_bytes_and_do_not_name_the_arena(chat):
    chat.says(OPENAI_CHAT.answer("ok"))
    await chat.hear()
    headers = chat.asked[0].headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["accept-encoding"] == "identity"
    assert "arena" not in str(headers).lower()


@pytest.mark.parametrize("key", [None, "", " \n"])
async def test_without_a_key_no_authorization_is_sent(chat, key):
    chat.target = replace(chat.target, key=key)
    chat.says(OPENAI_CHAT.answer("ok"))
    await chat.hear()
    assert "authorization" not in chat.asked[0].headers


async def test_a_line_end_behind_the_key_is_not_sent(chat):
    chat.target = replace(chat.target, key=f"{KEY}\n")
    chat.says(OPENAI_CHAT.answer("ok"))
    await chat.hear()
    assert chat.asked[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("key", ["sk-钥匙", "sk-a\nX-Evil: 1", "sk-\x00"])
async def test_a_key_that_no_header_can_carry_is_told_without_being_shown(chat, key):
    chat.target = replace(chat.target, key=key)
    with pytest.raises(BadCredentials) as caught:
        await chat.hear()
    assert key not in str(caught.value)
    assert chat.asked == []


async def test_a_missing_end_marker_is_fine_after_a_finish_reason(chat):
    chat.says(text("Hi"), choice({}, "stop"))
    assert (await chat.hear()).finish is Finish.STOP


async def test_a_missing_finish_reason_is_fine_before_an_end_marker(chat):
    chat.says(OPENAI_CHAT.bare("Hi"), sse("[DONE]"))
    assert (await chat.hear()).finish is Finish.STOP


async def test_the_finish_may_come_with_the_last_text_and_the_usage(chat):
    usage = {"prompt_tokens": 5, "completion_tokens": 2}
    chat.says(text("Hel"), sse({"choices": [{"delta": {"content": "lo"}, "finish_reason": "stop"}], "usage": usage}))
    heard = await chat.hear()
    assert (heard.text, heard.finish, heard.usage) == ("Hello", Finish.STOP, Usage(5, 2))


async def test_chunks_without_a_finish_reason_key_are_fine(chat):
    chat.says(sse({"choices": [{"index": 0, "delta": {"role": "assistant", "content": "Hi"}}]}), choice({}, "stop"))
    assert (await chat.hear()).text == "Hi"


@pytest.mark.parametrize(
    "odd",
    [
        sse({"choices": [], "prompt_filter_results": [{}]}),
        sse({"choices": None}),
        sse({}),
        sse(""),
        choice(None),
        choice({"content": None, "role": "assistant"}),
        choice({}, ""),
        choice({"reasoning": "hm", "reasoning_content": "hm"}),
        sse({"choices": [{"index": 1, "delta": {"content": "second choice"}, "finish_reason": "stop"}]}),
        sse({"choices": ["x"]}),
        sse({"choices": [{"delta": "x"}]}),
        sse({"error": None, "choices": []}),
        b": OPENROUTER PROCESSING\n\n",
        b"event: ping\ndata: {}\n\n",
    ],
)
async def test_events_that_say_nothing_are_passed_over(chat, odd):
    chat.says(odd, text("Hi"), odd, choice({}, "stop"), odd, sse("[DONE]"), odd)
    assert (await chat.hear()).text == "Hi"


async def test_reasoning_that_arrives_is_a_sign_of_life_and_pings_are_none(chat, monkeypatch):
    monkeypatch.setattr(answer_stream, "LIFE_SECONDS", 0.0)
    thought = choice({"reasoning_content": "hm"})
    chat.says(thought, 0.01, b": ping\n\n", 0.01, thought, 0.01, text("Hi"), choice({}, "stop"), sse("[DONE]"))
    heard = await chat.hear()
    assert heard.chunks[:2] == [Chunk(), Chunk()]
    assert [chunk.text for chunk in heard.chunks[2:]] == ["Hi", ""]


@pytest.mark.parametrize("content", [1, ["parts"], {"type": "text"}, True])
async def test_content_that_is_not_text_is_a_bad_reply(chat, content):
    chat.says(choice({"content": content}), choice({}, "stop"))
    with pytest.raises(BadReply):
        await chat.hear()


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", Finish.STOP),
        ("eos", Finish.STOP),
        ("length", Finish.LENGTH),
        ("model_length", Finish.LENGTH),
        ("content_filter", Finish.FILTER),
        ("sensitive", Finish.FILTER),
    ],
)
async def test_finish_reasons_have_one_meaning_each(chat, reason, finish):
    chat.says(text("Hi"), choice({}, reason))
    assert (await chat.hear()).finish is finish


async def test_a_finish_reason_that_confesses_an_error_is_one(chat):
    chat.says(text("Hi"), choice({}, "network_error"))
    with pytest.raises(EndpointUnavailable):
        await chat.hear()


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "7", "completion_tokens": 1}, {"prompt_tokens": -1}, 3])
async def test_a_usage_that_makes_no_sense_is_left_out(chat, usage):
    chat.says(text("Hi"), choice({}, "stop"), sse({"choices": [], "usage": usage}), sse("[DONE]"))
    assert (await chat.hear()).usage is None


@pytest.mark.parametrize(
    "after", [httpx2.ReadError("cut"), 60.0, b"data: {broken\n\n", b"x" * 70_000, sse({"error": "late"})]
)
async def test_what_goes_wrong_after_the_finish_does_not_spoil_the_answer(chat, after, monkeypatch):
    monkeypatch.setattr("arena_providers.answer_stream.TAIL_SECONDS", 0.05)
    body = chat.says(text("Hi"), choice({}, "stop"), after)
    heard = await chat.hear()
    assert (heard.text, heard.finish) == ("Hi", Finish.STOP)
    assert body.closed


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": 429, "message": "later"}, RateLimitedUpstream),
        ({"code": "429", "message": "later"}, RateLimitedUpstream),
        (
            {"code": 400, "type": "exceed_context_size_error", "message": "exceeds the available context size"},
            ContextTooLong,
        ),
        ({"type": "rate_limit_error", "message": "later"}, RateLimitedUpstream),
        ({"type": "invalid_request_error", "code": "context_length_exceeded"}, ContextTooLong),
        ({"type": "invalid_request_error", "code": None, "message": "no"}, RequestRefused),
        ({"code": "invalid_api_key", "message": "no"}, BadCredentials),
        ({"message": "The server had an error"}, EndpointUnavailable),
        ("overloaded", EndpointUnavailable),
        (["odd"], EndpointUnavailable),
    ],
)
async def test_error_objects_are_classified_by_status_then_by_type(chat, error, kind):
    chat.says(text("Hi"), sse({"error": error}))
    with pytest.raises(kind) as caught:
        await chat.hear()
    assert type(caught.value) is kind


async def test_an_error_object_instead_of_a_stream_is_classified_too(chat):
    chat.says(b'{"error": {"code": 429, "message": "later"}}', Content_Type="application/json")
    with pytest.raises(RateLimitedUpstream):
        await chat.hear()


async def test_a_whole_answer_instead_of_a_stream_is_a_bad_reply(chat):
    chat.says(b'{"choices": [{"message": {"content": "Hi"}}]}', Content_Type="application/json")
    with pytest.raises(BadReply, match="not a stream"):
        await chat.hear()


@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/octet-stream", "", "TEXT/Event-Stream; charset=utf-8"]
)
async def test_a_stream_under_another_media_type_is_still_a_stream(chat, media_type):
    chat.says(OPENAI_CHAT.answer("Hi"), Content_Type=media_type)
    assert (await chat.hear()).text == "Hi"


@pytest.mark.parametrize("index", [0, "0", None, ""])
@pytest.mark.parametrize(
    "form",
    [
        lambda text: {"delta": {"content": text}},
        lambda text: {"message": {"content": text}},
        lambda text: {"text": text},
    ],
)
async def test_the_first_choice_is_read_in_each_form(chat, index, form):
    events = [
        sse({"choices": [{"index": "1", **form("no")}, {"index": index, **form(word)}]}) for word in ("Hel", "lo")
    ]
    chat.says(*events, sse({"choices": [{"index": index, "finish_reason": "stop"}]}), sse("[DONE]"))
    heard = await chat.hear()
    assert (heard.text, heard.finish) == ("Hello", Finish.STOP)


async def test_a_whole_message_after_deltas_repeats_them(chat):
    chat.says(text("Hello"), sse({"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}))
    assert (await chat.hear()).text == "Hello"


@pytest.mark.parametrize("start", [b"", b"\n", b": ping\n\n", "\ufeff".encode(), b"event: message\n"])
@pytest.mark.parametrize("cut", [1, 7, 1000])
async def test_a_stream_is_read_under_the_media_type_of_one_value(chat, start, cut):
    stream = start + OPENAI_CHAT.answer("Hello")
    chat.says(stream[:cut], stream[cut:], Content_Type="application/json")
    assert (await chat.hear()).text == "Hello"


VALUES = ['{"a": 1}', " \n[1]", '"x"']


@pytest.mark.parametrize(
    ("media_type", "value"),
    [("application/json", ""), *itertools.product(["application/json", "text/event-stream", "text/plain"], VALUES)],
)
async def test_one_value_is_no_stream(chat, media_type, value):
    chat.says(*(letter.encode() for letter in value), Content_Type=media_type)
    with pytest.raises(BadReply, match="not a stream") as caught:
        await chat.hear()
    assert (caught.value.fault, caught.value.words) == ("no_stream", value.strip())
