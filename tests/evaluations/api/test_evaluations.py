"""Evaluations over HTTP: annotating by a link, and what everybody may see."""

from __future__ import annotations

from codecs import BOM_UTF8

import pytest

from arena.evaluations.domain.schemas.evaluation_reports import LeftOutView
from arena.evaluations.usecases import definition, lifecycle
from arena.evaluations.usecases.definition import NewEvaluation
from arena.evaluations.usecases.people import annotators
from arena.evaluations.usecases.reports.report import report
from arena.evaluations.usecases.sets import sets
from tests.conftest import START
from tests.evaluations.usecases.populated import EVALUATION, keep_set, open_public


@pytest.fixture
async def link(runtime, tmp_path, monkeypatch) -> str:
    monkeypatch.setattr(runtime, "now", lambda: START)
    await keep_set(runtime.database)
    await sets.publish(runtime.database, "ours", public=True)
    return await open_public(runtime.database, "ours", tmp_path, START)


async def test_an_annotator_gets_items_judges_them_and_may_take_the_last_answer_back(client, link):
    there = f"/api/v1/annotate/{link}/items"
    seen = (await client.post(there)).json()
    assert [len(item["answers"]) for item in seen["items"]] == [2, 2]
    assert (await client.post(there)).headers["cache-control"] == "no-store"
    assert (seen["done"], seen["left"], seen["protocol"]["name"]) == (0, 2, "pairwise")
    assert "gull" not in str(seen)
    body = {"said": {"outcome": "a"}, "milliseconds": 900}
    assert (await client.put(f"{there}/1", json=body)).status_code == 204
    again = await client.put(f"{there}/1", json=body)
    assert (again.status_code, again.json()["code"]) == (409, "already_annotated")
    assert (await client.delete(f"{there}/1")).status_code == 204
    assert (await client.put(f"{there}/1", json=body)).status_code == 204
    assert (await client.post(there)).json()["done"] == 1


@pytest.mark.parametrize("said", [{}, {"outcome": "left"}, {"outcome": "a", "taste": 3}, {"outcome": [1]}])
async def test_what_the_protocol_does_not_know_is_refused(client, link, said):
    await client.post(f"/api/v1/annotate/{link}/items")
    answer = await client.put(f"/api/v1/annotate/{link}/items/1", json={"said": said})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


async def test_a_wrong_link_and_a_revoked_one_are_answered_alike(client, runtime, link):
    await annotators.revoke(runtime.database, EVALUATION, "1", START)
    answers = [await client.post(f"/api/v1/annotate/{each}/items") for each in (link, "none", "%20")]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(404, "annotator_not_found")}


async def test_whoever_joins_is_known_by_the_cookie(client, link):
    path = f"/api/v1/evaluations/{EVALUATION}/annotators"
    first, second = [(await client.post(path)).json()["link"] for _ in range(2)]
    assert (await client.post(f"/api/v1/annotate/{first}/items")).status_code == 404
    assert (await client.post(f"/api/v1/annotate/{second}/items")).json()["left"] == 2
    assert (await client.post("/api/v1/evaluations/none/annotators")).status_code == 404


@pytest.mark.parametrize("public", [True, False])
async def test_a_stranger_cannot_tell_a_draft_from_what_does_not_exist(client, runtime, link, public):
    """On every route with the name of an evaluation but those of operators."""
    draft = NewEvaluation("soon", "ours", "pairwise", others=("gull", "tern"), public=public)
    await definition.create(runtime.database, draft, START)
    paths = (await client.get("/api/v1/openapi.json")).json()["paths"]
    named = {path: paths[path] for path in paths if "{evaluation}" in path and "/operator/" not in path}
    assert len(named) > 2
    for path, methods in named.items():
        for method in methods:
            answers = [await client.request(method, path.format(evaluation=name)) for name in ("none", "soon")]
            none, soon = [(answer.status_code, answer.text) for answer in answers]
            assert none == soon, path
            assert none[0] == 404


