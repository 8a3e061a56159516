import pytest


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/api/v1/leaderboard", "GET"),
        ("GET", "/api/v1/battles", "POST"),
        ("PUT", "/api/v1/battles/abc/vote", "POST"),
        ("PATCH", "/api/v1/battles/abc", "GET"),
    ],
)
async def test_an_address_says_which_methods_it_takes(client, method, path, allow):
    answer = await client.request(method, path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == allow
    assert answer.json()["code"] == "method_not_allowed"


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
async def test_an_unknown_address_is_not_found_with_any_method(client, method):
    answer = await client.request(method, "/api/v1/nothing/here")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
