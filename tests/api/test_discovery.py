"""Registration of a proxy's models over HTTP: the list, many models with one key, and a result for each."""

from __future__ import annotations

import json

import httpx2
import pytest

from arena.adapters.store.keyring import Keyring, new_master
from arena.api.http.voter_cookie import Cookies
from arena.calls.targets import Keys
from arena.client import ArenaClient
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from arena_providers.transport.egress import Policy
from tests.api.conftest import ORIGIN
from tests.api.examples import run_example
from tests.usecases.endpoints.probes.vendor import Vendor, answer

KEY = "sk-canary-of-the-test"


def lists(*names: str, **facts: object):
    body = json.dumps({"data": [{"id": name, **facts} for name in names]}).encode()

    def faulty(asked):
        if asked.method != "GET":
            return None
        return [answer(200, body)] if asked.key == KEY and asked.path == "/v1/models" else [answer(401)]

    return faulty


@pytest.fixture
async def owner(runtime, client):
    """Signs up: a client that sends its key, where the operator has opened one port."""
    runtime.keys = Keys({}.get, Keyring(new_master()))

    async def owner(port: int, **rules) -> httpx2.AsyncClient:
        made = await client.post("/api/v1/owners", json={"name": "Acme", "contact": "c"})
        allowed = OwnerRules(policy=Policy.parse(f"127.0.0.1:{port}"), **rules)
        app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=allowed)
        headers = {"Authorization": f"Bearer {made.json()['key']}"}
        return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=f"{ORIGIN}/api/v1", headers=headers)

    return owner


async def test_the_lines_of_the_document_list_what_is_new(owner, monkeypatch):
    async with (
        Vendor(key=KEY, faulty=lists("team/heron", "team/plover")).listening() as vendor,
        await owner(vendor.port) as acme,
    ):
        names = {"ARENA": ORIGIN, "KEY": "", "PROXY": vendor.url, "PROXY_KEY": KEY}
        assert await run_example("owners.md", ArenaClient, acme, names, monkeypatch) == [
            "['team/heron', 'team/plover']"
        ]


async def test_an_owner_lists_a_proxy_registers_a_hundred_models_and_syncs_again(owner):
    names = [f"team/m-{number:03}" for number in range(101)]
    async with (
        Vendor(key=KEY, faulty=lists(*names, context_length=4096)).listening() as vendor,
        await owner(vendor.port) as acme,
    ):
        place = {"url": vendor.url, "key": KEY}
        shown = (await acme.post("/endpoints/discoveries", json=place)).json()
        assert [model["name"] for model in shown["models"]][:2] == ["m-000", "m-001"]
        assert {model["context_tokens"] for model in shown["models"]} == {4096}
        chosen = [{"name": model["name"], "wire_model": model["wire_model"]} for model in shown["models"]]
        many = await acme.post("/endpoints/batch", json=place | {"models": chosen})
        assert many.json()["params"]["rule"] == "most"
        answers = (await acme.post("/endpoints/batch", json=place | {"models": chosen[:100]})).json()
        assert [result["problem"] for result in answers] == [None] * 100
        views = {view["id"]: view for view in (await acme.get("/endpoints")).json()}
        assert {views[result["endpoint"]]["state"] for result in answers} == {"probing"}
        assert all(view["has_key"] for view in views.values())
        vendor.faulty = lists(*names[1:], "team/new")
        again = (await acme.post("/endpoints/discoveries", json=place)).json()
        assert again["gone"] == ["m-000"]
        assert [model["name"] for model in again["models"] if not model["registered"]] == ["m-100", "new"]


@pytest.mark.parametrize("size", [7 * 2**20, 9 * 2**20])
async def test_a_list_of_megabytes_is_one_remark(owner, size):
    async with (
        Vendor(key=KEY, faulty=lists("m", notes="x" * size)).listening() as vendor,
        await owner(vendor.port) as acme,
    ):
        view = (await acme.post("/endpoints/discoveries", json={"url": vendor.url, "key": KEY})).json()
        assert (view["models"], [remark["code"] for remark in view["remarks"]]) == ([], ["list_large"])


async def test_a_model_that_is_refused_keeps_no_other_out_and_says_why(owner):
    async with Vendor(key=KEY).listening() as vendor, await owner(vendor.port) as acme:
        models = [{"name": name, "wire_model": name} for name in ("one", "One", "two v2", "three")]
        body = (await acme.post("/endpoints/batch", json={"url": vendor.url, "key": KEY, "models": models})).json()
        assert [result["endpoint"] is not None for result in body] == [True, False, False, True]
        assert [(result["problem"] or {}).get("code") for result in body] == [None, "name_taken", "invalid", None]


async def test_a_list_that_cannot_be_had_is_a_remark_and_an_inner_address_is_refused(owner):
    async with Vendor(key=KEY, faulty=lists("m")).listening() as vendor, await owner(vendor.port) as acme:
        problem = (await acme.post("/endpoints/discoveries", json={"url": vendor.url, "key": "sk-other"})).json()
        assert (problem["models"], [remark["code"] for remark in problem["remarks"]]) == ([], ["key_wrong"])
        inside = await acme.post("/endpoints/discoveries", json={"url": "http://10.0.0.1/v1"})
        assert (inside.status_code, inside.json()["params"]["rule"]) == (422, "public_https")
        inside = await acme.post("/endpoints/batch", json={"url": "http://10.0.0.1/v1", "models": [{}]})
        assert inside.status_code == 422


async def test_asking_for_lists_is_limited_as_probes_are_and_needs_an_owner(owner, client):
    async with Vendor(key=KEY, faulty=lists("m")).listening() as vendor, await owner(vendor.port, probes=1) as acme:
        assert (await acme.post("/endpoints/discoveries", json={"url": vendor.url})).status_code == 200
        assert (await acme.post("/endpoints/discoveries", json={"url": vendor.url})).status_code == 429
        assert (await client.post("/api/v1/endpoints/discoveries", json={"url": vendor.url})).status_code == 401


async def test_an_owner_brings_five_batches_a_day(owner):
    async with Vendor(key=KEY, faulty=lists("a")).listening() as vendor, await owner(vendor.port) as acme:
        statuses = []
        for number in range(6):
            models = [{"name": f"model-{number}", "wire_model": "a"}]
            body = {"url": vendor.url, "key": KEY, "models": models}
            statuses.append((await acme.post("/endpoints/batch", json=body)).status_code)
    assert statuses == [200] * 5 + [429]
