"""The status determines the error's class; the text only identifies a context that is too long."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from arena_providers.errors import (
    BadCredentials,
    BadReply,
    ContextTooLong,
    EndpointUnavailable,
    RateLimitedUpstream,
    RequestRefused,
)
from arena_providers.refusals import error_in_stream, error_object, parse_retry_after, refusal

KEY = "key-0123456789"
NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (204, BadReply),
        (302, BadReply),
        (400, RequestRefused),
        (401, BadCredentials),
        (402, RequestRefused),
        (403, BadCredentials),
        (404, RequestRefused),
        (408, EndpointUnavailable),
        (413, ContextTooLong),
        (422, RequestRefused),
        (429, RateLimitedUpstream),
        (500, EndpointUnavailable),
        (503, EndpointUnavailable),
        (529, EndpointUnavailable),
    ],
)
def test_the_status_decides_the_kind_of_a_refusal(status, kind):
    assert type(refusal(status, "whatever it says")) is kind


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        '{"error":{"code":"context_length_exceeded"}}',
        "request (12029 tokens) exceeds the available context size (8192 tokens), try increasing it",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
        "Please reduce the length of the messages or completion.",
        "Range of input length should be [1, 30720]",
        "输入长度超过模型上限",
        "Prompt 超长",
    ],
)
def test_a_bad_request_about_the_length_is_a_context_too_long(words):
    assert type(refusal(400, words)) is ContextTooLong
    assert type(refusal(401, words)) is BadCredentials
    assert type(refusal(500, words)) is EndpointUnavailable


@pytest.mark.parametrize(
    "words",
    [
        "max_tokens is too large: 100000. This endpoint supports at most 4096 completion tokens.",
        "Unrecognized request argument supplied: top_q",
        "The model `x` does not exist",
        "",
    ],
)
def test_another_bad_request_is_a_refusal(words):
    assert type(refusal(400, words)) is RequestRefused


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        (" 1.5 ", 1.5),
        ("0", 0.0),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30.0),
        ("Thursday, 01-Jan-26 12:00:30 GMT", 30.0),
        ("Thu, 01 Jan 2026 14:00:30 +0200", 30.0),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0.0),
        (None, None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("inf", None),
        ("nan", None),
        ("1e9", None),
        ("9" * 400, None),
        ("Thu, 99 Foo 2026 12:00:30 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value, seconds):
    assert parse_retry_after(value, NOW) == seconds


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (429, '{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}'),
        (403, '{"error":{"code":"insufficient_user_quota","message":"用户额度不足"}}'),
        (400, '{"type":"error","error":{"message":"Your credit balance is too low to access the API"}}'),
        (400, '{"code":"Arrearage","message":"Access denied, please make sure your account is in good standing."}'),
        (429, '{"error":{"message":"余额不足或无可用资源包,请充值。"}}'),
        (402, "Insufficient Balance"),
    ],
)
def test_an_account_without_credit_is_no_rate_limit(status, words):
    error = refusal(status, words)
    assert (type(error), error.fault) == (RequestRefused, "no_credit")


@pytest.mark.parametrize("words", ["Rate limit reached for requests per min", "Quota exceeded for requests per minute"])
def test_a_quota_per_minute_is_a_rate_limit(words):
    assert type(refusal(429, words)) is RateLimitedUpstream


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"error":{"message":"No such model: m-1","type":"x"}}', "No such model: m-1"),
        ('{"detail":"Not authenticated"}', "Not authenticated"),
        ('{"message":"a \\"b\\"\\nc\\u202ed"}', 'a "b" c d'),
        ("plain words", "plain words"),
        ('{"message":""}', '{"message":""}'),
        ('{"error":{"message":"key sk-abcdefghijklmnop of Bearer abc.def"}}', "key [key] of [key]"),
        ("x" * 999, "x" * 300),
        ('{"error":{"message":"' + "x" * 999, "x" * 300),
        ('{"error":{"message":"so \\u00e9t\\u00e', "so ét"),
        ('{"error":{"message":"so \\\\u00', "so \\u00"),
        (
            "<html>\n<head><title>502</title><style>p{}</style></head><h1>502 Bad&nbsp;Gateway</h1>nginx",
            "502 Bad Gateway nginx",
        ),
        (
            "<!DOCTYPE HTML> <html><p>Error code: 401</p> <p>Unauthorized.</p>",
            "Error code: 401 Unauthorized.",
        ),
        ("<html><body>No key <a href='/si", "No key"),
        ("<html><head><script>if (1 < 2) ask()", "<html><head><script>if (1 < 2) ask()"),
    ],
)
@pytest.mark.parametrize("status", [400, 401, 404, 413, 429, 500])
def test_the_servers_own_sentence_is_kept_in_one_short_line(status, text, words):
    assert refusal(status, text).words == words


def test_a_rejected_field_is_named_in_the_quotation():
    detail = {"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}
    for body in ({"detail": [detail]}, {"object": "error", "message": {"detail": [detail]}, "type": "invalid_request"}):
        assert "stream_options" in refusal(422, json.dumps(body)).words


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"code": "InvalidApiKey", "message": "Invalid API-key provided."}, BadCredentials),
        ({"code": "Throttling.RateQuota", "message": "slow"}, EndpointUnavailable),
        ({"error": {"code": "InvalidApiKey", "message": "no"}}, BadCredentials),
        ({"error": "broken"}, EndpointUnavailable),
        ({"error": ""}, EndpointUnavailable),
        ({"error": {}, "code": 401}, BadCredentials),
        ({"error": [], "type": "x"}, EndpointUnavailable),
        ({"error": None}, None),
        ({"error": False}, None),
        ({"error": "", "usage": {}}, None),
        ({"code": 401, "message": "no"}, BadCredentials),
        ({"code": "Success", "message": "fine"}, None),
        ({"message": "hello"}, None),
        ({"id": "x", "choices": []}, None),
    ],
)
def test_an_error_with_status_200_is_told_by_its_code(body, kind):
    error = error_object(body)
    assert (error is None) if kind is None else type(error_in_stream(error, None)) is kind


def test_the_words_of_an_error_in_the_stream_are_its_message():
    error = error_in_stream({"code": 502, "message": f"Provider returned error\n{KEY}", "type": "x"}, KEY)
    assert (type(error), error.words) == (EndpointUnavailable, "Provider returned error [key]")
