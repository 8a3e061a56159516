import pytest


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/api/v1/leaderboard", "GET, HEAD"),
        ("GET", "/api/v1/battles", "POST"),
        ("PUT", "/api/v1/battles/abc/vote", "POST"),
        ("PATCH", "/api/v1/battles/abc", "GET, HEAD"),
        ("OPTIONS", "/api/v1/battles/abc/remarks", "GET, HEAD, POST"),
        ("TRACE", "/api/v1/battles/abc/share", "POST, DELETE"),
        ("FETCH", "/api/v1/models", "GET, HEAD"),
    ],
)
async def test_an_address_says_which_methods_it_takes(client, method, path, allow):
    answer = await client.request(method, path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == allow
    assert answer.json()["code"] == "method_not_allowed"


PATHS = ["/healthz", "/api/v1/models", "/api/v1/leaderboard", "/api/v1/status", "/api/v1/me/battles", "/api/v1/nothing"]
CHANGING = {"x-request-id", "date"}


@pytest.mark.parametrize("path", PATHS)
async def test_head_answers_as_get_does_without_a_body(client, path):
    whole, head = await client.get(path), await client.request("HEAD", path)
    assert head.status_code == whole.status_code
    assert head.content == b""
    assert {name: head.headers[name] for name in head.headers if name not in CHANGING} == {
        name: whole.headers[name] for name in whole.headers if name not in CHANGING
    }


async def test_head_of_a_stream_gives_its_headers_and_ends(client):
    battle = (await client.post("/api/v1/battles", json={"prompt": "Hello"})).json()["id"]
    head = await client.request("HEAD", f"/api/v1/battles/{battle}/stream")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"].startswith("text/event-stream")


async def test_head_changes_nothing(client):
    assert (await client.request("HEAD", "/api/v1/battles")).status_code == 405
