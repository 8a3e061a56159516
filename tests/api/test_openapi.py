"""What openapi.json says of each call; `test_contract` asks whether the answers keep to it."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import httpx2
import pytest

from arena.api.http.voter_cookie import Cookies
from arena.domain import errors
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from tests.api.conftest import ORIGIN

KEY = "k" * 40
PROBLEM = "application/problem+json"
STREAMS = {
    "/api/v1/battles/{battle_id}/stream": "text/event-stream",
    "/api/v1/chats/{chat_id}/stream": "text/event-stream",
    "/api/v1/leaderboard.csv": "text/csv",
    "/api/v1/votes/export": "application/jsonl",
    "/api/v1/endpoints/{endpoint_id}/votes": "application/jsonl",
}


CONTRACT: dict[str, Any] = {}


@pytest.fixture
def contract(runtime) -> dict[str, Any]:
    """Written once for all that read it."""
    if not CONTRACT:
        rules = OwnerRules(operator_key=KEY)
        CONTRACT.update(whole_app(runtime, Cookies(b"a secret of the tests"), rules=rules).openapi())
    return CONTRACT


def operations(contract: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in contract["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def codes(schema: dict[str, Any]) -> set[str]:
    return set(schema["allOf"][1]["properties"]["code"]["enum"])


def known(root: type[errors.ArenaError]) -> dict[str, int]:
    return {root.code: root.status} | {
        code: status for child in root.__subclasses__() for code, status in known(child).items()
    }


def test_every_operation_has_an_id_of_its_own_that_is_a_verb_and_an_object(contract):
    ids = [operation["operationId"] for _, _, operation in operations(contract)]
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    assert [name for name in ids if not re.fullmatch(r"[a-z]+(_[a-z]+)+", name)] == []


def test_what_reads_a_call_by_get_is_named_so(contract):
    verbs = {operation["operationId"].split("_")[0] for _, method, operation in operations(contract) if method == "get"}
    assert verbs <= {"get", "list", "stream", "export", "begin", "finish", "end"}


def test_every_error_is_a_problem_with_codes_of_its_status(contract):
    statuses = known(errors.ArenaError)
    for method, path, operation in operations(contract):
        for status, answer in operation["responses"].items():
            if int(status) < 400:
                continue
            assert list(answer["content"]) == [PROBLEM], (method, path, status)
            codes_given = codes(answer["content"][PROBLEM]["schema"])
            assert codes_given, (method, path, status)
            assert {statuses[code] for code in codes_given} == {int(status)}, (method, path, status)


def test_every_error_there_is_has_a_call_that_names_it(contract):
    codes_given = {
        code
        for _, _, operation in operations(contract)
        for answer in operation["responses"].values()
        if PROBLEM in answer.get("content", {})
        for code in codes(answer["content"][PROBLEM]["schema"])
    }
    above = {errors.Refused, errors.Conflict, errors.MethodNotAllowed, errors.NotFound}
    elsewhere = {errors.AlreadyExcluded, errors.QuestionNotFound}
    """Commands alone meet them."""
    elsewhere |= {errors.SignInRequired, errors.SignInRefused, errors.ProviderAway, errors.InvitationRefused}
    assert known(errors.ArenaError).keys() - codes_given <= {kind.code for kind in above | elsewhere}


@pytest.mark.parametrize(
    ("method", "path"), [("post", "/api/v1/endpoints"), ("patch", "/api/v1/endpoints/{endpoint_id}")]
)
def test_registering_and_changing_name_what_can_be_wrong_with_an_alias(contract, method, path):
    answers = contract["paths"][path][method]["responses"]
    codes_given = codes(answers["422"]["content"][PROBLEM]["schema"])
    assert {"alias_common"} | ({"alias_uncounts"} if method == "patch" else set()) <= codes_given


def test_the_vote_names_each_way_in_which_it_can_be_refused(contract):
    answers = contract["paths"]["/api/v1/battles/{battle_id}/vote"]["post"]["responses"]
    assert codes(answers["409"]["content"][PROBLEM]["schema"]) == {
        "already_voted",
        "answers_changed",
        "battle_closed",
        "turn_not_ready",
        "turn_running",
    }
    assert "idempotency_key_reused" in codes(answers["422"]["content"][PROBLEM]["schema"])


@pytest.mark.parametrize(("path", "kind"), STREAMS.items())
def test_what_is_no_json_has_its_own_type(contract, path, kind):
    assert list(contract["paths"][path]["get"]["responses"]["200"]["content"]) == [kind]


def test_every_call_says_which_key_it_takes(contract):
    schemes = contract["components"]["securitySchemes"]
    assert {name: scheme["type"] for name, scheme in schemes.items()} == {
        "voter": "apiKey",
        "owner": "http",
        "operator": "http",
    }
    for method, path, operation in operations(contract):
        demanded = {} not in operation.get("security", [{}])
        assert demanded == ("401" in operation["responses"]), (method, path)


def test_no_two_schemas_share_a_name(contract):
    """FastAPI would rename equal names by direction or module, and client generators would drop one."""
    assert [name for name in contract["components"]["schemas"] if "-" in name or "__" in name] == []


def test_lengths_and_bounds_are_told(contract):
    schemas = contract["components"]["schemas"]
    assert schemas["OpenRequest"]["properties"]["prompt"] | {"title": ""} == {
        "type": "string",
        "minLength": 1,
        "maxLength": 12_000,
        "title": "",
    }
    assert schemas["ChatRequest"]["properties"]["models"]["maxItems"] == 2
    assert schemas["SignUpRequest"]["properties"]["name"]["maxLength"] == 80
    assert schemas["RegisterRequest"]["properties"]["wire_model"]["maxLength"] == 200


async def test_the_contract_has_the_version_of_the_arena(client):
    assert (await client.get("/api/v1/openapi.json")).json()["info"]["version"] == version("battle-arena")


async def test_the_document_is_built_once_and_never_on_the_event_loop(app, monkeypatch):
    build, threads = app.openapi, []

    def noted():
        threads.append(threading.get_ident())
        return build()

    monkeypatch.setattr(app, "openapi", noted)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN, timeout=60) as reader:
        answers = await asyncio.gather(*(reader.get("/api/v1/openapi.json") for _ in range(3)))
        refused = await reader.post("/api/v1/openapi.json")
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()
    assert {answer.headers["content-type"] for answer in answers} == {"application/json"}
    assert [answer.json() == build() for answer in answers] == [True] * 3
    assert (refused.status_code, refused.json()["code"]) == (405, "method_not_allowed")


async def test_the_document_is_compressed_once_and_not_sent_again(client):
    address, packed = "/api/v1/openapi.json", {"Accept-Encoding": "gzip"}
    plain = await client.get(address, headers={"Accept-Encoding": "identity"})
    first = await client.get(address, headers=packed)
    assert (plain.json(), "content-encoding" in plain.headers) == (first.json(), False)
    assert first.headers["content-encoding"] == "gzip"
    assert int(first.headers["content-length"]) * 4 < int(plain.headers["content-length"])
    assert first.headers["etag"] != plain.headers["etag"]
    again = await client.get(address, headers=packed | {"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
