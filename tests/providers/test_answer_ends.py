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


@pytest.mark.parametrize("blank", ["", {}, []])
async def test_an_error_without_a_word_is_one_where_no_reason_is_stated_either(endpoint, blank):
    endpoint.says(endpoint.dialect.bare(BEGINNING), frame(endpoint, {"error": blank}), sse("[DONE]"))
    with pytest.raises(EndpointUnavailable):
        await endpoint.hear()


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
async def test_a_reason_that_is_no_text_is_unknown(endpoint, reason):
    endpoint.says(endpoint.dialect.delta(BEGINNING), endpoint.dialect.ended(reason))
    with pytest.raises(UnknownFinish):
        await endpoint.hear()


@pytest.mark.parametrize("spelling", ["top", "native"])
async def test_a_reason_beside_the_usual_field_counts(chat, spelling):
    delta = {"index": 0, "delta": {}}
    native = {**delta, "finish_reason": "stop", "native_finish_reason": "MAX_TOKENS"}
    event = {"finish_reason": "length", "choices": [delta]} if spelling == "top" else {"choices": [native]}
    chat.says(OPENAI_CHAT.delta(BEGINNING), sse(event), sse("[DONE]"))
    assert (await chat.hear()).finish is Finish.LENGTH


async def test_text_before_a_tool_call_is_no_whole_answer(endpoint):
    endpoint.says(endpoint.dialect.delta("Let me look."), endpoint.dialect.called)
    with pytest.raises(ProviderError) as caught:
        await endpoint.hear()
    assert caught.value.fault == "tool_call"


def typed(kind: str, **fields: object) -> bytes:
    return sse({"type": kind, **fields})


async def test_text_after_a_call_of_the_servers_own_tool_is_the_answer():
    anthropic = Endpoint(ANTHROPIC, target_of(ANTHROPIC))
    search = typed("content_block_start", content_block={"type": "server_tool_use", "name": "web_search"})
    anthropic.says(ANTHROPIC.delta("Let me look. "), search, ANTHROPIC.answer("Found."))
    assert (await anthropic.hear()).text == "Let me look. Found."


@pytest.mark.parametrize("reason", ["tool_use", "pause_turn"])
async def test_a_turn_that_waits_for_a_tool_is_no_whole_answer(reason):
    anthropic = Endpoint(ANTHROPIC, target_of(ANTHROPIC))
    anthropic.says(ANTHROPIC.delta("Let me look."), ANTHROPIC.ended(reason))
    with pytest.raises(EndpointUnavailable) as caught:
        await anthropic.hear()
    assert caught.value.fault == "tool_call"


@pytest.mark.parametrize("reason", ["load", "unload"])
async def test_a_model_that_was_only_loaded_has_not_answered(reason):
    ollama = Endpoint(OLLAMA, target_of(OLLAMA))
    ollama.says(OLLAMA.delta(BEGINNING), OLLAMA.ended(reason))
    with pytest.raises(EndpointUnavailable):
        await ollama.hear()


def completed(text: str = "", **response: object) -> bytes:
    output = [{"type": "message", "content": [{"type": "output_text", "text": text}]}]
    return typed("response.completed", response={"status": "completed", "output": output, **response})


@pytest.fixture
def responses() -> Endpoint:
    return Endpoint(OPENAI_RESPONSES, target_of(OPENAI_RESPONSES))


@pytest.mark.parametrize("status", ["failed", "cancelled", "in_progress", "queued"])
async def test_the_status_of_a_response_counts_more_than_the_name_of_its_event(responses, status):
    responses.says(OPENAI_RESPONSES.delta(BEGINNING), completed(status=status))
    with pytest.raises(EndpointUnavailable):
        await responses.hear()


DONE = typed("response.output_text.done", text="Hello you")


@pytest.mark.parametrize("texts", [(), ("Hel",), ("Hel", "lo you")])
@pytest.mark.parametrize("end", [DONE + completed(), completed("Hello you"), DONE + DONE + completed("Hello you")])
async def test_what_the_deltas_lack_is_taken_from_the_complete_text(responses, texts, end):
    responses.says(*map(OPENAI_RESPONSES.delta, texts), end)
    assert (await responses.hear()).text == "Hello you"


async def test_two_messages_are_one_answer(responses):
    whole = [{"type": "message", "content": [{"type": "output_text", "text": text}]} for text in ("One. ", "Two.")]
    ends = [typed("response.output_text.done", text=text) for text in ("One. ", "Two.")]
    responses.says(
        OPENAI_RESPONSES.delta("One. "), ends[0], OPENAI_RESPONSES.delta("Two."), ends[1], completed(output=whole)
    )
    assert (await responses.hear()).text == "One. Two."


async def test_deltas_that_lack_a_part_in_the_middle_are_no_whole_answer(responses):
    responses.says(*map(OPENAI_RESPONSES.delta, ("Hel", "you")), completed("Hello you"))
    with pytest.raises(BadReply) as caught:
        await responses.hear()
    assert caught.value.fault == "cut_short"


async def test_comments_on_the_work_are_no_part_of_the_answer(responses):
    comment = {"id": "c", "type": "message", "phase": "commentary"}
    answer = {"id": "a", "type": "message", "phase": "final_answer", "content": [{"type": "output_text", "text": "42"}]}
    said = {**comment, "content": [{"type": "output_text", "text": "I look it up."}]}
    responses.says(
        typed("response.output_item.added", item=comment),
        typed("response.output_text.delta", item_id="c", delta="I look it up."),
        typed("response.output_text.done", item_id="c", text="I look it up."),
        typed("response.output_item.added", item=answer),
        typed("response.output_text.delta", item_id="a", delta="42"),
        completed(output=[said, answer]),
    )
    assert (await responses.hear()).text == "42"


async def test_the_longest_answer_may_have_an_event_for_each_character(endpoint):
    letter = endpoint.dialect.delta("字") * 100
    hidden = endpoint.dialect.hidden("hm") * 100
    endpoint.says(*[hidden] * 100, *[letter] * 600, endpoint.dialect.ended(endpoint.dialect.stop))
    assert len((await endpoint.hear()).text) == 60_000


async def test_a_byte_order_mark_before_each_object_is_no_part_of_it(endpoint):
    wire = endpoint.dialect.delta("Hello") + endpoint.dialect.ended(endpoint.dialect.stop)
    endpoint.says(wire.replace(b"{", b"\xef\xbb\xbf{", 1).replace(b"\n{", b"\n\xef\xbb\xbf{"))
    assert (await endpoint.hear()).text == "Hello"


async def test_the_last_chunk_says_whether_a_reason_was_stated(endpoint):
    endpoint.says(endpoint.dialect.delta("Hello"), endpoint.dialect.ended(endpoint.dialect.stop))
    assert (await endpoint.hear()).chunks[-1].has_reason is True


async def test_an_end_mark_alone_states_no_reason(chat):
    chat.says(sse({"choices": [{"index": 0, "delta": {"content": "Hello"}}]}), sse("[DONE]"))
    assert (await chat.hear()).chunks[-1].has_reason is False
