"""Pages of a battle have short-lived addresses for its voter, and their documents cannot reach the network."""

from __future__ import annotations

import json

import pytest

from arena.cli.boards.log_boards import verdict
from arena.domain.terms import NotCounted
from arena.usecases.ranking.vote_columns import CountedLog
from tests.usecases.battles.test_turns import BLUE, RED
from tests.usecases.ranking.test_web_boards import FEWEST, add, publish

API = "/api/v1/battles"
FRAME = {"Sec-Fetch-Dest": "iframe"}
PAGE = "<!DOCTYPE html>\n<html><body>{}</body></html>"


def fenced(word):
    return f"```html\n{PAGE.format(word)}\n```"


@pytest.fixture
async def battle(client, part):
    """The path of a battle of web pages whose answers have ended."""
    part(RED, fenced("one <img src=https://a.example/x.png>"))
    part(BLUE, fenced("two"))
    opened = (await client.post(API, json={"prompt": "a clock", "kind": "web_page"})).json()
    path = f"{API}/{opened['id']}"
    await client.get(f"{path}/stream")
    return path


async def pages(client, path):
    answer = await client.get(f"{path}/pages")
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()["versions"]


async def test_each_side_and_version_has_a_page_of_its_own(client, battle):
    await client.post(f"{battle}/turns", json={"prompt": "make it dark"})
    await client.get(f"{battle}/stream")
    versions = await pages(client, battle)
    assert [version["number"] for version in versions] == [1, 2]
    shown = versions[1]["pages"]
    texts = {(await client.get(shown[side]["address"], headers=FRAME)).text for side in ("a", "b")}
    assert sorted("two" in text for text in texts) == [False, True]
    assert sorted(shown[side]["wants"] for side in ("a", "b")) == [0, 1]


@pytest.mark.parametrize(
    ("answer", "missing"), [("I cannot do that.", "none"), (f"{fenced(1)}\n{fenced(2)}", "several")]
)
async def test_an_answer_without_one_document_says_why_and_may_be_voted_on(client, part, answer, missing):
    part(RED, answer)
    part(BLUE, answer)
    path = f"{API}/{(await client.post(API, json={'prompt': 'a clock', 'kind': 'web_page'})).json()['id']}"
    await client.get(f"{path}/stream")
    (version,) = await pages(client, path)
    assert {(page["address"], page["missing"]) for page in version["pages"].values()} == {(None, missing)}
    assert (await client.post(f"{path}/vote", json={"outcome": "tie"})).json()["reason"] == "web_page"


async def test_the_document_is_confined_by_its_own_headers(client, battle):
    (version,) = await pages(client, battle)
    client.cookies.clear()
    answer = await client.get(version["pages"]["a"]["address"], headers=FRAME)
    policy = answer.headers["content-security-policy"]
    for rule in ("sandbox allow-scripts;", "default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"):
        assert rule in policy
    assert "allow-same-origin" not in policy
    assert "connect-src" not in policy
    assert answer.headers["connection-allowlist"] == "()"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    assert "camera=()" in answer.headers["permissions-policy"]
    assert "set-cookie" not in answer.headers


async def test_a_page_is_a_document_of_a_frame_only_and_in_a_tab_stands_inside_another(client, battle):
    address = (await pages(client, battle))[0]["pages"]["a"]["address"]
    assert (await client.get(address, headers={"Sec-Fetch-Dest": "document"})).status_code == 404
    whole = await client.get(f"{address}/whole", headers={"Sec-Fetch-Dest": "document"})
    assert f'src="{address}"' in whole.text
    assert 'sandbox="allow-scripts"' in whole.text
    assert "frame-src http://arena.test/frames/;" in whole.headers["content-security-policy"]


