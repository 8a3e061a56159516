"""Configurations of an owner's own models over HTTP: kept as versions, and never in the name of somebody else."""

from __future__ import annotations

import asyncio

import httpx2
import pytest

from arena.adapters.store import budgets, endpoints
from arena.adapters.store.tables.endpoint_records import EndpointUseRow
from arena.adapters.store.tables.endpoints import EndpointRow, OwnerRow
from arena.api.http.voter_cookie import Cookies
from arena.domain.terms import EndpointState, Use
from arena.evaluations.usecases import configurations, definition, drafts
from arena.serving.composition import whole_app
from tests.api.conftest import ORIGIN
from tests.conftest import add_endpoints
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


@pytest.mark.parametrize(
    ("settings", "code", "params"),
    [
        ({}, "invalid", {"rule": "no_setting"}),
        ({"template": "no place"}, "invalid", {"field": "template", "rule": "template"}),
        (
            {"name": "Acme of before model", "max_tokens": 9},
            "conflict",
            {"rule": "model_name", "name": "Acme of before model"},
        ),
        (
            {"name": "0ther of before model", "max_tokens": 9},
            "conflict",
            {"rule": "model_lookalike", "name": "0ther of before model", "other": "Other of before model"},
        ),
    ],
)
async def test_a_refusal_has_a_rule_that_pages_have_words_for(owners, settings, code, params):
    (acme, path), _ = owners
    told = (await acme.post(path, json={"name": "short", **settings})).json()
    assert (told["code"], told["params"]) == (code, params)


async def test_a_name_of_an_endpoint_and_more_versions_than_allowed_are_refused(owners, monkeypatch):
    (acme, path), _ = owners
    assert (await acme.post(path, json={"name": "Acme of before model", "max_tokens": 9})).status_code == 409
    monkeypatch.setattr(configurations, "VERSIONS_LIMIT", 1)
    assert (await acme.post(path, json={"name": "short", "max_tokens": 20})).status_code == 201
    assert (await acme.post(path, json={"name": "long", "max_tokens": 900})).status_code == 409


@pytest.mark.both_databases
async def test_of_two_owners_who_choose_one_name_at_once_one_gets_it(owners):
    (acme, path), (other, own) = owners
    for number in range(5):
        name = f"short {number}"
        answers = await asyncio.gather(
            acme.post(path, json={"name": name, "max_tokens": 20}),
            other.post(own, json={"name": name, "max_tokens": 30}),
        )
        assert sorted(answer.status_code for answer in answers) == [201, 409]


@pytest.mark.parametrize("name", ["Short", "sh0rt", "ѕhort", "short.", "s\u3164hort"])
async def test_a_name_that_looks_like_that_of_another_owner_is_taken(owners, name):
    (acme, path), (other, own) = owners
    await acme.post(path, json={"name": "short", "max_tokens": 20})
    taken = await other.post(own, json={"name": name, "max_tokens": 20})
    assert (taken.status_code, taken.json()["code"]) == (409, "name_taken")
    assert (await acme.post(path, json={"name": "SHORT", "max_tokens": 20})).status_code == 201


@pytest.mark.parametrize("name", ["0ther of before model", "OTHER-of-before-model"])
async def test_a_name_that_looks_like_an_endpoint_is_refused(owners, name):
    (acme, path), _ = owners
    refused = await acme.post(path, json={"name": name, "max_tokens": 20})
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert "looks like Other of before model" in refused.json()["detail"]


async def test_a_configuration_never_stands_for_a_model_that_was_approved_under_its_name(owners, runtime):
    (acme, path), _ = owners
    assert (await acme.post(path, json={"name": "future-9b", "max_tokens": 20})).status_code == 201

    def register(session) -> tuple[int, int]:
        add_endpoints(session, ["future-9b"])
        session.flush()
        row, other = endpoints.by_name(session, "future-9b"), endpoints.by_name(session, "Acme of before model")
        row.state = EndpointState.PENDING
        for number in (row.id, other.id):
            if not budgets.is_allowed(session, session.get_one(EndpointRow, number), Use.EVALUATIONS):
                session.add(EndpointUseRow(endpoint_id=number, use=Use.EVALUATIONS))
        return row.id, other.id

    def approve(session) -> None:
        endpoints.by_name(session, "future-9b").state = EndpointState.ACTIVE

    model, configured = await runtime.database.write(register)
    assert await runtime.database.read(definition.endpoint_of, "future-9b") == configured
    (named,) = [view for view in await drafts.candidates(runtime.database) if view.name == "future-9b"]
    assert (named.configuration, named.model) == (True, "Acme of before model")
    await runtime.database.write(approve)
    assert await runtime.database.read(definition.endpoint_of, "future-9b") == model
    offered = [view for view in await drafts.candidates(runtime.database) if view.name == "future-9b"]
    assert [(view.configuration, view.endpoint, view.model) for view in offered] == [(False, model, None)]


@pytest.mark.parametrize("name", ["..", "a/b", "\u3164", "a\u3164b", "!", " short", "\u202eshort", "x" * 81])
async def test_a_name_that_is_no_public_name_is_refused(owners, name):
    (acme, path), _ = owners
    refused = await acme.post(path, json={"name": name, "max_tokens": 20})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert refused.json()["detail"].startswith("name: ")
