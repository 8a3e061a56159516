"""Pages beside the API."""

import pytest
from fastapi.responses import PlainTextResponse


@pytest.fixture
def paged(app):
    app.state.pages = PlainTextResponse("a page")
    return app


@pytest.mark.parametrize("path", ["/", "/leaderboard", "/assets/x.js", "/api", "/apis/x"])
async def test_what_is_no_call_is_a_page_under_the_same_guard(client, paged, path):
    answer = await client.get(path)
    assert answer.text == "a page"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-request-id"]


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/models", "/api/v1/nothing", "/api/"])
async def test_a_call_is_never_a_page(client, paged, path):
    assert (await client.get(path)).text != "a page"