async def test_a_browser_that_does_not_say_where_it_shows_a_page_gets_one_that_runs_in_frames_only(client, battle):
    address = (await pages(client, battle))[0]["pages"]["a"]["address"]
    answer = await client.get(address)
    framed = (await client.get(address, headers=FRAME)).text
    assert answer.text.count("<script>") == 1
    assert "<body>" not in answer.text
    assert answer.text.startswith("<!DOCTYPE html><script>if (self !== top)")
    assert json.dumps(framed).replace("<", "\\u003c") in answer.text
    assert "sandbox allow-scripts" in answer.headers["content-security-policy"]


async def test_only_its_voter_gets_addresses_and_a_made_up_one_opens_nothing(client, battle):
    client.cookies.clear()
    assert (await client.get(f"{battle}/pages")).status_code == 404
    assert (await client.get("/frames/made-up", headers=FRAME)).status_code == 404
    assert (await client.get("/frames/made-up/whole")).status_code == 404


async def test_a_battle_of_texts_has_no_pages_and_says_nothing_new(client, part):
    part(RED, fenced("one"))
    body = (await client.post(API, json={"prompt": "Hello"})).json()
    assert "kind" not in body
    await client.get(f"{API}/{body['id']}/stream")
    assert await pages(client, f"{API}/{body['id']}") == []


async def test_everybody_with_the_link_of_a_voted_battle_gets_both_pages(client, battle):
    await client.post(f"{battle}/vote", json={"outcome": "a"})
    token = (await client.post(f"{battle}/share")).json()["token"]
    client.cookies.clear()
    (version,) = await pages(client, f"/api/v1/shared/{token}")
    for page in version["pages"].values():
        assert (await client.get(page["address"], headers=FRAME)).status_code == 200


async def test_addresses_name_no_model(client, battle):
    text = (await client.get(f"{battle}/pages")).text
    assert RED not in text
    assert BLUE not in text


@pytest.mark.parametrize(("text", "reason"), [("I am made by {}.", "identity_told"), ("12:00", "web_page")])
async def test_a_vote_on_a_page_that_has_shown_its_maker_does_not_count(client, battle, text, reason):
    texts = {side: text.format(f"{RED} or {BLUE}") for side in ("a", "b")}
    voted = await client.post(f"{battle}/vote", json={"outcome": "a", "seen": texts})
    assert (voted.json()["counted"], voted.json()["reason"]) == (False, reason)


async def test_what_a_text_has_shown_is_asked_of_nobody(client, part):
    part(RED, "one")
    path = f"{API}/{(await client.post(API, json={'prompt': 'Hello'})).json()['id']}"
    await client.get(f"{path}/stream")
    voted = await client.post(f"{path}/vote", json={"outcome": "a", "seen": {"a": f"{RED} {BLUE}"}})
    assert voted.json()["counted"]


async def test_another_site_serves_pages_where_the_operator_names_one(client, app, battle):
    frames = app.state.frames
    app.state.frames = type(frames)(frames.secret, "https://pages.example", "https://arena.example")
    address = (await pages(client, battle))[0]["pages"]["a"]["address"]
    assert address.startswith("https://pages.example/frames/")
    answer = await client.get(address.removeprefix("https://pages.example"), headers=FRAME)
    assert "frame-ancestors 'self' https://arena.example" in answer.headers["content-security-policy"]


async def test_the_board_of_pages_is_verified_from_public_files_alone(client, runtime, tmp_path):
    await runtime.database.write(add, 40, "red-7b", None)
    await runtime.database.write(add, FEWEST + 1, "blue-7b", NotCounted.WEB_PAGE)
    await publish(runtime, CountedLog())
    export, board = tmp_path / "votes.jsonl", tmp_path / "board.json"
    export.write_text((await client.get("/api/v1/votes/export")).text)
    answer = await client.get("/api/v1/leaderboard", params={"category": "web"})
    board.write_text(answer.text)
    assert {row["name"]: row["wins"] for row in answer.json()["rows"]} == {"blue-7b": FEWEST + 1, "red-7b": 0}
    assert verdict(None, export, board).holds
    lines = export.read_text().splitlines(keepends=True)
    export.write_text("".join(lines[:-1]))
    assert not verdict(None, export, board).holds
