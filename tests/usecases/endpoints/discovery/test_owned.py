"""Two names of a proxy that may be one model, compared for their owner: what it costs, and what is never asked."""

from __future__ import annotations

import json

import pytest

from arena.adapters.store.keyring import Keyring, new_master
from arena.domain.errors import Invalid
from arena.domain.schemas.discovery import TwinsRequest
from arena.usecases.endpoints.discovery import owned, twins
from arena.usecases.endpoints.ownership import By, OwnerRules
from arena_providers.deadlines import TimeLimits
from arena_providers.transport.egress import Policy
from arena_providers.transport.http_client import HttpClient
from tests.conftest import START
from tests.usecases.endpoints.probes.probes import caller
from tests.usecases.endpoints.probes.vendor import Vendor, answer


def request(url: str) -> TwinsRequest:
    return TwinsRequest(url=url, first="a/m", second="b/m")


def by(policy: str = "") -> By:
    return By(1, OwnerRules(policy=Policy.parse(policy)), Keyring(new_master()), START)


async def test_the_comparison_costs_the_calls_that_are_said_before_and_alike_answers_do_not_differ():
    async with Vendor().listening() as vendor:
        policy = f"127.0.0.1:{vendor.port}"
        async with HttpClient(policy=Policy.parse(policy)) as client:
            view = await owned.compare_twins(caller(client, TimeLimits()), by(policy), request(vendor.url))
        assert (view.differ, view.problem, view.p_value is not None) == (False, None, True)
        assert len(vendor.posted) == twins.CALLS
        assert {json.loads(call.body)["model"] for call in vendor.posted} == {"a/m", "b/m"}


async def test_a_proxy_that_refuses_is_one_code():
    async with Vendor(faulty=lambda _asked: [answer(404)]).listening() as vendor:
        policy = f"127.0.0.1:{vendor.port}"
        async with HttpClient(policy=Policy.parse(policy)) as client:
            view = await owned.compare_twins(caller(client, TimeLimits()), by(policy), request(vendor.url))
        assert (view.p_value, view.differ, bool(view.problem)) == (None, False, True)


async def test_an_address_inside_is_asked_nothing():
    async with Vendor().listening() as vendor, HttpClient() as client:
        with pytest.raises(Invalid):
            await owned.compare_twins(caller(client, TimeLimits()), by(), request(vendor.url))
        assert not vendor.posted
