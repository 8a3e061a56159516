"""JSON must be UTF-8 with the right types, and a prompt must have visible text."""

from __future__ import annotations

import json

import pytest

TYPE = {"Content-Type": "application/json"}
BODY = json.dumps({"prompt": "Hello"})


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
async def test_other_encodings_than_utf8_are_refused_by_name(client, coding):
    refused = await client.post("/api/v1/battles", content=BODY.encode(coding), headers=TYPE)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert refused.json()["params"] == {"rule": "utf8"}


@pytest.mark.parametrize("body", [b'{"prompt": "\xff"}', b'{"prompt": "\xed\xa0\x80"}', b'{"prompt": "\xc0\x80"}'])
async def test_bytes_that_are_no_utf8_are_refused(client, body):
    refused = await client.post("/api/v1/battles", content=body, headers=TYPE)
    assert (refused.status_code, refused.json()["params"]) == (422, {"rule": "utf8"})


@pytest.mark.parametrize(
    "sign",
    [
        "\u200b",
        "\u200d\u2060",
        "\u202e\u2066",
        "\ufe0f",
        "\U000e0101",
        "\u00a0",
        "\u3164",
        "\uffa0",
        "\u115f\u1160",
        "\u2800",
        "\ufeff",
        "\u00ad",
        "\u034f",
        "\U000e0041",
        "\u3000",
    ],
)
async def test_a_prompt_of_invisible_characters_is_empty(client, sign):
    body = json.dumps({"prompt": f" {sign * 3}\n"})
    refused = await client.post("/api/v1/battles", content=body, headers=TYPE)
    assert (refused.status_code, refused.json()["code"]) == (422, "prompt_empty")


@pytest.mark.parametrize("sign", ["\0", "a\0b", "\ud800", "\udfff\ud83d", "\\\ud83d", "\ud83d\\"])
async def test_a_text_that_no_database_takes_is_refused_by_name(client, sign):
    refused = await client.post("/api/v1/battles", content=json.dumps({"prompt": f"Hello {sign}"}), headers=TYPE)
    assert (refused.status_code, refused.json()["params"]) == (422, {"rule": "characters"})
    assert "cannot be stored" in refused.json()["detail"]


@pytest.mark.parametrize("prompt", ["?", "👩\u200d🚀", "\u202e你好", "é", "\u200bHello"])
async def test_a_prompt_with_something_to_see_is_asked(client, prompt):
    assert (await client.post("/api/v1/battles", json={"prompt": prompt})).status_code == 201


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/api/v1/battles", {"prompt": "Hello", "terms": True}, "terms"),
        ("/api/v1/battles", {"prompt": "Hello", "terms": "1"}, "terms"),
        ("/api/v1/battles/0/remarks", {"a": {"stars": {"accuracy": True}}}, "a.stars.accuracy"),
    ],
)
async def test_a_truth_value_or_a_text_is_no_number(client, path, body, field):
    refused = await client.post(path, json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert refused.json()["problems"] == [{"field": field, "rule": "type"}]
