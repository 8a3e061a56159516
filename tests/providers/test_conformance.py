"""Conformance of every dialect in `DIALECTS`: its behaviour with valid, odd and hostile answers."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import logging
import traceback

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.adapters.store.tables.conversations import ReplyRow
from arena_providers import answer_stream
from arena_providers.answer_reader import EVENT_COUNT, FRAME_LIMIT, UNSHOWN_LIMIT
from arena_providers.base import Chunk, Usage
from arena_providers.deadlines import TimeLimits
from arena_providers.errors import (
    BadCredentials,
    BadReply,
    ContextTooLong,
    EndpointUnavailable,
    ProviderError,
    RateLimitedUpstream,
    RequestRefused,
    TimedOut,
    UnknownFinish,
)
from arena_providers.terms import Finish, Message, Role
from arena_providers.transport.sse import LINE_LIMIT
from tests.providers.conftest import KEY, Endpoint, target_of
from tests.providers.dialects import DIALECTS

REPLY_ERROR_LENGTH = ReplyRow.__table__.c.error.type.length  # pyright: ignore[reportAttributeAccessIssue]
TEXT = "Grüße, 汉字 and 🙂\u2028\u0085 end"


async def test_an_answer_arrives_with_finish_and_usage(endpoint):
    endpoint.says(endpoint.dialect.answer("Hel", "lo"))
    heard = await endpoint.hear()
    assert [chunk.text for chunk in heard.chunks] == ["Hello", ""]
    assert (heard.finish, heard.usage) == (Finish.STOP, Usage(7, 3))


async def test_text_cut_in_the_middle_of_characters_arrives_whole(endpoint):
    stream = endpoint.dialect.answer(*TEXT)
    endpoint.says(*(stream[i : i + 1] for i in range(len(stream))))
    assert (await endpoint.hear()).text == TEXT


async def test_each_piece_leaves_as_soon_as_it_has_arrived(endpoint):
    endpoint.says(endpoint.dialect.delta("now"), 30.0)
    with pytest.raises(TimedOut, match="between tokens"):
        await endpoint.hear(limits=TimeLimits(first_token=1, between_tokens=0.1))


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (301, BadReply),
        (400, RequestRefused),
        (401, BadCredentials),
        (403, BadCredentials),
        (404, RequestRefused),
        (413, ContextTooLong),
        (429, RateLimitedUpstream),
        (500, EndpointUnavailable),
        (502, EndpointUnavailable),
        (529, EndpointUnavailable),
    ],
)
async def test_the_status_decides_the_error(endpoint, status, error):
    body = endpoint.says(b'{"error": {"message": "no"}}', status=status, Content_Type="application/json")
    with pytest.raises(error) as caught:
        await endpoint.hear()
    assert type(caught.value) is error
    assert str(status) in str(caught.value)
    assert body.closed


async def test_a_context_that_is_too_long_is_told_from_other_bad_requests(endpoint):
    endpoint.says(b"This endpoint's maximum context length is 512 tokens", status=400)
    with pytest.raises(ContextTooLong):
        await endpoint.hear()


@pytest.mark.parametrize(("value", "seconds"), [("12", 12.0), ("tomorrow", None)])
async def test_a_rate_limit_carries_its_retry_after(endpoint, value, seconds):
    endpoint.says(b"slow down", status=429, Retry_After=value)
    with pytest.raises(RateLimitedUpstream) as caught:
        await endpoint.hear()
    assert caught.value.retry_after == seconds


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_never_followed(endpoint, status):
    endpoint.says(status=status, Location="https://elsewhere.test/")
    with pytest.raises(BadReply):
        await endpoint.hear()
    assert [str(request.url.host) for request in endpoint.asked] == ["model.test"]


@pytest.mark.parametrize(("status", "error"), [(200, BadReply), (502, EndpointUnavailable)])
async def test_a_web_page_is_no_answer(endpoint, status, error):
    endpoint.says(b"<html><h1>Welcome</h1></html>", status=status, Content_Type="text/html; charset=utf-8")
    with pytest.raises(error):
        await endpoint.hear()


async def test_an_answer_in_endless_events_ends_at_the_limit_and_one_just_within_is_whole(endpoint):
    hidden, text = endpoint.dialect.hidden("hm"), endpoint.dialect.delta("Hi")
    each = 1 if endpoint.dialect.media_type == "application/x-ndjson" else hidden.count(b"\n\n")
    endpoint.says(
        text, *[hidden * 100] * (EVENT_COUNT // each // 100 - 1), endpoint.dialect.ended(endpoint.dialect.stop)
    )
    assert (await endpoint.hear()).text == "Hi"
    body = endpoint.says(text, *[hidden * 100] * (EVENT_COUNT // each // 100 + 1), text)
    with pytest.raises(BadReply, match=f"more than {EVENT_COUNT} events"):
        await endpoint.hear()
    assert body.closed


async def test_a_web_page_that_claims_to_be_a_stream_is_no_answer(endpoint):
    endpoint.says(b"<html>\n\n<h1>data: x</h1>\n\n</html>")
    with pytest.raises(BadReply):
        await endpoint.hear()


async def test_a_connection_cut_in_the_middle_is_an_unavailable_endpoint(endpoint):
    body = endpoint.says(endpoint.dialect.delta("half"), httpx2.ReadError("reset by peer"))
    with pytest.raises(EndpointUnavailable, match="reset by peer"):
        await endpoint.hear()
    assert body.closed


async def test_a_stream_that_just_ends_is_a_bad_reply_unless_http_states_its_end(endpoint):
    endpoint.says(endpoint.dialect.delta("half"))
    with pytest.raises(BadReply) as caught:
        await endpoint.hear()
    assert caught.value.fault == "cut_short"
    endpoint.says(endpoint.dialect.bare("whole"), Transfer_Encoding="chunked")
    assert (await endpoint.hear()).finish is Finish.STOP


async def test_an_empty_stream_whose_end_http_states_is_no_answer(endpoint):
    endpoint.says(endpoint.dialect.hidden("hm"), Transfer_Encoding="chunked")
    with pytest.raises(BadReply) as caught:
        await endpoint.hear()
    assert caught.value.fault == "cut_short"


async def test_text_after_a_finish_reason_belongs_to_the_answer(endpoint):
    dialect = endpoint.dialect
    endpoint.says(
        *(dialect.closing(text, dialect.stop) for text in ("Seventeen ", "plus 25 ", "is 42.")),
        dialect.ended(dialect.stop),
    )
    heard = await endpoint.hear()
    assert (heard.text, heard.finish) == ("Seventeen plus 25 is 42.", Finish.STOP)


async def test_a_finish_reason_before_all_text_ends_nothing(endpoint):
    dialect = endpoint.dialect
    opening = dialect.closing("", dialect.stop)
    endpoint.says(opening, dialect.hidden("hm"), opening, dialect.delta("42"), dialect.ended(dialect.length))
    heard = await endpoint.hear()
    assert (heard.text, heard.finish) == ("42", Finish.LENGTH)


async def test_the_last_finish_reason_counts(endpoint):
    dialect = endpoint.dialect
    endpoint.says(
        dialect.closing("Well", dialect.length), dialect.closing(", yes", dialect.length), dialect.ended(dialect.stop)
    )
    assert (await endpoint.hear()).finish is Finish.STOP
    endpoint.says(dialect.closing("Well", dialect.stop), dialect.delta(", no"), dialect.ended(dialect.length))
    assert (await endpoint.hear()).finish is Finish.LENGTH


@pytest.mark.parametrize("failure", [httpx2.ReadError("reset by peer"), None])
async def test_a_cut_after_a_reason_that_was_not_the_end_is_no_whole_answer(endpoint, failure):
    dialect = endpoint.dialect
    endpoint.says(
        dialect.closing("Well", dialect.stop), dialect.delta(", no"), *([failure] if failure else [b"data: {"])
    )
    with pytest.raises(ProviderError):
        await endpoint.hear()


DOUBTFUL_PAUSE = 0.15


async def test_text_is_waited_for_longer_where_a_reason_came_too_early(endpoint, monkeypatch):
    monkeypatch.setattr(answer_stream, "TAIL_SECONDS", 0.01)
    dialect = endpoint.dialect
    endpoint.says(
        dialect.closing("Well", dialect.stop),
        DOUBTFUL_PAUSE,
        dialect.closing(", yes", dialect.stop),
        DOUBTFUL_PAUSE,
        dialect.delta("."),
        dialect.ended(dialect.stop),
    )
    assert (await endpoint.hear()).text == "Well, yes."


@settings(max_examples=100)
@given(
    events=st.lists(
        st.tuples(st.sampled_from(["delta", "closing", "hidden", "empty"]), st.text("ab 汉🙂", max_size=4)), max_size=12
    ),
    lengths=st.lists(st.booleans(), min_size=12, max_size=12),
    draw=st.data(),
)
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
async def test_all_text_is_kept_wherever_reasons_stand_and_the_last_one_counts(dialect, events, lengths, draw):
    """Reasons before, beside, between and behind texts, in every chunking."""
    stream, text = b"", "x"
    for (kind, piece), length in zip(events, lengths, strict=False):
        reason = dialect.length if length else dialect.stop
        if kind == "hidden":
            stream += dialect.hidden(piece)
        elif kind == "delta":
            stream += dialect.delta(piece)
        else:
            stream += dialect.closing(piece if kind == "closing" else "", reason)
        text += piece if kind in {"delta", "closing"} else ""
    stream = dialect.delta("x") + stream + dialect.ended(dialect.length)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(stream)), max_size=9)))
    endpoint = Endpoint(dialect, target_of(dialect))
    endpoint.says(*(stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)))
    heard = await endpoint.hear()
    assert (heard.text, heard.finish) == (text, Finish.LENGTH)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"code": "InvalidApiKey", "message": "Invalid API-key provided."}, BadCredentials),
        ({"error": {"code": "invalid_api_key", "message": "Invalid API-key provided."}}, BadCredentials),
        ({"object": "error", "message": "Invalid API-key provided.", "code": 401}, BadCredentials),
        ({"code": "Arrearage", "message": "Invalid API-key provided."}, RequestRefused),
    ],
)
@pytest.mark.parametrize("media_type", ["application/json", None])
async def test_an_error_with_status_200_is_an_error_with_the_servers_words(endpoint, body, error, media_type):
    wire = json.dumps(body).encode()
    framed = wire if media_type or endpoint.dialect.name == "ollama" else b"data: " + wire + b"\n\n"
    endpoint.says(framed, Content_Type=media_type or endpoint.dialect.media_type)
    with pytest.raises(error) as caught:
        await endpoint.hear()
    assert caught.value.words == "Invalid API-key provided."


def spellings():
    return [
        pytest.param(dialect, reason, finish, id=f"{dialect.name} {reason}")
        for dialect in DIALECTS
        for reason, finish in dialect.reasons.items()
    ]


@pytest.mark.parametrize(("dialect", "reason", "finish"), spellings())
async def test_every_reason_of_a_dialect_has_one_meaning(dialect, reason, finish):
    endpoint = Endpoint(dialect, target_of(dialect))
    endpoint.says(dialect.delta("Well"), dialect.ended(reason))
    if finish is None:
        with pytest.raises(EndpointUnavailable, match=reason) as caught:
            await endpoint.hear()
        assert caught.value.words == reason
    else:
        assert (await endpoint.hear()).finish is finish


@pytest.mark.parametrize("reason", ["brand_new", "STOPPED BY QUOTA", "новое", "x" * 500, "a\x00b\ud800", "stop2"])
@pytest.mark.parametrize("texts", [("Well",), ()])
async def test_an_unknown_reason_is_no_plain_stop_and_is_quoted(endpoint, reason, texts):
    dialect = endpoint.dialect
    end = dialect.ended("MARK").replace(b"MARK", json.dumps(reason)[1:-1].encode())
    endpoint.says(*map(dialect.delta, texts), end)
    with pytest.raises(UnknownFinish) as caught:
        await endpoint.hear()
    error = caught.value
    assert error.word.isascii()
    assert error.word.isprintable()
    assert (error.kind, error.fault) == (f"unknown_finish:{error.word}", "unknown_finish")
    assert len(error.kind) <= REPLY_ERROR_LENGTH
    assert UnknownFinish.kind == "unknown_finish"


async def test_a_last_event_without_its_line_end_is_read(endpoint):
    dialect = endpoint.dialect
    whole = dialect.answer("4", "2")
    for end in (whole.rstrip(b"\n"), whole.rstrip(b"\n") + b"\n"):
        endpoint.says(end)
        heard = await endpoint.hear()
        assert (heard.text, heard.finish) == ("42", Finish.STOP)


async def test_a_last_event_without_its_line_end_is_read_also_where_the_connection_breaks(endpoint):
    dialect = endpoint.dialect
    whole = dialect.answer("4", "2").rstrip(b"\n")
    endpoint.says(whole, httpx2.ReadError("reset by peer"))
    heard = await endpoint.hear()
    assert (heard.text, heard.finish) == ("42", Finish.STOP)
    last = dialect.ended(dialect.stop).rstrip(b"\n").rpartition(b"\n")[2]
    for length in range(1, len(last), 3):
        endpoint.says(dialect.delta("4"), last[:length], httpx2.ReadError("reset by peer"))
        with pytest.raises(EndpointUnavailable):
            await endpoint.hear()


async def test_a_last_event_that_is_cut_is_a_fault_however_http_ends(endpoint):
    dialect = endpoint.dialect
    last = dialect.delta("2").rstrip(b"\n")
    start = last.index(b"{") + 1
    for length in range(start, len(last) - 1, 3):
        endpoint.says(dialect.delta("4"), last[:length], Transfer_Encoding="chunked")
        with pytest.raises(BadReply) as caught:
            await endpoint.hear()
        assert caught.value.fault == "cut_short"


@pytest.mark.parametrize("texts", [(), ("",), (" ", "\n")])
async def test_an_answer_without_text_is_a_bad_reply(endpoint, texts):
    endpoint.says(endpoint.dialect.answer(*texts))
    with pytest.raises(BadReply, match="no text"):
        await endpoint.hear()


async def test_nothing_at_all_is_a_bad_reply(endpoint):
    endpoint.says()
    with pytest.raises(BadReply):
        await endpoint.hear()


async def test_hidden_reasoning_is_never_shown(endpoint):
    dialect = endpoint.dialect
    endpoint.says(dialect.hidden("let me think"), dialect.delta("42"), dialect.ended(dialect.stop))
    heard = await endpoint.hear()
    assert heard.text == "42"
    assert not any(chunk.reasoning for chunk in heard.chunks[:-1])
    assert "let me think" in heard.chunks[-1].reasoning


async def test_reasoning_between_tags_in_the_text_is_never_shown(endpoint):
    dialect = endpoint.dialect
    endpoint.says(
        *map(dialect.delta, ["\n<th", "ink>let me", " think</thi", "nk>\n\n", "42"]), dialect.ended(dialect.stop)
    )
    heard = await endpoint.hear()
    assert (heard.text, heard.chunks[-1].reasoning) == ("42", "let me think")


async def test_reasoning_alone_is_no_answer(endpoint):
    dialect = endpoint.dialect
    endpoint.says(dialect.hidden("let me think"), dialect.ended(dialect.length))
    with pytest.raises(BadReply, match="length"):
        await endpoint.hear()


async def test_an_answer_cut_at_its_length_says_so(endpoint):
    endpoint.says(endpoint.dialect.delta("long"), endpoint.dialect.ended(endpoint.dialect.length))
    assert (await endpoint.hear()).finish is Finish.LENGTH


def ended_by_a_filter(dialect) -> bytes:
    if dialect.filtered is None:
        pytest.skip("this dialect has no word for a content filter")
    return dialect.ended(dialect.filtered)


async def test_a_filter_before_the_first_token_is_a_refusal(endpoint):
    endpoint.says(ended_by_a_filter(endpoint.dialect))
    with pytest.raises(RequestRefused):
        await endpoint.hear()


async def test_a_filter_in_the_middle_keeps_what_was_said(endpoint):
    endpoint.says(endpoint.dialect.delta("Well"), ended_by_a_filter(endpoint.dialect))
    heard = await endpoint.hear()
    assert (heard.text, heard.finish) == ("Well", Finish.FILTER)


@pytest.mark.parametrize(
    ("code", "error"), [(401, BadCredentials), (429, RateLimitedUpstream), (503, EndpointUnavailable)]
)
async def test_an_error_inside_the_stream_has_the_class_of_its_status(endpoint, code, error):
    endpoint.says(endpoint.dialect.delta("half"), endpoint.dialect.error(f"sorry {KEY}", code))
    expected = error if endpoint.dialect.statuses_in_stream else EndpointUnavailable
    with pytest.raises(expected) as caught:
        await endpoint.hear()
    assert type(caught.value) is expected
    assert "sorry" in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", "gzip, gzip", "x-unknown"])
async def test_a_compressed_answer_is_refused_unread(endpoint, encoding):
    body = endpoint.says(gzip.compress(endpoint.dialect.answer("bomb")), Content_Encoding=encoding)
    with pytest.raises(BadReply, match="compressed"):
        await endpoint.hear()
    assert (body.sent, body.closed) == (0, True)


async def test_a_compressed_error_keeps_its_class_and_stays_unread(endpoint):
    body = endpoint.says(gzip.compress(b"no"), status=429, Content_Encoding="gzip")
    with pytest.raises(RateLimitedUpstream):
        await endpoint.hear()
    assert body.sent == 0


async def test_an_event_above_its_limit_is_a_bad_reply_that_names_the_limit(endpoint):
    body = endpoint.says(endpoint.dialect.delta("a"), *[b"x" * 10_000] * 200)
    with pytest.raises(BadReply, match="larger than 1 MiB") as caught:
        await endpoint.hear()
    assert caught.value.fault == "event_too_large"
    assert body.sent < LINE_LIMIT + 20_000
    assert body.closed


@pytest.mark.parametrize("size", [90_000, LINE_LIMIT - 1000])
async def test_large_fields_that_are_never_shown_harm_no_answer(endpoint, size):
    dialect = endpoint.dialect
    bulky = dialect.bulky("A" * size)
    endpoint.says(bulky, dialect.delta("4"), bulky, dialect.delta("2"), dialect.ended(dialect.stop), bulky)
    assert (await endpoint.hear()).text == "42"


async def test_large_fields_that_are_never_shown_have_a_limit_in_all(endpoint):
    bulky = endpoint.dialect.bulky("A" * 500_000)
    body = endpoint.says(endpoint.dialect.delta("42"), *[bulky] * 12)
    with pytest.raises(BadReply, match="4 MiB") as caught:
        await endpoint.hear()
    assert caught.value.fault == "unshown_too_large"
    assert body.sent < UNSHOWN_LIMIT + 600_000
    assert body.closed


async def test_large_fields_that_are_never_shown_are_a_sign_of_life(endpoint, monkeypatch):
    monkeypatch.setattr(answer_stream, "LIFE_SECONDS", 0)
    dialect = endpoint.dialect
    for size, signs in ((FRAME_LIMIT // 2, 0), (900_000, 4)):
        endpoint.says(dialect.delta("4"), *[dialect.bulky("A" * size)] * 4, dialect.ended(dialect.stop))
        heard = await endpoint.hear()
        assert (heard.text, heard.chunks.count(Chunk())) == ("4", signs)


async def test_an_endless_answer_is_a_bad_reply(endpoint):
    body = endpoint.says(*itertools.repeat(endpoint.dialect.delta("more "), 100_000))
    with pytest.raises(BadReply, match="longer"):
        await endpoint.hear(raw_limit=50_000)
    assert body.sent < 51_000
    assert body.closed


async def test_endless_comments_are_a_bad_reply(endpoint):
    body = endpoint.says(*itertools.repeat(b": ping\n\n", 100_000))
    with pytest.raises(BadReply):
        await endpoint.hear(raw_limit=50_000)
    assert body.closed


@pytest.mark.parametrize(
    "junk", [b"data: {", b"data: []", b"data: 1", b'data: "x"', b"data: \xff", b"data: " + b"[" * 9000]
)
async def test_what_is_no_object_of_the_dialect_is_a_bad_reply(endpoint, junk):
    endpoint.says(endpoint.dialect.delta("a"), junk + b"\n\n", endpoint.dialect.ended(endpoint.dialect.stop))
    with pytest.raises(BadReply):
        await endpoint.hear()


async def test_a_cancelled_reader_closes_the_upstream(endpoint):
    body = endpoint.says(endpoint.dialect.delta("a"), 60.0)
    task = asyncio.create_task(endpoint.hear())
    while not body.sent:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert body.closed


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (httpx2.ConnectError("refused"), EndpointUnavailable),
        (httpx2.RemoteProtocolError("gone"), EndpointUnavailable),
        (httpx2.ConnectTimeout("late"), TimedOut),
        (httpx2.LocalProtocolError(f"bad header {KEY}"), RequestRefused),
    ],
)
async def test_a_request_that_does_not_get_through_has_its_own_error(endpoint, failure, error):
    endpoint.answer = failure
    with pytest.raises(error) as caught:
        await endpoint.hear()
    assert KEY not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("status", [200, 400, 401, 429, 500])
async def test_the_key_is_in_no_message_trace_or_log(endpoint, status, caplog):
    caplog.set_level(logging.DEBUG)
    words = f"Incorrect key {KEY}; you sent Bearer {KEY}".encode()
    endpoint.says(words, status=status, Content_Type="application/json", Retry_After=KEY)
    with pytest.raises(ProviderError) as caught:
        await endpoint.hear()
    told = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + repr(endpoint.target) + caplog.text
    assert KEY not in told


async def test_the_beginning_of_an_error_is_read_and_no_more(endpoint):
    body = endpoint.says(*[b"blah \x1b[31m\r\n" * 100] * 1000, status=500)
    with pytest.raises(EndpointUnavailable) as caught:
        await endpoint.hear()
    assert body.sent < 10_000
    assert len(str(caught.value)) < 600
    assert str(caught.value).isprintable()


async def test_an_error_that_never_ends_still_has_the_class_of_its_status(endpoint, monkeypatch):
    monkeypatch.setattr("arena_providers.transport.http_client._EXCERPT_SECONDS", 0.05)
    endpoint.says(b"wait", 60.0, status=401)
    with pytest.raises(BadCredentials, match="wait"):
        await endpoint.hear()


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=8), min_size=1, max_size=8),
    draw=st.data(),
)
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
async def test_the_text_is_equal_for_every_chunking(dialect, texts, draw):
    endpoint = Endpoint(dialect, target_of(dialect))
    stream = dialect.answer("x", *texts)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(stream)), max_size=20)))
    endpoint.says(*(stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)))
    heard = await endpoint.hear()
    assert (heard.text, heard.finish, heard.usage) == ("x" + "".join(texts), Finish.STOP, Usage(7, 3))


@settings(max_examples=150)
@given(noise=st.lists(st.one_of(st.binary(max_size=40), st.just(b"\n\n"), st.just(b"data: {}")), max_size=20))
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
async def test_noise_ends_in_a_provider_error(dialect, noise):
    endpoint = Endpoint(dialect, target_of(dialect))
    endpoint.says(*noise)
    with pytest.raises(ProviderError):
        await endpoint.hear()


async def test_half_a_character_in_the_prompt_does_not_stop_the_request(endpoint):
    endpoint.says(endpoint.dialect.answer("ok"))
    assert (await endpoint.hear([Message(Role.USER, "\ud83d and \U0001f600")])).text == "ok"
    assert "\U0001f600".encode() in endpoint.asked[0].content
