"""The requests of each dialect for the same conversation, and the particulars of its stream."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from arena_providers.base import Usage
from arena_providers.errors import (
    BadCredentials,
    ContextTooLong,
    EndpointUnavailable,
    ProviderError,
    RequestRefused,
)
from arena_providers.terms import Finish, Image, Message, Role
from tests.providers.conftest import KEY, Endpoint, target_of
from tests.providers.dialects import ANTHROPIC, GEMINI, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES, line, sse

TALK = (Message(Role.USER, "Hi"), Message(Role.ASSISTANT, "Hello!"), Message(Role.USER, "再见"))
PLAIN = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello!"},
    {"role": "user", "content": "再见"},
]
SYSTEM = {"role": "system", "content": "Be brief."}


def endpoint_of(dialect) -> Endpoint:
    return Endpoint(dialect, target_of(dialect))


def item(role: str, kind: str, text: str) -> dict:
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


REQUESTS = [
    (
        OPENAI_RESPONSES,
        "/v1/responses",
        {
            "model": "m-1",
            "input": [
                item("user", "input_text", "Hi"),
                item("assistant", "output_text", "Hello!"),
                item("user", "input_text", "再见"),
            ],
            "instructions": "Be brief.",
            "stream": True,
            "store": False,
            "temperature": 0.0,
            "top_p": 0.9,
            "max_output_tokens": 64,
        },
    ),
    (
        ANTHROPIC,
        "/v1/messages",
        {
            "model": "m-1",
            "messages": PLAIN,
            "system": "Be brief.",
            "stream": True,
            "temperature": 0.0,
            "top_p": 0.9,
            "max_tokens": 64,
        },
    ),
    (
        GEMINI,
        "/v1/models/m-1:streamGenerateContent?alt=sse",
        {
            "contents": [
                {"role": "user", "parts": [{"text": "Hi"}]},
                {"role": "model", "parts": [{"text": "Hello!"}]},
                {"role": "user", "parts": [{"text": "再见"}]},
            ],
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "generationConfig": {"temperature": 0.0, "topP": 0.9, "maxOutputTokens": 64},
        },
    ),
    (
        OLLAMA,
        "/v1/api/chat",
        {
            "model": "m-1",
            "messages": [SYSTEM, *PLAIN],
            "stream": True,
            "options": {"temperature": 0.0, "top_p": 0.9, "num_predict": 64},
        },
    ),
]


@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize(("dialect", "path", "body"), REQUESTS, ids=[row[0].name for row in REQUESTS])
async def test_the_request_holds_the_whole_talk_and_the_chosen_parameters(dialect, path, body, slash):
    endpoint = endpoint_of(dialect)
    wishes = {"system_prompt": "Be brief.", "temperature": 0.0, "top_p": 0.9, "max_tokens": 64}
    endpoint.target = replace(endpoint.target, url=f"https://model.test/v1{slash}", **wishes)
    endpoint.says(dialect.answer("ok"))
    await endpoint.hear(TALK)
    (request,) = endpoint.asked
    assert str(request.url) == f"https://model.test{path}"
    assert json.loads(request.content) == body


PNG, JPEG = Image("image/png", b"\x89PNG"), Image("image/jpeg", b"\xff\xd8")
AT_ONCE = Message(Role.USER, "Which is older?", (PNG, JPEG))
SEEN = ["data:image/png;base64,iVBORw==", "data:image/jpeg;base64,/9g="]
WITH_IMAGES = [
    (
        OPENAI_CHAT,
        "messages",
        [
            *({"type": "image_url", "image_url": {"url": url}} for url in SEEN),
            {"type": "text", "text": "Which is older?"},
        ],
    ),
    (
        OPENAI_RESPONSES,
        "input",
        [
            *({"type": "input_image", "image_url": url} for url in SEEN),
            {"type": "input_text", "text": "Which is older?"},
        ],
    ),
    (
        ANTHROPIC,
        "messages",
        [
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "/9g="}},
            {"type": "text", "text": "Which is older?"},
        ],
    ),
    (
        GEMINI,
        "contents",
        [
            {"inlineData": {"mimeType": "image/png", "data": "iVBORw=="}},
            {"inlineData": {"mimeType": "image/jpeg", "data": "/9g="}},
            {"text": "Which is older?"},
        ],
    ),
    (OLLAMA, "messages", ["iVBORw==", "/9g="]),
]


@pytest.mark.parametrize(("dialect", "field", "parts"), WITH_IMAGES, ids=[row[0].name for row in WITH_IMAGES])
async def test_pictures_stand_before_the_text_of_their_message_and_nowhere_else(dialect, field, parts):
    endpoint = endpoint_of(dialect)
    endpoint.says(dialect.answer("ok"))
    await endpoint.hear((AT_ONCE, Message(Role.ASSISTANT, "The first."), Message(Role.USER, "Why?")))
    first, *later = json.loads(endpoint.asked[0].content)[field]
    shown = first.get("images") or first.get("parts") or first["content"]
    assert shown == parts
    assert dialect is not OLLAMA or first["content"] == "Which is older?"
    assert "iVBORw" not in json.dumps(later)


def test_a_picture_is_not_printed_with_its_message():
    assert "89PNG" not in repr(AT_ONCE)


@pytest.mark.parametrize(
    ("dialect", "names"),
    [
        (OPENAI_RESPONSES, {"model", "input", "stream", "store"}),
        (ANTHROPIC, {"model", "messages", "stream", "max_tokens"}),
        (GEMINI, {"contents"}),
        (OLLAMA, {"model", "messages", "stream"}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
async def test_what_was_not_chosen_is_not_sent(dialect, names):
    endpoint = endpoint_of(dialect)
    endpoint.says(dialect.answer("ok"))
    await endpoint.hear()
    assert set(json.loads(endpoint.asked[0].content)) == names


@pytest.mark.parametrize("model", ["../../other", "a/b", "x?y=1", "x#y"])
async def test_geminis_model_cannot_lead_to_another_path(model):
    endpoint = endpoint_of(GEMINI)
    endpoint.target = replace(endpoint.target, wire_model=model)
    endpoint.says(GEMINI.answer("ok"))
    await endpoint.hear()
    (request,) = endpoint.asked
    assert request.url.raw_path.startswith(b"/v1/models/")
    assert request.url.raw_path.count(b"/") == 3
    assert request.url.raw_path.endswith(b":streamGenerateContent?alt=sse")


@pytest.mark.parametrize("words", ["API key not valid. Please pass a valid API key.", "reason: API_KEY_INVALID"])
async def test_geminis_400_for_a_wrong_key_is_bad_credentials(words):
    endpoint = endpoint_of(GEMINI)
    endpoint.says(json.dumps({"error": {"code": 400, "message": words}}).encode(), status=400)
    with pytest.raises(BadCredentials):
        await endpoint.hear()


async def test_a_prompt_that_gemini_blocks_is_a_refusal():
    endpoint = endpoint_of(GEMINI)
    endpoint.says(sse({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 4}}))
    with pytest.raises(RequestRefused, match="SAFETY"):
        await endpoint.hear()


CANDIDATE = {"content": {"parts": [{"text": "Hi"}]}, "finishReason": "STOP"}


@pytest.mark.parametrize(
    ("dialect", "events", "usage"),
    [
        (GEMINI, [sse({"candidates": [CANDIDATE]}), sse({"usageMetadata": {"promptTokenCount": 4}})], Usage(4, 0)),
        (GEMINI, [sse({"candidates": [CANDIDATE]})], None),
        (OLLAMA, [line({"message": {"content": "Hi"}, "done": True, "eval_count": 1})], None),
        (OLLAMA, [json.dumps({"message": {"content": "Hi"}, "done": True}).encode()], None),
        (OLLAMA, [line({"message": {"content": "Hi"}}) + b"\r\n\r\n" + line({"done": True})], None),
        (ANTHROPIC, [ANTHROPIC.delta("Hi"), sse({"type": "ping"}), sse({"type": "message_stop"})], None),
        (ANTHROPIC, [sse({"type": "content_block_start", "content_block": {"type": "text", "text": "Hi"}}),
                     ANTHROPIC.ended("end_turn")], Usage(7, 3)),
        (OPENAI_RESPONSES, [sse({"type": "response.refusal.delta", "delta": "Hi"}),
                            sse({"type": "response.completed", "response": {}}), sse("[DONE]")], None),
        (OPENAI_CHAT, [sse({"choices": [{"delta": {"content": [{"type": "thinking", "thinking": []},
                                                               {"type": "text", "text": "Hi"}]},
                                         "finish_reason": "stop",
                                         "usage": {"prompt_tokens": 1, "completion_tokens": 2}}]})], Usage(1, 2)),
    ],
)  # fmt: skip
async def test_odd_but_whole_answers_are_answers(dialect, events, usage, monkeypatch):
    monkeypatch.setattr("arena_providers.answer_stream.TAIL_SECONDS", 0.05)
    endpoint = endpoint_of(dialect)
    endpoint.says(*events)
    heard = await endpoint.hear()
    assert (heard.text, heard.finish, heard.usage) == ("Hi", Finish.STOP, usage)


@pytest.mark.parametrize(
    ("dialect", "event", "error"),
    [
        (ANTHROPIC, {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 9"}},
         ContextTooLong),
        (ANTHROPIC, {"type": "error", "error": {"type": "permission_error", "message": "no"}}, BadCredentials),
        (OPENAI_RESPONSES, {"type": "response.failed", "response": {"error": {"code": "server_error", "message": "x"}}},
         EndpointUnavailable),
        (OPENAI_RESPONSES, {"type": "error", "error": {"code": "context_length_exceeded", "message": "x"}},
         ContextTooLong),
        (OPENAI_RESPONSES, {"error": {"code": 401, "message": "x"}}, BadCredentials),
        (GEMINI, {"error": {"status": "PERMISSION_DENIED", "message": "x"}}, BadCredentials),
        (GEMINI, {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}, EndpointUnavailable),
    ],
)  # fmt: skip
async def test_a_failure_inside_the_stream_is_typed(dialect, event, error):
    endpoint = endpoint_of(dialect)
    endpoint.says(dialect.delta("half"), sse(event))
    with pytest.raises(ProviderError) as caught:
        await endpoint.hear()
    assert type(caught.value) is error
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("dialect", "event"),
    [
        (OPENAI_RESPONSES, {"type": "response.output_text.delta", "delta": 1}),
        (ANTHROPIC, {"type": "content_block_delta", "delta": {"type": "text_delta", "text": {}}}),
        (GEMINI, {"candidates": [{"content": {"parts": [{"text": []}]}}]}),
        (OLLAMA, {"message": {"content": 1}}),
    ],
)
async def test_content_that_is_not_text_is_a_bad_reply(dialect, event):
    endpoint = endpoint_of(dialect)
    endpoint.says(line(event) if dialect is OLLAMA else sse(event), dialect.answer("Hi"))
    with pytest.raises(ProviderError, match="not text"):
        await endpoint.hear()


@pytest.mark.parametrize(
    "usage", [None, {}, {"input_tokens": "7", "output_tokens": 1}, {"input_tokens": -1}, 3, {"output_tokens": True}]
)
async def test_a_usage_that_makes_no_sense_is_left_out(usage):
    for dialect, event in [
        (OPENAI_RESPONSES, {"type": "response.completed", "response": {"usage": usage}}),
        (ANTHROPIC, {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}),
    ]:
        endpoint = endpoint_of(dialect)
        endpoint.says(dialect.delta("Hi"), sse(event), sse({"type": "message_stop"}))
        assert (await endpoint.hear()).usage is None
