"""Every preset is consistent, and its quirks are applied to requests."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from arena.domain.blinding.identity import discloses_identity
from arena_providers.errors import BadCredentials, EndpointUnavailable, RateLimitedUpstream, RequestRefused
from arena_providers.presets import PRESETS, VendorPreset, for_url, preset_named
from arena_providers.registry import WIRE
from arena_providers.transport.egress import PUBLIC_ONLY
from tests.providers.conftest import KEY, Endpoint, target_of
from tests.providers.dialects import DIALECTS, OPENAI_CHAT, sse

VENDORS = [row for row in PRESETS if not row.local]
WANTED = {
    *("openai", "openai-responses", "anthropic", "google", "deepseek", "qwen", "zhipu", "moonshot", "minimax"),
    *("baichuan", "01ai", "doubao", "hunyuan", "ernie", "spark", "siliconflow", "openrouter", "mistral", "xai"),
    *("groq", "together", "vllm", "sglang", "llama.cpp", "lm-studio", "ollama", "tgi"),
}
each_row = pytest.mark.parametrize("row", PRESETS, ids=lambda row: row.name)
each_vendor = pytest.mark.parametrize("row", VENDORS, ids=lambda row: row.name)


def test_all_that_was_promised_is_there_under_names_of_their_own():
    names = [row.name for row in PRESETS]
    assert set(names) >= WANTED
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9.-]*", name) for name in names)


def test_no_two_vendors_share_dialect_and_host():
    assert len({(row.dialect, urlsplit(row.base_url).hostname) for row in VENDORS}) == len(VENDORS)


@each_row
def test_a_row_has_a_known_dialect_and_an_address_that_can_be_registered(row):
    parts = urlsplit(row.base_url)
    assert row.dialect in WIRE
    assert parts.hostname
    assert (parts.query, parts.fragment, parts.username) == ("", "", None)
    assert not row.base_url.endswith("/")
    assert row.local == (parts.scheme == "http") == (parts.hostname == "127.0.0.1")
    assert (PUBLIC_ONLY.objection(row.base_url) is None) == (not row.local)


@each_vendor
def test_a_vendor_has_a_key_and_aliases(row):
    assert re.fullmatch(r"[A-Z][A-Z0-9_]*_API_KEY", row.key_env)
    assert row.aliases
    assert len(set(row.aliases)) == len(row.aliases)


@each_vendor
def test_an_alias_gives_away_who_says_it_of_themselves_and_not_who_speaks_about_it(row):
    for alias in row.aliases:
        if alias.isascii():
            assert discloses_identity([f"I am {alias}, how can I help?"], [alias])
        assert discloses_identity([f"你好，我是{alias}。"], [alias])
        assert not discloses_identity([f"The history of {alias} is long. {alias}的历史很长。"], [alias])


CHINESE = {
    "qwen",
    "zhipu",
    "moonshot",
    "minimax",
    "deepseek",
    "baichuan",
    "01ai",
    "doubao",
    "hunyuan",
    "ernie",
    "spark",
}


@pytest.mark.parametrize("name", sorted(CHINESE))
def test_a_chinese_vendor_is_known_in_both_scripts(name):
    aliases = preset_named(name).aliases
    assert any(alias.isascii() for alias in aliases)
    assert any(not alias.isascii() for alias in aliases)


def test_there_is_no_preset_of_another_name():
    assert preset_named("openapi") is None


@pytest.mark.parametrize(
    ("url", "dialect", "name"),
    [
        ("https://api.openai.com/v1", "openai_chat", "openai"),
        ("https://API.OpenAI.com:443/v1/", "openai_chat", "openai"),
        ("https://api.openai.com/v1", "openai_responses", "openai-responses"),
        ("https://api.openai.com/v1", "ollama", None),
        ("https://api.openai.com.evil.example/v1", "openai_chat", None),
        ("http://127.0.0.1:8000/v1", "openai_chat", None),
        ("https://[broken", "openai_chat", None),
        ("", "demo", None),
    ],
)
def test_a_vendor_is_known_by_its_host_and_dialect(url, dialect, name):
    row = for_url(url, dialect)
    assert (row.name if row else None) == name


def at(row: VendorPreset | None) -> Endpoint:
    assert row
    dialect = next(each for each in DIALECTS if each.name == row.dialect)
    return Endpoint(dialect, replace(target_of(dialect), url=row.base_url, max_tokens=64))


@each_row
async def test_the_key_travels_in_the_rows_header_and_never_in_the_address(row):
    endpoint = at(row)
    endpoint.says(endpoint.dialect.answer("ok"))
    assert (await endpoint.hear()).text == "ok"
    (request,) = endpoint.asked
    assert request.headers[row.auth.name] == f"{row.auth.scheme} {KEY}".strip()
    assert KEY not in str(request.url)
    assert sum(KEY.encode() in value for _name, value in request.headers.raw) == 1


@pytest.mark.parametrize(
    ("name", "field", "usage"),
    [
        ("openai", "max_completion_tokens", True),
        ("groq", "max_completion_tokens", True),
        ("mistral", "max_tokens", False),
        ("deepseek", "max_tokens", True),
        ("vllm", "max_tokens", True),
    ],
)
async def test_a_vendors_quirks_shape_the_request(name, field, usage):
    endpoint = at(preset_named(name))
    endpoint.says(endpoint.dialect.answer("ok"))
    await endpoint.hear()
    sent = json.loads(endpoint.asked[0].content)
    assert {key: value for key, value in sent.items() if key.startswith("max_")} == {field: 64}
    assert ("stream_options" in sent) == usage


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (1002, RateLimitedUpstream),
        (1004, BadCredentials),
        (1027, RequestRefused),
        (1000, EndpointUnavailable),
        ("odd", EndpointUnavailable),
    ],
)
async def test_a_failure_within_a_200_is_typed_where_the_vendor_does_that(code, error):
    endpoint = at(preset_named("minimax"))
    endpoint.says(sse({"base_resp": {"status_code": code, "status_msg": f"no {KEY}"}}))
    with pytest.raises(error) as caught:
        await endpoint.hear()
    assert KEY not in str(caught.value)
    endpoint.says(sse({"base_resp": {"status_code": 0}}), OPENAI_CHAT.answer("ok"))
    assert (await endpoint.hear()).text == "ok"
