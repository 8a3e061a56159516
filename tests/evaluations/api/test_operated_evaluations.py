"""The operator sees all evaluations, sets what still can be set, and people review converted questions."""

from __future__ import annotations

import httpx2
import pytest

from arena.adapters.store import questions
from arena.api.http.voter_cookie import Cookies
from arena.domain.errors import Conflict, Invalid
from arena.evaluations import usecases as evaluations
from arena.evaluations.domain.schemas.evaluations import EvaluationChangeRequest
from arena.evaluations.store import conversions
from arena.evaluations.store import evaluations as stored
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from tests.api.conftest import ORIGIN
from tests.conftest import START
from tests.evaluations.usecases.populated import add_evaluation, keep_set

KEY = "k" * 40
WORDING = {"question": "Which is a sea?", "options": ["Baltic", "Rhine", "Alps", "Mars"], "key": "A"}


@pytest.fixture
async def operator(runtime):
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=KEY))
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app), base_url=f"{ORIGIN}/api/v1/operator", headers=headers
    ) as client:
        yield client


async def test_thresholds_and_design_are_set_and_shown_to_everybody(runtime, operator):
    await add_evaluation(runtime.database, public=True)
    wanted = {"design": "balanced", "least_consistency": 0.6, "least_right": 0.5}
    found = (await operator.patch("/evaluations/taste", json=wanted)).json()
    assert {name: found[name] for name in wanted} == wanted
    assert [each["name"] for each in (await operator.get("/evaluations")).json()] == ["taste"]
    assert (await operator.patch("/evaluations/taste", json={"least_right": 0})).json()["least_right"] is None
    told = await evaluations.progress(runtime.database, "taste")
    assert (told.design, told.least_consistency, told.least_right, told.per_item) == ("balanced", 0.6, None, 3)
    for wrong in ({"design": "none"}, {"least_right": 2}, {"design": "pair-table"}):
        assert (await operator.patch("/evaluations/taste", json=wrong)).json()["code"] == "invalid"
    assert (await operator.patch("/evaluations/none", json={})).json()["code"] == "evaluation_not_found"


async def test_what_has_items_keeps_its_design_and_what_is_closed_changes_no_more(database):
    await add_evaluation(database, models=(), others=["gull", "tern"])
    with pytest.raises(Invalid, match="pair table"):
        await evaluations.change(database, "taste", EvaluationChangeRequest(design="pair-table"))
    await evaluations.change(database, "taste", EvaluationChangeRequest(design="all"))
    await database.write(lambda session: setattr(_row(session), "state", "open"))
    with pytest.raises(Conflict, match="its design stays all"):
        await evaluations.change(database, "taste", EvaluationChangeRequest(design="balanced"))
    assert (await evaluations.change(database, "taste", EvaluationChangeRequest(least_right=0.4))).least_right == 0.4
    await database.write(lambda session: setattr(_row(session), "state", "closed"))
    with pytest.raises(Conflict, match="is closed"):
        await evaluations.change(database, "taste", EvaluationChangeRequest(least_right=0.5))
    await add_evaluation(database, "based", models=(), others=["gull"], baseline="tern")
    with pytest.raises(Conflict, match="has a baseline"):
        await evaluations.change(database, "based", EvaluationChangeRequest(design="all"))


def _row(session):
    return stored.by_name(session, "taste")


async def test_three_people_confirm_a_converted_question_and_each_only_once(runtime, operator):
    await keep_set(runtime.database)

    def convert(session) -> None:
        rows = list(questions.every(session, 1))
        facts = {"endpoint": "maker", "version": 1, "tokens": 9, "created_at": START}
        conversions.add(session, question_id=rows[1].id, text="nothing", reason="no options", **facts)
        conversions.add(session, question_id=rows[2].id, text="a question", wording=WORDING, **facts)

    await runtime.database.write(convert)

    async def work(reviewer: str):
        return (await operator.get("/conversions", params={"questions": "ours", "reviewer": reviewer})).json()

    async def review(number: int, **said):
        answer = await operator.post(f"/conversions/{number}/reviews", json=said)
        return answer.status_code if answer.status_code == 204 else answer.json()["code"]

    first = await work("anna")
    assert (first["item"]["state"], first["item"]["wording"]) == ("unreadable", None)
    assert first["states"] == {"unreadable": 1, "converted": 1}
    assert await review(1, reviewer="anna", verdict="confirmed") == "invalid"
    assert await review(1, reviewer="anna", verdict="rejected") == "invalid"
    assert await review(1, reviewer="anna", verdict="rejected", remark="There is no right answer.") == 204
    assert await review(1, reviewer="ben", verdict="confirmed") == "already_reviewed"
    assert (await work("anna"))["item"]["wording"] == WORDING
    assert await review(2, reviewer="anna", verdict="confirmed") == 204
    assert await review(2, reviewer=" ANNA", verdict="confirmed") == "already_reviewed"
    assert (await work("Anna"))["item"] is None
    other = WORDING | {"question": "Which of these is a sea?"}
    assert await review(2, reviewer="ben", verdict="amended", wording=other) == 204
    assert (await work("anna"))["item"]["confirmed_by"] == ["ben"]
    for reviewer, state in (("anna", "reviewed twice"), ("cleo", "confirmed")):
        assert await review(2, reviewer=reviewer, verdict="confirmed") == 204
        assert (await work("dora"))["states"][state] == 1
    assert await review(2, reviewer="dora", verdict="confirmed") == "already_reviewed"
    assert await review(9, reviewer="dora", verdict="confirmed") == "not_found"
