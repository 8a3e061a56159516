"""A list of models from a hostile server: its requests are bounded in time and bytes together."""

from __future__ import annotations

import json

import pytest

from arena.usecases.endpoints.discovery.listing import Proxy, list_models
from arena_providers.transport.egress import Policy
from arena_providers.transport.http_client import DOCUMENT_LIMIT, HttpClient
from tests.usecases.endpoints.probes.vendor import ReceivedRequest, Vendor, answer

MODELS = json.dumps({"data": [{"id": "red-7b"}]}).encode()
FURTHER = ["/v1/model/info", "/api/v0/models"]
FOREVER = 600


async def listed(vendor: Vendor, seconds: float, base: str = "/v1"):
    async with vendor.listening(), HttpClient(policy=Policy.parse(f"127.0.0.1:{vendor.port}")) as client:
        url = f"http://127.0.0.1:{vendor.port}{base}"
        listing = await list_models(client, Proxy(url), seconds)
    return listing, [request.path for request in vendor.received]


async def test_a_server_that_is_slow_at_every_path_has_one_time_limit():
    def slow(request: ReceivedRequest):
        return [answer(200, MODELS)] if request.path == "/v1/models" else [FOREVER]

    listing, paths = await listed(Vendor(faulty=slow), 0.5)
    assert [model.wire_model for model in listing.offer.models] == ["red-7b"]
    assert paths[:2] == ["/v1/models", FURTHER[0]]
    assert FURTHER[1] not in paths


async def test_a_slow_first_list_leaves_no_time_for_another_address():
    listing, paths = await listed(Vendor(faulty=lambda _request: [FOREVER]), 0.5, base="")
    assert paths == ["/models"]
    assert [problem["code"] for problem in listing.problems] == ["slow_start"]


@pytest.mark.parametrize(("size", "tokens"), [(1_000, 4_096), (DOCUMENT_LIMIT - 1_000, None)])
async def test_all_lists_together_have_one_limit_of_bytes(size, tokens):
    facts = json.dumps({"data": [{"id": "red-7b", "max_context_length": 4_096}]}).encode() + b" " * 2_000
    bodies = {"/v1/models": MODELS, FURTHER[0]: b"x" * size, FURTHER[1]: facts}
    listing, paths = await listed(Vendor(faulty=lambda request: [answer(200, bodies[request.path])]), 60)
    assert paths == ["/v1/models", *FURTHER]
    assert [model.context_tokens for model in listing.offer.models] == [tokens]


async def test_a_list_without_an_end_is_the_last_that_is_read():
    def endless(request: ReceivedRequest):
        return [answer(200, MODELS if request.path == "/v1/models" else b" " * (DOCUMENT_LIMIT + 1))]

    listing, paths = await listed(Vendor(faulty=endless), 60)
    assert [model.wire_model for model in listing.offer.models] == ["red-7b"]
    assert paths == ["/v1/models", FURTHER[0]]
