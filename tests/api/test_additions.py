"""Models that an operator adds by a preset, and servers that are looked for on the arena's own machine."""

from __future__ import annotations

import json
from dataclasses import replace
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx2
import pytest

from arena.adapters.store import endpoints as stored
from arena.adapters.store import envelope_encryption
from arena.adapters.store.keyring import Keyring, new_master
from arena.api.http.voter_cookie import Cookies
from arena.calls.targets import Keys
from arena.domain.terms import EndpointState
from arena.serving.composition import whole_app
from arena.usecases.endpoints.discovery.local import PROGRAMS
from arena.usecases.endpoints.ownership import OwnerRules
from arena_providers import presets, registry
from arena_providers.transport.egress import PUBLIC_ONLY, origin
from tests.api.conftest import ORIGIN
from tests.api.test_discovery import KEY
from tests.servers import free_port
from tests.usecases.endpoints.probes.vendor import Vendor, answer

OPERATOR_KEY = "k" * 40
MODEL = {"preset": "vllm", "wire_model": "team/heron", "name": "heron", "key": KEY}


@pytest.fixture
async def operator(runtime):
    runtime.keys = Keys({}.get, Keyring(new_master()))
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=OPERATOR_KEY))
    headers = {"Authorization": f"Bearer {OPERATOR_KEY}"}
    async with (
        registry.opened(connect=5, local=False, policy=PUBLIC_ONLY) as builtin,
        httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app), base_url=f"{ORIGIN}/api/v1/operator", headers=headers
        ) as client,
    ):
        runtime.providers = {**runtime.providers, **builtin.providers}
        yield client


@pytest.fixture
def move_presets(monkeypatch):
    """Move the local presets to these ports, and those without one to a port where nobody listens."""

    def move(**ports: int) -> None:
        rows = [
            replace(row, base_url=f"http://127.0.0.1:{ports.get(row.name) or free_port()}/v1") if row.local else row
            for row in presets.PRESETS
        ]
        monkeypatch.setattr(presets, "PRESETS", tuple(rows))

    return move


def test_only_this_machine_is_looked_at():
    looked_at = [urlsplit(row.base_url) for row in presets.PRESETS if row.name in PROGRAMS]
    assert {part.port for part in looked_at} == {1234, 8000, 11434}
    assert all(part.hostname and ip_address(part.hostname).is_loopback for part in looked_at)


async def test_servers_of_this_machine_are_listed_with_their_models_and_one_is_added_by_its_name(
    operator, runtime, move_presets
):
    move_presets()
    assert (await operator.get("/local-servers")).json() == []
    body = json.dumps({"data": [{"id": "team/heron"}, {"id": "team/plover"}]}).encode()
    async with Vendor(
        faulty=lambda asked: [answer(200, body)] if asked.method == "GET" else None
    ).listening() as vendor:
        move_presets(vllm=vendor.port)
        (server,) = (await operator.get("/local-servers")).json()
        assert (server["preset"], server["url"]) == ("vllm", vendor.url)
        assert [model["name"] for model in server["models"]] == ["heron", "plover"]
        added = await operator.post("/endpoints", json=MODEL)
        assert added.json() | {"problems": []} == {"name": "heron", "added": True, "problems": []}
        again = (await operator.get("/local-servers")).json()
    assert [model["registered"] for model in again[0]["models"]] == [True, False]
    row = await runtime.database.read(stored.by_name, "heron")
    assert (row.state, row.private, row.preset) == (EndpointState.ACTIVE, True, "vllm")
    key = await runtime.database.read(envelope_encryption.take, runtime.keys.keyring, row.id, origin(row.url))
    assert key == KEY
    (act, *_) = (await operator.get("/acts")).json()
    assert (act["kind"], act["target"]) == ("endpoint_added", "heron")


@pytest.mark.parametrize(
    ("text", "code"), [("Yes.", "same_answer"), ("I am Heron. Tea needs water and some minutes.", "names_itself")]
)
async def test_a_remark_of_the_test_stays_with_the_added_model(operator, move_presets, text, code):
    async with Vendor(text=(text,)).listening() as vendor:
        move_presets(vllm=vendor.port)
        assert (await operator.post("/endpoints", json=MODEL)).json()["added"] is True
    (view,) = [view for view in (await operator.get("/endpoints")).json() if view["name"] == "heron"]
    assert [remark["code"] for remark in view["remarks"]] == [code]


async def test_a_model_that_does_not_answer_is_not_added_and_its_test_says_why(operator, runtime, move_presets):
    async with Vendor(key=KEY).listening() as vendor:
        move_presets(vllm=vendor.port)
        refused = (await operator.post("/endpoints", json=MODEL | {"key": "another key"})).json()
    assert (refused["added"], refused["problems"][0]["code"]) == (False, "key_wrong")
    assert await runtime.database.read(stored.by_name, "heron") is None
    unknown = await operator.post("/endpoints", json=MODEL | {"preset": "no such vendor"})
    assert (unknown.status_code, unknown.json()["params"]["field"]) == (422, "preset")
