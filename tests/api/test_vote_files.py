"""Votes from a file by the operator: a look that writes nothing, the same votes when it is added, clear refusals."""

from __future__ import annotations

import base64
import tempfile

import httpx2
import pytest

from arena.adapters.store import votes as stored
from arena.api.http.voter_cookie import Cookies
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from tests.api.conftest import ORIGIN
from tests.paths import ROOT

KEY = "k" * 40
FEEDBACK = ROOT / "tests" / "fixtures" / "feedback.json"
TABLE = "model_a,model_b,winner\n" + "x,y,model_a\ny,z,model_b\nz,x,tie\n" * 4 + "x,x,model_a\n"


@pytest.fixture
async def operator(runtime):
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=KEY))
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app), base_url=f"{ORIGIN}/api/v1/operator", headers=headers, timeout=120
    ) as client:
        yield client


def file(name: str, body: bytes) -> dict[str, object]:
    return {"name": name, "content": base64.b64encode(body).decode()}


async def test_feedback_is_seen_with_both_boards_before_anything_is_written_and_then_added_once(runtime, operator):
    body = file("feedback.json", FEEDBACK.read_bytes())
    seen = (await operator.post("/votes/preview", json=body)).json()
    assert (await runtime.database.read(stored.count), len(seen["rows"])) == (0, 20)
    assert seen["models"] == 4
    assert "Open WebUI takes one pass of Elo" in seen["difference"]
    picture = base64.b64decode(seen["picture"].removeprefix("data:image/svg+xml;base64,")).decode()
    assert picture.startswith("<svg ")
    for number in ("1086", "1094", "893", "916"):
        assert f">{number}<" in picture
    added = (await operator.post("/votes", json=body)).json()
    assert (added["votes"], added["known"]) == (seen["votes"], 0)
    assert await runtime.database.read(stored.count) == seen["votes"]
    assert (await operator.post("/votes", json=body)).json() == {"votes": 0, "known": seen["votes"], "names": []}
    kinds = [act["kind"] for act in (await operator.get("/acts")).json()]
    assert "votes_imported" in kinds


@pytest.mark.parametrize("name", ["票" * 190 + ".csv", "a\0b.csv", "C:\\votes\\.csv"])
async def test_a_file_can_have_any_name_that_ends_as_its_form_does(operator, name):
    answer = await operator.post("/votes/preview", json=file(name, TABLE.encode()))
    assert (answer.status_code, answer.json()["votes"]) == (200, 12)


async def test_a_name_of_dots_is_no_folder(operator):
    answer = await operator.post("/votes/preview", json=file("votes/..", TABLE.encode()))
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


async def test_a_bad_row_is_named_with_its_line_and_the_others_are_counted(operator):
    seen = (await operator.post("/votes/preview", json=file("votes.csv", TABLE.encode()))).json()
    assert (seen["votes"], seen["models"], seen["bad"], seen["difference"]) == (12, 3, 1, "")
    assert seen["bad_rows"][0].startswith("line 14")


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("votes.csv", b"a,b\n1,2\n", "Name the columns"),
        ("feedback.json", b"[]", "no vote in it"),
        ("x.bin", b"\x00\x01\x02", "neither JSON nor CSV"),
        ("../../etc/passwd", b"root:x", "neither JSON nor CSV"),
    ],
)
async def test_a_file_of_another_tool_is_one_sentence_without_a_folder(operator, name, body, said):
    answer = await operator.post("/votes/preview", json=file(name, body))
    assert answer.json()["code"] == "invalid"
    assert said in answer.json()["detail"]
    assert tempfile.gettempdir() not in answer.text


async def test_what_is_not_base64_and_who_has_no_key_are_refused(operator):
    assert (await operator.post("/votes/preview", json={"name": "x", "content": "é"})).json()["code"] == "invalid"
    bare = await operator.post("/votes/preview", json=file("x", b"1"), headers={"Authorization": "Bearer no"})
    assert bare.status_code in {401, 403}
