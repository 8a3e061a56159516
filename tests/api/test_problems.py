"""Problem details: a code and parameters besides the English sentence."""

from __future__ import annotations

from typing import Annotated

import httpx2
import pytest
from fastapi import FastAPI, Query

from arena.api.http import problems
from arena.domain.errors import Invalid, ModelAway
from arena.domain.schemas.problems import ProblemView

SIGN_UP = {"name": "Acme", "contact": "me@acme.example"}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"name": None}, {"field": "name", "rule": "type"}),
        ({"name": " Acme"}, {"field": "name", "rule": "line", "limit": 80}),
        ({"colour": "red"}, {"field": "colour", "rule": "unknown"}),
    ],
)
async def test_a_field_that_does_not_fit_is_named_with_its_rule_and_limit(client, change, problem):
    refused = ProblemView.model_validate((await client.post("/api/v1/owners", json=SIGN_UP | change)).json())
    assert (refused.status, refused.code) == (422, "invalid")
    assert refused.params == problem
    assert refused.detail is not None


async def test_each_of_several_fields_is_told(client):
    refused = ProblemView.model_validate((await client.post("/api/v1/owners", json={})).json())
    assert [problem["field"] for problem in refused.problems or []] == ["name", "contact"]


async def test_a_choice_names_what_may_be_chosen(client):
    refused = await client.post("/api/v1/battles/0/vote", json={"outcome": "c"})
    assert refused.json()["params"]["choices"] == ["a", "b", "tie", "both_bad"]


def test_the_english_detail_is_made_of_the_parameters():
    assert Invalid(field="key", rule="ascii", limit=4_000).detail == "key: 1 to 4,000 printable ASCII characters"
    assert ModelAway(name="Gull").detail == "Gull is not available: paused, suspended or retired."
    assert ModelAway().detail is None


async def test_a_limit_of_zero_is_told_like_any_other():
    app = FastAPI()

    @app.get("/")
    async def count(_number: Annotated[int, Query(alias="number", ge=0)]) -> None: ...

    problems.install(app)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://arena") as client:
        refused = ProblemView.model_validate((await client.get("/", params={"number": -1})).json())
    assert refused.params == {"field": "number", "rule": "least", "limit": 0}
