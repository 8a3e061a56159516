"""Chats over HTTP: names from the start, one person's own, and refusals in their own words."""

import pytest

from tests.api.conftest import events
from tests.conftest import NAMES

RED, BLUE = NAMES
CHATS = "/api/v1/chats"


@pytest.fixture
def chat(client):
    async def chat(*models: str) -> dict:
        begun = await client.post(CHATS, json={"prompt": "Hello", "models": models})
        assert begun.status_code == 201
        await client.get(f"{CHATS}/{begun.json()['id']}/stream")
        return (await client.get(f"{CHATS}/{begun.json()['id']}")).json()

    return chat


async def test_a_chat_is_begun_followed_judged_and_asked_on(client, part):
    part(RED, "I am red")
    part(BLUE, "I am blue")
    begun = (await client.post(CHATS, json={"prompt": "Hello", "models": [RED, BLUE]})).json()
    assert [begun["models"][side]["name"] for side in "ab"] == [RED, BLUE]
    path = f"{CHATS}/{begun['id']}"
    stream = await client.get(f"{path}/stream")
    pairs = events(stream.text)
    assert pairs[-1] == ("turn_ready", {"number": 1})
    assert {data["side"] for name, data in pairs if name == "delta"} == {"a", "b"}
    last = [line for line in stream.text.splitlines() if line.startswith("id: ")][-1].removeprefix("id: ")
    assert (await client.get(f"{path}/stream", headers={"Last-Event-ID": last})).status_code == 204
    judged = await client.post(f"{path}/vote", json={"outcome": "both_bad"})
    assert judged.json()["turns"][0]["outcome"] == "both_bad"
    assert judged.json()["turns"][0]["answers"] == {"a": "I am red", "b": "I am blue"}
    assert (await client.get("/api/v1/status")).json()["votes"] == 0
    assert (await client.get("/api/v1/votes/export")).text == ""
    assert len((await client.post(f"{path}/turns", json={"prompt": "More"})).json()["turns"]) == 2


async def test_a_battle_and_a_chat_are_not_found_at_each_others_place(client, chat, finish):
    battle, chat_id = await finish(), (await chat(RED))["id"]
    for path in (f"{CHATS}/{battle}", f"/api/v1/battles/{chat_id}", f"/api/v1/battles/{chat_id}/reveal"):
        assert (await client.get(path)).status_code == 404
    voted = await client.post(f"/api/v1/battles/{chat_id}/vote", json={"outcome": "a"})
    assert voted.json()["code"] == "battle_not_found"


async def test_another_ones_chat_and_no_chat_are_the_same_bytes(client, chat):
    chat_id = (await chat(RED, BLUE))["id"]
    client.cookies.clear()
    for method, tail, body in (("GET", "", None), ("GET", "/stream", None), ("POST", "/vote", {"outcome": "a"})):
        foreign, unknown = [
            await client.request(method, f"{CHATS}/{id_}{tail}", json=body) for id_ in (chat_id, "nothing")
        ]
        assert (foreign.status_code, foreign.content) == (unknown.status_code, unknown.content)
        assert foreign.json()["code"] == "chat_not_found"


async def test_a_voter_finds_the_own_chats_apart_from_the_battles(client, chat, finish):
    assert (await client.get("/api/v1/me/chats")).json() == {"chats": []}
    battle, single, pair = await finish(), await chat(RED), await chat(BLUE, RED)
    lines = (await client.get("/api/v1/me/chats")).json()["chats"]
    assert [(line["id"], line["models"]) for line in lines] == [(pair["id"], [BLUE, RED]), (single["id"], [RED])]
    assert [line["id"] for line in (await client.get("/api/v1/me/battles")).json()["battles"]] == [battle]
    await client.delete("/api/v1/me")
    client.cookies.clear()
    assert (await client.get("/api/v1/me/chats")).json() == {"chats": []}


@pytest.mark.parametrize(
    ("models", "status", "code"),
    [([], 422, "invalid"), ([RED, RED], 422, "invalid"), (["nobody"], 404, "model_not_found"), (RED, 422, "invalid")],
)
async def test_a_wrong_choice_is_a_clear_problem(client, models, status, code):
    answer = await client.post(CHATS, json={"prompt": "Hello", "models": models})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_a_page_asks_for_the_terms_before_a_chat_too(client, runtime):
    runtime.terms = 2
    body = {"prompt": "Hello", "models": [RED]}
    page = {"Sec-Fetch-Site": "same-origin"}
    refused = await client.post(CHATS, json=body, headers=page)
    assert (refused.json()["code"], refused.json()["terms"]) == ("terms_not_accepted", 2)
    assert (await client.post(CHATS, json=body | {"terms": 2}, headers=page)).status_code == 201
