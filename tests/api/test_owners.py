"""Owners over HTTP: sign-up, and use, replacement and revocation of keys."""

from __future__ import annotations

import asyncio

import httpx2
import pytest
from sqlalchemy import text

from arena.api.http.voter_cookie import Cookies
from arena.domain.api_keys import _checksum
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.people import owners
from tests.api.conftest import ORIGIN

NEWCOMER = {"name": "Acme Labs", "contact": "models@acme.example"}


@pytest.fixture
def under(runtime):
    """A client of an arena with these rules."""

    def under(**rules) -> httpx2.AsyncClient:
        app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(**rules))
        return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ORIGIN)

    return under


@pytest.fixture
async def key(client) -> str:
    return (await client.post("/api/v1/owners", json=NEWCOMER)).json()["key"]


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


async def test_signing_up_gives_a_key_once_and_the_key_knows_its_owner(client):
    signed_up = await client.post("/api/v1/owners", json=NEWCOMER)
    assert signed_up.status_code == 201
    assert signed_up.headers["Cache-Control"] == "no-store"
    body = signed_up.json()
    me = await client.get("/api/v1/owners/me", headers=bearer(body["key"]))
    assert me.headers["Cache-Control"] == "no-store"
    assert me.json() | {"key_made_at": "…"} == {
        "id": body["id"],
        "name": "Acme Labs",
        "contact": "models@acme.example",
        "key_made_at": "…",
        "endpoints": [],
    }
    assert body["key"] not in me.text


async def test_the_database_holds_no_secret_of_a_key(runtime, key):
    _, key_id, secret = key.split("_")
    rows = await runtime.database.read(lambda session: str(session.execute(text("SELECT * FROM owners")).all()))
    assert key_id in rows
    assert secret[:8] not in rows


@pytest.mark.parametrize(
    ("header", "value", "words"),
    [
        ("X-Api-Key", "{key}", "Authorization: Bearer"),
        ("Cookie", "key={key}", "Authorization: Bearer"),
        ("Authorization", "{key}", "Authorization: Bearer"),
        ("Authorization", "Basic {key}", "Authorization: Bearer"),
        ("Authorization", "Bearer", "Authorization: Bearer"),
        ("Authorization", "Bearer \t ", "Authorization: Bearer"),
        ("Authorization", "Bearer sk-1234", "begins with arena_"),
        ("Authorization", "Bearer {key}x", "begins with arena_"),
        ("Authorization", "Bearer {key} {key}", "begins with arena_"),
        ("Authorization", "Bearer {mistyped}", "checksum"),
        ("Authorization", "Bearer {unknown}", "unknown or was revoked"),
        ("Authorization", "Bearer {other}", "unknown or was revoked"),
    ],
)
async def test_a_key_that_does_not_fit_is_told_why_and_how_to_send_it(client, key, header, value, words):
    mistyped = key[:30] + ("x" if key[30] != "x" else "y") + key[31:]
    other = _signed(key.split("_")[1], owners.new_key())
    value = value.format(key=key, mistyped=mistyped, unknown=owners.new_key(), other=other)
    refused = await client.get("/api/v1/owners/me", headers={header: value})
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    assert refused.json()["code"] == "bad_api_key"
    assert words in refused.json()["detail"]


def _signed(key_id: str, key: str) -> str:
    """A key with this id, a wrong secret and a valid checksum."""
    body = f"arena_{key_id}_{key.split('_')[2][:-6]}"
    return body + _checksum(body)


async def test_a_key_in_the_address_is_no_key(client, key):
    assert (await client.get(f"/api/v1/owners/me?key={key}")).status_code == 401


async def test_another_key_kills_the_first_at_once(client, key):
    second = (await client.post("/api/v1/owners/me/key", headers=bearer(key))).json()["key"]
    assert (await client.get("/api/v1/owners/me", headers=bearer(key))).status_code == 401
    assert (await client.get("/api/v1/owners/me", headers=bearer(second))).status_code == 200


