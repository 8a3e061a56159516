"""Ends of answers that look whole and are not: errors within the stream, missing reasons, tool calls, lost text."""

from __future__ import annotations

import pytest

from arena_providers.errors import BadReply, EndpointUnavailable, ProviderError, UnknownFinish
from arena_providers.terms import Finish
from tests.providers.conftest import Endpoint, target_of
from tests.providers.dialects import ANTHROPIC, GEMINI, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES, line, sse

BEGINNING = "The quick answer is forty t"
ERRORS = [
    {"error": {"message": "model crashed"}},
    {"error": "model crashed"},
    {"errors": [{"message": "model crashed"}]},
    {"errors": ["model crashed"]},
    {"detail": "model crashed"},
    {"detail": [{"loc": ["body"], "msg": "model crashed"}]},
    {"code": "InternalError", "message": "model crashed", "request_id": "x"},
    {"code": 1305, "message": "model crashed"},
    {"object": "error", "message": "model crashed", "type": "InternalServerError"},
    {"text": "model crashed", "error_code": 50001},
    {"error_code": 336003, "error_msg": "model crashed"},
    {"message": "model crashed", "status": 500},
    {"message": "model crashed", "status_code": "503"},
]
NO_ERRORS = [{"code": 0, "message": "ok"}, {"status": "queued", "message": "wait"}, {"error_code": 0}, {"errors": []}]


def frame(endpoint: Endpoint, value: object) -> bytes:
    return line(value) if endpoint.dialect is OLLAMA else sse(value)


@pytest.mark.parametrize("error", ERRORS)
async def test_an_error_of_any_form_among_the_events_ends_the_answer_as_a_failure(endpoint, error):
    end = endpoint.dialect.ended(endpoint.dialect.stop)
    endpoint.says(endpoint.dialect.delta(BEGINNING), frame(endpoint, error), sse("[DONE]"), end)
    with pytest.raises(ProviderError) as caught:
        await endpoint.hear()
    assert "model crashed" in caught.value.words


@pytest.mark.parametrize("odd", NO_ERRORS)
async def test_fields_that_state_no_error_end_nothing(endpoint, odd):
    end = endpoint.dialect.ended(endpoint.dialect.stop)
    endpoint.says(endpoint.dialect.delta("Hel"), frame(endpoint, odd), endpoint.dialect.delta("lo"), end)
    assert (await endpoint.hear()).text == "Hello"


@pytest.mark.parametrize("data", ['{"message": "model crashed"}', "model crashed", '"model crashed"'])
async def test_an_event_with_the_name_of_an_error_is_one(endpoint, data):
    if endpoint.dialect is OLLAMA:
        pytest.skip("its lines have no names")
    end = endpoint.dialect.ended(endpoint.dialect.stop)
    endpoint.says(endpoint.dialect.delta(BEGINNING), f"event: error\ndata: {data}\n\n".encode(), sse("[DONE]"), end)
    with pytest.raises(EndpointUnavailable) as caught:
        await endpoint.hear()
    assert "model crashed" in caught.value.words


@pytest.fixture
def chat() -> Endpoint:
    return Endpoint(OPENAI_CHAT, target_of(OPENAI_CHAT))


def choice(delta: object, **more: object) -> bytes:
    return sse({"choices": [{"index": 0, "delta": delta, **more}]})


@pytest.mark.parametrize("reason", [None, "stop", "error"])
async def test_an_error_within_a_choice_is_one_also_beside_a_reason(chat, reason):
    error = {"code": 502, "message": "model crashed"}
    chat.says(OPENAI_CHAT.delta(BEGINNING), choice({}, finish_reason=reason, error=error), sse("[DONE]"))
    with pytest.raises(EndpointUnavailable, match="model crashed"):
        await chat.hear()


@pytest.mark.parametrize("empty", [None, "", 0, False])
async def test_an_end_without_a_reason_is_a_cut_where_the_field_of_the_reason_was_sent(chat, empty):
    for end in (sse("[DONE]"), b""):
        chat.says(choice({"content": BEGINNING}, finish_reason=empty), end, Content_Length="9")
        with pytest.raises(BadReply, match="without") as caught:
            await chat.hear()
        assert caught.value.fault == "cut_short"


async def test_an_end_without_a_reason_is_a_stop_where_no_reason_is_ever_stated(chat):
    chat.says(choice({"content": "Hel"}), choice({"content": "lo"}), sse("[DONE]"))
    heard = await chat.hear()
    assert (heard.text, heard.finish) == ("Hello", Finish.STOP)


CUTS = [
    (ANTHROPIC, sse({"type": "message_start", "message": {"stop_reason": None}}), sse({"type": "message_stop"})),
    (ANTHROPIC, b"", sse({"type": "message_delta", "delta": {"stop_reason": None}}) + sse({"type": "message_stop"})),
    (GEMINI, sse({"candidates": [{"finishReason": "FINISH_REASON_UNSPECIFIED"}]}), b""),
    (OLLAMA, b"", b""),
    (OPENAI_RESPONSES, sse({"type": "response.created", "response": {"status": "in_progress"}}), b""),
]


@pytest.mark.parametrize(("dialect", "beginning", "end"), CUTS)
async def test_an_answer_whose_server_would_state_a_reason_is_cut_without_one(dialect, beginning, end):
    endpoint = Endpoint(dialect, target_of(dialect))
    endpoint.says(beginning, dialect.delta(BEGINNING), end, Content_Length="9")
    with pytest.raises(BadReply) as caught:
        await endpoint.hear()
    assert caught.value.fault == "cut_short"


@pytest.mark.parametrize("reason", [["stop"], {"type": "stop"}, 1, True])
async def test_a_reason_that_is_no_text_is_unknown(chat, reason):
    chat.says(OPENAI_CHAT.delta(BEGINNING), choice({}, finish_reason=reason), sse("[DONE]"))
    with pytest.raises(UnknownFinish):
        await chat.hear()


@pytest.mark.parametrize("spelling", ["top", "native"])
async def test_a_reason_beside_the_usual_field_counts(chat, spelling):
    delta = {"index": 0, "delta": {}}
    native = {**delta, "finish_reason": "stop", "native_finish_reason": "MAX_TOKENS"}
    event = {"finish_reason": "length", "choices": [delta]} if spelling == "top" else {"choices": [native]}
    chat.says(OPENAI_CHAT.delta(BEGINNING), sse(event), sse("[DONE]"))
    assert (await chat.hear()).finish is Finish.LENGTH