async def test_few_people_of_one_neighbourhood_join_at_once(app, client, link):
    path = f"/api/v1/evaluations/{EVALUATION}/annotators"
    limit = app.state.windows.joins.limit

    async def joined() -> int:
        client.cookies.clear()
        return (await client.post(path)).status_code

    assert {await joined() for _ in range(limit)} == {201}
    assert await joined() == 429
    assert (await client.post("/api/v1/evaluations/none/annotators")).status_code == 429


async def test_a_join_that_is_refused_is_not_counted(app, client, link):
    limit = app.state.windows.joins.limit
    paths = [f"/api/v1/evaluations/{name}/annotators" for name in ("none", EVALUATION)]
    assert {(await client.post(paths[0])).status_code for _ in range(limit + 1)} == {404}
    assert (await client.post(paths[1])).status_code == 201


async def test_models_and_report_are_shown_once_it_is_closed_and_published(client, runtime, link):
    [found] = (await client.get("/api/v1/evaluations")).json()
    assert (found["name"], found["state"], found["items"]) == (EVALUATION, "open", 2)
    record = (await client.get(f"/api/v1/evaluations/{EVALUATION}")).json()
    assert (record["models"], record["report"]) == ([], None)
    items, join = f"/api/v1/annotate/{link}/items", f"/api/v1/evaluations/{EVALUATION}/annotators"
    await lifecycle.close_evaluation(runtime.database, EVALUATION, START)
    for path in (items, join):
        refused = (await client.post(path)).json()
        assert (refused["code"], refused["params"]) == (
            "evaluation_closed",
            {"rule": "unpublished", "name": EVALUATION},
        )
    await lifecycle.publish_report(runtime.database, EVALUATION, report)
    record = (await client.get(f"/api/v1/evaluations/{EVALUATION}")).json()
    assert (record["models"], record["report"]["annotations"]) == (["gull", "tern"], 0)
    for path in (items, join):
        assert (await client.post(path)).json()["params"] == {"rule": "published", "name": EVALUATION}
    assert (await client.get("/api/v1/evaluations/none")).status_code == 404


async def test_a_judgement_that_is_sent_again_is_told_whether_it_is_the_one_that_was_kept(client, runtime, link):
    async def send(number: int, outcome: str) -> tuple[str, object, object]:
        answer = await client.put(f"/api/v1/annotate/{link}/items/{number}", json={"said": {"outcome": outcome}})
        problem = {"code": "", "params": {}} if answer.status_code == 204 else answer.json()
        return problem["code"], problem["params"].get("rule"), problem["params"].get("kept")

    await client.post(f"/api/v1/annotate/{link}/items")
    assert await send(1, "a") == ("", None, None)
    assert [await send(1, outcome) for outcome in "ab"] == [
        ("already_annotated", "same", None),
        ("already_annotated", "other", None),
    ]
    assert await send(9, "a") == ("already_annotated", "given", None)
    await client.delete(f"/api/v1/annotate/{link}/items/1")
    assert await send(1, "b") == ("", None, None)
    await lifecycle.close_evaluation(runtime.database, EVALUATION, START)
    closed = "evaluation_closed", "unpublished"
    assert [await send(1, outcome) for outcome in "ba"] == [(*closed, True), (*closed, None)]
    assert await send(2, "a") == (*closed, None)


async def test_a_published_report_is_csv_too_and_no_cell_of_it_is_a_formula(client, runtime, link):
    path = f"/api/v1/evaluations/{EVALUATION}/report.csv"
    assert (await client.get(path)).json()["code"] == "evaluation_not_found"
    left_out = LeftOutView(label="=1+1", reason="asked for", annotations=2)

    async def compute(database, name):
        return (await report(database, name)).model_copy(update={"left_out": [left_out]})

    await lifecycle.close_evaluation(runtime.database, EVALUATION, START)
    await lifecycle.publish_report(runtime.database, EVALUATION, compute)
    answer = await client.get(path)
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.content.startswith(BOM_UTF8), "spreadsheets know UTF-8 by it"
    assert "left_out\nlabel,reason,annotations\n'=1+1,asked for,2\n" in answer.text
