"""Pages beside the API."""

import pytest
from fastapi.responses import PlainTextResponse


@pytest.fixture
def paged(app):
    app.state.pages = PlainTextResponse("a page")
    return app


@pytest.mark.parametrize("path", ["/", "/leaderboard", "/assets/x.js", "/api", "/apis/x", "/api/v1/owners/part"])
async def test_what_is_no_call_is_a_page_under_the_same_guard(client, paged, path):
    answer = await client.get(path)
    assert answer.text == "a page"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-request-id"]


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/models", "/api/v1/nothing", "/api/"])
async def test_a_call_is_never_a_page(client, paged, path):
    assert (await client.get(path)).text != "a page"


async def test_what_is_posted_to_a_part_of_a_page_is_of_this_origin(client, paged):
    part = "/api/v1/owners/part?view=models"
    assert (await client.post(part, json={})).text == "a page"
    refused = await client.post(part, json={}, headers={"Sec-Fetch-Site": "cross-site"})
    assert refused.json()["code"] == "cross_origin"


async def test_a_part_takes_the_text_of_a_page_to_show_what_it_will_be(client, paged):
    text = {"text": "𠀀" * 20_000}
    assert (await client.post("/api/v1/operator/part?view=preview", json=text)).text == "a page"
    assert (await client.post("/api/v1/owners/part?view=models", json=text)).json()["code"] == "too_large"
