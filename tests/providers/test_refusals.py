"""The status determines the error's class; the text only identifies a context that is too long."""

from __future__ import annotations

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
from arena_providers.refusals import parse_retry_after, refusal

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
def test_the_status_decides(status, kind):
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
