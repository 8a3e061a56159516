import pytest

from tests.api.conftest import events
from tests.usecases.battles.test_turns import BLUE, RED

API = "/api/v1/battles"


async def test_a_battle_is_opened_followed_and_looked_at(client, part):
    part(RED, "one")
    part(BLUE, "two")
    opened = await client.post(API, json={"prompt": "  Hello "})
    assert opened.status_code == 201
    body = opened.json()
    answers = {"a": "", "b": ""}
    turn = {"number": 1, "prompt": "Hello", "images": [], "state": "running", "generation": 0, "answers": answers}
    assert body == {"id": body["id"], "state": "open", "turns": [turn], "outcome": None}
    stream = await client.get(f"{API}/{body['id']}/stream")
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.headers["x-accel-buffering"] == "no"
    kinds = events(stream.text)
    assert kinds[-1] == ("turn_ready", {"number": 1})
    assert {data["text"] for kind, data in kinds if kind == "delta"} == {"one", "two"}
    look = (await client.get(f"{API}/{body['id']}")).json()
    assert set(look["turns"][0]["answers"].values()) == {"one", "two"}


async def test_the_voter_cookie_is_out_of_scripts_reach(client):
    cookie = (await client.post(API, json={"prompt": "Hello"})).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    second = await client.post(API, json={"prompt": "Hello"})
    assert "set-cookie" not in second.headers


@pytest.mark.parametrize("cookie", ["", "x", "x.y", "..", "a" * 4000, "ünïcode.zzz"])
async def test_a_forged_cookie_is_nobody(client, finish, cookie):
    battle_id = await finish()
    client.cookies.clear()
    answer = await client.get(f"{API}/{battle_id}", headers={"Cookie": f"arena_voter={cookie}".encode()})
    assert answer.status_code == 404


async def test_cookies_that_would_take_long_to_read_are_refused_unread(client):
    cookie = 'arena_voter="' + "\\" * 60_000 + '"'
    answer = await client.get("/healthz", headers={"Cookie": cookie})
    assert (answer.status_code, answer.json()["code"]) == (431, "headers_too_large")


async def test_a_monitor_may_ask_for_the_head_alone(client):
    for path in ("/healthz", "/readyz"):
        assert (await client.head(path)).status_code == 200


async def test_a_foreign_id_and_an_unknown_id_are_answered_with_the_same_bytes(client, finish):
    battle_id = await finish()
    client.cookies.clear()
    await finish()
    foreign, unknown = await client.get(f"{API}/{battle_id}"), await client.get(f"{API}/{'x' * len(battle_id)}")
    assert (foreign.status_code, foreign.content) == (unknown.status_code, unknown.content)
    foreign_says, unknown_says = ({**answer.headers, "date": "", "x-request-id": ""} for answer in (foreign, unknown))
    assert foreign_says == unknown_says


async def test_a_reader_with_everything_gets_no_content(client, finish):
    battle_id = await finish()
    stream = await client.get(f"{API}/{battle_id}/stream")
    last = [line[4:] for line in stream.text.splitlines() if line.startswith("id: ")][-1]
    again = await client.get(f"{API}/{battle_id}/stream", headers={"Last-Event-ID": last})
    assert (again.status_code, again.content) == (204, b"")


async def test_another_turn_regenerate_stop_and_skip_answer_with_the_battle(client, finish):
    battle_id = await finish()
    turn = await client.post(f"{API}/{battle_id}/turns", json={"prompt": "more"})
    assert [t["state"] for t in turn.json()["turns"]] == ["ready", "running"]
    await client.get(f"{API}/{battle_id}/stream")
    again = await client.post(f"{API}/{battle_id}/regenerate")
    assert again.json()["turns"][1]["generation"] == 1
    await client.get(f"{API}/{battle_id}/stream")
    assert (await client.post(f"{API}/{battle_id}/stop")).json()["state"] == "open"
    assert (await client.post(f"{API}/{battle_id}/skip")).json()["state"] == "abandoned"


@pytest.mark.parametrize("kind", ["battles", "chats"])
async def test_a_vote_from_a_tab_with_older_answers_is_refused(client, kind):
    path = f"/api/v1/{kind}"
    body = {"prompt": "Hello"} | ({"models": [RED, BLUE]} if kind == "chats" else {})
    path = f"{path}/{(await client.post(path, json=body)).json()['id']}"
    await client.get(f"{path}/stream")
    await client.post(f"{path}/regenerate")
    await client.get(f"{path}/stream")
    for older in ({"turn": 1, "generation": 0}, {"turn": 2, "generation": 1}, {"generation": 0}, {"turn": 2**200}):
        refused = await client.post(f"{path}/vote", json={"outcome": "a", **older})
        assert (refused.status_code, refused.json()["code"]) == (409, "answers_changed")
    for body in ({"outcome": "a", "turn": 1, "generation": 1}, {"outcome": "a"} if kind == "chats" else {}):
        assert not body or (await client.post(f"{path}/vote", json=body)).status_code == 200


