"""The JSON of events, as servers write it."""

from __future__ import annotations

import pytest

from arena_providers.answer import CONTAINER_LIMIT, parse
from arena_providers.errors import BadReply


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"content": "caf\u00e9 \U0001f600"}', {"content": "café 😀"}),
        ('{"content": "\\ud83d\\ude00"}', {"content": "😀"}),
        ('{"content": "\\ud83d"}', {"content": "\ud83d"}),
        ('{"logprob": -Infinity}', {"logprob": float("-inf")}),
        ('{"n": 1, "n": 2}', {"n": 2}),
    ],
)
def test_an_event_is_read_also_where_its_json_is_not_strict(text, value):
    assert parse(text) == value


@pytest.mark.parametrize("text", ["", "{", "[1]", "1", "null", '{"a": 1} x', "[" * 60_000, '{"a":' * 10_000])
def test_what_is_no_json_object_is_a_bad_reply(text):
    with pytest.raises(BadReply, match="not a JSON object"):
        parse(text)


@pytest.mark.parametrize("part", ["{},", "[],", '{"b":1},', "[[[]]],"])
def test_an_event_of_very_many_objects_is_not_read(part):
    assert parse('{"a":[' + part * (CONTAINER_LIMIT // 5) + "1]}")["a"]
    with pytest.raises(BadReply) as caught:
        parse('{"a":[' + part * (CONTAINER_LIMIT + 1) + "1]}")
    assert caught.value.fault == "event_too_large"