async def test_of_two_rotations_with_one_key_one_wins_and_its_key_works(client, key):
    answers = await asyncio.gather(*(client.post("/api/v1/owners/me/key", headers=bearer(key)) for _ in range(8)))
    won = [answer.json()["key"] for answer in answers if answer.status_code == 200]
    assert len(won) == 1
    assert {answer.status_code for answer in answers} == {200, 401}
    assert (await client.get("/api/v1/owners/me", headers=bearer(won[0]))).status_code == 200


async def test_a_revoked_key_opens_nothing_and_only_the_operator_gives_another(client, key, runtime):
    assert (await client.delete("/api/v1/owners/me/key", headers=bearer(key))).status_code == 204
    for method, path in (("GET", "/owners/me"), ("POST", "/owners/me/key"), ("GET", "/endpoints")):
        assert (await client.request(method, f"/api/v1{path}", headers=bearer(key))).status_code == 401
    again = await client.post("/api/v1/owners", json=NEWCOMER)
    assert (again.status_code, again.json()["code"]) == (409, "owner_taken")
    new_key = await owners.give_key(runtime.database, "Acme Labs", runtime.now())
    assert (await client.get("/api/v1/owners/me", headers=bearer(new_key))).json()["name"] == "Acme Labs"


@pytest.mark.parametrize("name", ["Acme Labs", "ACME LABS", "Acme-Labs", "Acmе Labs", "Somebody Labs"])
async def test_a_name_is_taken_once_and_so_is_what_looks_like_it(client, key, name):
    answer = await client.post("/api/v1/owners", json=NEWCOMER | {"name": name})
    assert (answer.status_code, answer.json()["code"]) == (409, "owner_taken")


async def test_of_many_who_want_one_name_at_once_one_gets_it(client):
    answers = await asyncio.gather(*(client.post("/api/v1/owners", json=NEWCOMER) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("name", value) for value in ("", " ", " Acme", "x" * 81, "a\nb", "a\u202eb", "\1")),
        *(("contact", value) for value in ("", "x" * 201, "a\tb")),
    ],
)
async def test_a_name_or_contact_that_does_not_fit_is_named(client, field, value):
    refused = await client.post("/api/v1/owners", json=NEWCOMER | {field: value})
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith(f"{field}: ")


@pytest.mark.parametrize("body", [{}, {"name": "A"}, NEWCOMER | {"admin": True}, NEWCOMER | {"name": 1}, []])
async def test_a_body_that_is_no_sign_up_is_refused(client, body):
    assert (await client.post("/api/v1/owners", json=body)).status_code == 422


async def test_an_operator_may_want_an_invitation(under):
    async with under(invitation="open sesame") as client:
        for extra in ({}, {"invitation": ""}, {"invitation": "open"}, {"invitation": "Öffne dich"}):
            refused = await client.post("/api/v1/owners", json=NEWCOMER | extra)
            assert (refused.status_code, refused.json()["code"]) == (403, "invitation_required")
        invited = await client.post("/api/v1/owners", json=NEWCOMER | {"invitation": "open sesame"})
        assert invited.status_code == 201


async def test_a_typo_is_not_counted_and_a_guessed_invitation_is(under):
    async with under(sign_ups=2, invitation="open sesame") as client:
        for name in ("", " ", "\0"):
            body = NEWCOMER | {"name": name, "invitation": "open sesame"}
            assert (await client.post("/api/v1/owners", json=body)).status_code == 422
        guesses = [
            (await client.post("/api/v1/owners", json=NEWCOMER | {"invitation": guess})).status_code for guess in "abc"
        ]
        assert guesses == [403, 403, 429]


async def test_one_neighbourhood_signs_up_so_often_in_an_hour(under):
    async with under(sign_ups=2) as client:
        codes = [
            (await client.post("/api/v1/owners", json=NEWCOMER | {"name": f"Acme {n}"})).status_code for n in range(3)
        ]
        assert codes == [201, 201, 429]
        refused = await client.post("/api/v1/owners", json=NEWCOMER | {"name": "Acme 3"})
        assert 0 < int(refused.headers["Retry-After"]) <= 3600
