"""Answers as HTML for those who ask for it: battles, chats, shared battles; text stays as it was for all others."""

from __future__ import annotations

import pytest

from arena.domain.answers.blocks import answer_html
from tests.api.conftest import events
from tests.conftest import NAMES

TEXT = "Hello **world** <img src=x onerror=alert(1)> $x^2$\n\n- a\n- b\n\n[x](http://a.example/b)"


@pytest.fixture
def written(part):
    for name in NAMES:
        part(name, TEXT)


async def opened(client) -> str:
    answer = await client.post("/api/v1/battles", json={"prompt": "Hello"})
    return f"/api/v1/battles/{answer.json()['id']}"


async def chat(client) -> str:
    answer = await client.post("/api/v1/chats", json={"prompt": "Hello", "models": NAMES[:2]})
    return f"/api/v1/chats/{answer.json()['id']}"


@pytest.mark.parametrize("begin", [opened, chat])
async def test_a_stream_as_html_has_blocks_in_place_of_text(client, written, begin):
    path = await begin(client)
    kinds = events((await client.get(f"{path}/stream?as=html")).text)
    assert {kind for kind, _ in kinds} == {"blocks", "side_done", "turn_ready"}
    for side in "ab":
        shown: list[str] = []
        for data in (data for kind, data in kinds if kind == "blocks" and data["side"] == side):
            shown[data["from"] :] = [*data["html"], data["open"]]
        assert "".join(shown) == answer_html(TEXT)
    assert {kind for kind, _ in events((await client.get(f"{path}/stream")).text)} == {
        "delta",
        "side_done",
        "turn_ready",
    }


@pytest.mark.parametrize("begin", [opened, chat])
async def test_a_look_as_html_has_the_answers_twice(client, written, begin):
    path = await begin(client)
    await client.get(f"{path}/stream")
    answer = await client.get(f"{path}?as=html")
    (turn,) = answer.json()["turns"]
    assert turn["answers"] == {"a": TEXT, "b": TEXT}
    assert turn["html"] == {"a": answer_html(TEXT), "b": answer_html(TEXT)}
    assert answer.headers["cache-control"] == "no-store"
    assert "html" not in (await client.get(path)).json()["turns"][0]


async def test_a_shared_battle_has_html_if_asked_for(client, written):
    path = await opened(client)
    await client.get(f"{path}/stream")
    await client.post(f"{path}/vote", json={"outcome": "tie"})
    token = (await client.post(f"{path}/share")).json()["token"]
    shared = await client.get(f"/api/v1/shared/{token}?as=html")
    assert shared.json()["turns"][0]["html"]["a"] == answer_html(TEXT)
    assert "html" not in (await client.get(f"/api/v1/shared/{token}")).json()["turns"][0]


async def test_another_form_is_refused_with_the_name_of_the_field(client, written):
    answer = await client.get(f"{await opened(client)}?as=pdf")
    assert answer.status_code == 422
    assert "as" in str(answer.json())
