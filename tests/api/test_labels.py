"""The operator labels a sample, and everybody reads how labellers compare."""

from __future__ import annotations

from random import Random

import httpx2

from arena.api.http.voter_cookie import Cookies
from arena.domain.operators import OperatorRole
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.labelling import samples
from arena.usecases.people import operators
from tests.api.conftest import ORIGIN
from tests.conftest import START
from tests.evaluations.usecases.populated import keep_set

KEY = "k" * 40


async def test_the_operator_reads_items_and_everybody_sees_the_counts_without_text(runtime):
    await keep_set(runtime.database)
    await samples.draw(runtime.database, "capabilities", ["ours"], Random(1), START)
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=KEY))
    headers = {"Authorization": f"Bearer {KEY}"}
    query = {"set": "capabilities", "reader": "anna"}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=f"{ORIGIN}/api/v1") as client:
        assert (await client.get("/labellers")).json() == []
        work = (await client.get("/operator/labels", params=query, headers=headers)).json()
        assert (work["item"]["number"], work["items"], work["readings"]) == (1, 3, 0)
        reading = {**query, "number": 1, "reading": 1, "values": ["knowledge"]}
        assert (await client.post("/operator/labels", json=reading, headers=headers)).status_code == 204
        assert (await client.post("/operator/labels", json=reading, headers=headers)).json()[
            "code"
        ] == "already_annotated"
        wrong_reading = reading | {"number": 2, "values": ["cooking"]}
        assert (await client.post("/operator/labels", json=wrong_reading, headers=headers)).json()["code"] == "invalid"
        answer = await client.get("/labellers")
    assert answer.json()[0]["readings"] == 1
    assert answer.headers["Cache-Control"] == "public, max-age=60"
    assert work["item"]["prompts"][0] not in answer.text


async def test_an_operator_with_a_name_is_one_reader_whatever_they_call_themselves(runtime):
    await keep_set(runtime.database)
    await samples.draw(runtime.database, "capabilities", ["ours"], Random(1), START)
    key = await operators.add(runtime.database, "Ada", OperatorRole.MODERATOR, START)
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(named_operators=True))
    headers = {"Authorization": f"Bearer {key}"}
    reading = {"set": "capabilities", "reader": "anna", "number": 1, "reading": 1, "values": ["knowledge"]}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=f"{ORIGIN}/api/v1") as client:
        assert (await client.post("/operator/labels", json=reading, headers=headers)).status_code == 204
        again = await client.post("/operator/labels", json=reading | {"reader": "ben"}, headers=headers)
        query = {"set": "capabilities", "reader": "ben"}
        work = (await client.get("/operator/labels", params=query, headers=headers)).json()
    assert again.json()["code"] == "already_annotated"
    assert work["item"]["number"] == 2