async def test_a_client_that_does_not_say_which_answers_it_shows_votes_on_the_newest(client, finish):
    assert (await client.post(f"{API}/{await finish()}/vote", json={"outcome": "a"})).status_code == 200


async def test_a_view_says_how_its_turn_failed_and_nothing_of_it_otherwise(client, part):
    part(RED, hang=True)
    path = f"{API}/{(await client.post(API, json={'prompt': 'Hello'})).json()['id']}"
    assert "failure" not in (await client.get(path)).json()["turns"][0]
    stopped = (await client.post(f"{path}/stop")).json()
    assert [turn["failure"] for turn in stopped["turns"]] == ["stopped_early"]
    part(RED, error=RuntimeError("down"))
    path = f"{API}/{(await client.post(API, json={'prompt': 'Hello'})).json()['id']}"
    await client.get(f"{path}/stream")
    assert (await client.get(path)).json()["turns"][0]["failure"] == "answer_failed"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"prompt": "   "}, 422, "prompt_empty"),
        ({"prompt": "x" * 12_001}, 422, "prompt_too_long"),
        ({"prompt": 5}, 422, "invalid"),
        ({}, 422, "invalid"),
        ({"prompt": "x", "endpoint": "mine"}, 422, "invalid"),
        ([], 422, "invalid"),
    ],
)
async def test_a_bad_prompt_gets_a_clear_problem(client, body, status, code):
    answer = await client.post(API, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 5_000, b'{"prompt": "\\ud800"}'])
async def test_broken_json_never_crashes(client, content):
    answer = await client.post(API, content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code in {201, 400, 422}
    assert answer.status_code == 201 or answer.json()["code"] in {"invalid", "bad_request", "too_deep"}


async def test_a_form_from_another_page_cannot_pretend_to_be_json(client):
    answer = await client.post(API, content=b'{"prompt": "x"}', headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "null", "Sec-Fetch-Site": "none"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://["},
        {"Origin": "http://arena.test.evil.example"},
        {"Origin": "http://arena.test:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://arena.test"},
    ],
)
@pytest.mark.parametrize("path", ["", "/x/turns", "/x/regenerate", "/x/stop", "/x/skip", "/x/vote"])
async def test_a_change_from_a_foreign_page_is_refused(client, headers, path):
    answer = await client.post(API + path, json={"prompt": "x"}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "cross_origin")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://arena.test"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "null"},
    ],
)
async def test_a_change_from_our_own_page_or_a_program_is_taken(client, headers):
    assert (await client.post(API, json={"prompt": "x"}, headers=headers)).status_code == 201


@pytest.mark.parametrize("path", ["/api/v1/status", "/api/v1/nothing", "/healthz", API, "/api/v1/leaderboard"])
async def test_every_answer_carries_the_guarding_headers(client, path):
    answer = await client.get(path)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"


async def test_too_many_prompts_are_told_when_to_come_back(client, runtime):
    runtime.limits.allowance = type(runtime.limits.allowance)(prompts_per_voter=2)
    for _ in range(2):
        assert (await client.post(API, json={"prompt": "x"})).status_code == 201
    answer = await client.post(API, json={"prompt": "x"})
    assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")
    assert 1 <= int(answer.headers["retry-after"]) == answer.json()["retry_after"] <= 60


async def test_an_unforeseen_error_shows_nothing_of_its_inside(client, monkeypatch):
    monkeypatch.setattr("arena.usecases.battles.battles.detect", lambda _: 1 / 0)
    answer = await client.post(API, json={"prompt": "x"})
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "division" not in answer.text


async def test_a_server_going_down_says_so(client, runtime):
    runtime.closing = True
    answer = await client.post(API, json={"prompt": "x"})
    assert (answer.status_code, answer.json()["code"]) == (503, "shutting_down")
    assert (await client.get("/readyz")).status_code == 503
    assert (await client.get("/healthz")).status_code == 200


@pytest.mark.parametrize("path", ["/api", "/api/v2/battles", "/api/v1/battle", "/api/v1/battles/x/y/z"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
async def test_an_unknown_path_of_the_api_is_a_problem_too(client, method, path):
    answer = await client.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
