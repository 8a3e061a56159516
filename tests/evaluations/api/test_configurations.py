"""Configurations of an owner's own models over HTTP: kept as versions, and never in the name of somebody else."""

from __future__ import annotations

import httpx2
import pytest

from arena.adapters.store.tables.endpoints import EndpointRow, OwnerRow
from arena.api.http.voter_cookie import Cookies
from arena.evaluations.usecases import configurations
from arena.serving.composition import whole_app
from tests.api.conftest import ORIGIN
from tests.usecases.people.receiver import owner_with_endpoint


@pytest.fixture
async def owners(runtime, client):
    """Two owners, each a client that sends its key and the number of its one model."""
    app = whole_app(runtime, Cookies(b"a secret of the tests"))
    made = []
    for name in ("Acme", "Other"):
        _, endpoint = await owner_with_endpoint(runtime.database, f"{name} of before")
        key = (await client.post("/api/v1/owners", json={"name": name, "contact": "c"})).json()["key"]
        own = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app),
            base_url=f"{ORIGIN}/api/v1",
            headers={"Authorization": f"Bearer {key}"},
        )
        await runtime.database.write(_give, endpoint, name)
        made.append((own, f"/endpoints/{endpoint}/configurations"))
    yield made
    for own, _ in made:
        await own.aclose()


def _give(session, endpoint: int, name: str) -> None:
    session.get_one(EndpointRow, endpoint).owner_id = session.query(OwnerRow).filter_by(name=name).one().id


async def test_other_settings_are_the_next_version_and_the_same_ones_none(owners):
    (acme, path), _ = owners
    assert (await acme.get(path)).json() == []
    first = await acme.post(path, json={"name": "short", "max_tokens": 20})
    assert (first.status_code, first.json()["version"], len(first.json()["digest"])) == (201, 1, 64)
    assert (await acme.post(path, json={"name": "short", "max_tokens": 20})).json() == first.json()
    second = (await acme.post(path, json={"name": "short", "template": "In short: {prompt}"})).json()
    assert (second["version"], second["model"]) == (2, "Acme of before model")
    assert second["digest"] != first.json()["digest"]
    assert (await acme.get(path)).json() == [second]


async def test_nobody_sees_or_continues_the_configurations_of_another_owner(owners):
    (acme, path), (other, own) = owners
    await acme.post(path, json={"name": "short", "max_tokens": 20})
    for answer in (await other.get(path), await other.post(path, json={"name": "long", "max_tokens": 9})):
        assert (answer.status_code, answer.json()["code"]) == (404, "endpoint_not_found")
    taken = await other.post(own, json={"name": "short", "max_tokens": 20})
    assert (taken.status_code, taken.json()["code"]) == (409, "name_taken")
    assert "configuration named 'short'" in taken.json()["detail"]
    bare = await acme.get(path, headers={"Authorization": "Bearer no"})
    assert bare.status_code == 401


@pytest.mark.parametrize(
    "settings",
    [{}, {"temperature": 3}, {"template": "no place"}, {"template": "{prompt} {prompt}"}, {"seed": 1}, {"top_p": 0}],
)
async def test_settings_that_cannot_be_are_refused(owners, settings):
    (acme, path), _ = owners
    answer = await acme.post(path, json={"name": "short", **settings})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


async def test_a_name_of_an_endpoint_and_more_versions_than_allowed_are_refused(owners, monkeypatch):
    (acme, path), _ = owners
    assert (await acme.post(path, json={"name": "Acme of before model", "max_tokens": 9})).status_code == 409
    monkeypatch.setattr(configurations, "VERSIONS_LIMIT", 1)
    assert (await acme.post(path, json={"name": "short", "max_tokens": 20})).status_code == 201
    assert (await acme.post(path, json={"name": "long", "max_tokens": 900})).status_code == 409
