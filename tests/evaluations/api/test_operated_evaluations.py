"""The operator sees all evaluations, sets what still can be set, and people review converted questions."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import threading
from contextlib import suppress
from urllib.parse import unquote

import httpx2
import pytest
import segno
import zxingcpp
from PIL import Image
from sqlalchemy import select

from arena.adapters.row_files import confined
from arena.adapters.store import endpoints, owners, questions
from arena.adapters.store.tables.endpoints import OwnerRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.api.http.voter_cookie import Cookies
from arena.domain.errors import Conflict, Invalid, StoreUnavailable
from arena.evaluations.api import operated_evaluations
from arena.evaluations.cli.evaluation_tables import show_progress
from arena.evaluations.client import EvaluationClient
from arena.evaluations.domain.errors import EvaluationClosed
from arena.evaluations.domain.schemas.evaluations import AnnotationRequest, EvaluationChangeRequest
from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store import drafts
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases import generation, lifecycle, revision, views
from arena.evaluations.usecases.people import annotations, annotators
from arena.evaluations.usecases.reports.report import report
from arena.evaluations.usecases.runs import Runs
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.endpoints.probes.diagnostics import TITLES
from arena_providers.errors import BadCredentials
from tests.api.conftest import ORIGIN
from tests.api.examples import run_example
from tests.conftest import NAMES, START
from tests.evaluations.usecases.populated import add_evaluation, caller, keep_set
from tests.paths import ROOT
from tests.scripted import ScriptedAnswer

KEY = "k" * 40
SAID = AnnotationRequest(said={"outcome": "a"})
WORDING = {"question": "Which is a sea?", "options": ["Baltic", "Rhine", "Alps", "Mars"], "key": "A"}


@pytest.fixture
async def operator(runtime):
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=KEY))
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app), base_url=f"{ORIGIN}/api/v1/operator", headers=headers
    ) as client:
        yield client


@pytest.mark.process
async def test_the_lines_of_the_document_compare_finished_answers(operator, tmp_path, monkeypatch):
    text = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
    (answers,) = re.findall(r"```csv\n(question,.*?)```", text, re.DOTALL)
    (tmp_path / "answers.csv").write_text(answers)
    monkeypatch.chdir(tmp_path)
    operator.base_url = f"{ORIGIN}/api/v1"
    lines = await run_example("compare.md", EvaluationClient, operator, {"ARENA": ORIGIN, "KEY": KEY}, monkeypatch)
    assert lines == ["2 questions, 3 links"]


async def test_thresholds_and_design_are_set_and_shown_to_everybody(runtime, operator):
    await add_evaluation(runtime.database, public=True)
    wanted = {"design": "balanced", "least_consistency": 0.6, "least_right": 0.5}
    found = (await operator.patch("/evaluations/taste", json=wanted)).json()
    assert {name: found[name] for name in wanted} == wanted
    assert [each["name"] for each in (await operator.get("/evaluations")).json()] == ["taste"]
    assert (await operator.patch("/evaluations/taste", json={"least_right": 0})).json()["least_right"] is None
    told = await views.progress(runtime.database, "taste")
    assert (told.design, told.least_consistency, told.least_right, told.per_item) == ("balanced", 0.6, None, 3)
    for wrong in ({"design": "none"}, {"least_right": 2}, {"design": "pair-table"}):
        assert (await operator.patch("/evaluations/taste", json=wrong)).json()["code"] == "invalid"
    assert (await operator.patch("/evaluations/none", json={})).json()["code"] == "evaluation_not_found"


async def test_what_has_items_keeps_its_design_and_what_is_closed_changes_no_more(database):
    await add_evaluation(database, models=(), others=["gull", "tern"])
    with pytest.raises(Invalid, match="pair table"):
        await revision.change(database, "taste", EvaluationChangeRequest(design="pair-table"))
    await revision.change(database, "taste", EvaluationChangeRequest(design="all"))
    await database.write(lambda session: setattr(_row(session), "state", "open"))
    with pytest.raises(Conflict, match="its design stays all"):
        await revision.change(database, "taste", EvaluationChangeRequest(design="balanced"))
    assert (await revision.change(database, "taste", EvaluationChangeRequest(least_right=0.4))).least_right == 0.4
    await database.write(lambda session: setattr(_row(session), "state", "closed"))
    with pytest.raises(Conflict, match="is closed"):
        await revision.change(database, "taste", EvaluationChangeRequest(least_right=0.5))
    await add_evaluation(database, "based", models=(), others=["gull"], baseline="tern")
    with pytest.raises(Conflict, match="has a baseline"):
        await revision.change(database, "based", EvaluationChangeRequest(design="all"))


def _row(session):
    return stored.by_name(session, "taste")


async def test_three_people_confirm_a_converted_question_and_each_only_once(runtime, operator):
    await keep_set(runtime.database)

    def convert(session) -> None:
        rows = list(questions.list_all(session, 1))
        facts = {"endpoint": "maker", "version": 1, "tokens": 9, "created_at": START}
        drafts.add_conversion(session, question_id=rows[1].id, text="nothing", reason="no options", **facts)
        drafts.add_conversion(session, question_id=rows[2].id, text="a question", wording=WORDING, **facts)

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


ADDRESS = "https://arena.example"
DRAFT = {"name": "class", "content": "1. What is 2 + 2?\nName a sea.\n", "models": list(NAMES)}


async def run_to_the_end(runtime, scripted):
    runs = Runs(caller(runtime.database, scripted), None)  # type: ignore[arg-type] - no likelihoods are asked for
    await runs.look()
    await asyncio.gather(*runs._tasks.values())
    await runs.look()


async def test_pasted_questions_become_a_published_report(runtime, operator, scripted):
    made = await operator.post("/evaluations", json=DRAFT)
    assert made.status_code == 201, made.text
    assert (made.json()["questions"], made.json()["refused"]) == (2, [])
    assert not made.json()["openable"]
    refused = await operator.post("/evaluations/class/open", json={"partial": True})
    assert refused.json()["params"] == {"rule": "nothing_to_judge", "name": "class"}
    started = (await operator.post("/evaluations/class/run")).json()
    assert started["running"]
    await run_to_the_end(runtime, scripted)
    ended = (await operator.get("/evaluations/class")).json()
    assert not ended["running"]
    assert [(model["answered"], model["stopped"]) for model in ended["models"]] == [(2, None), (2, None)]
    assert all(model["tokens"] > 0 for model in ended["models"])
    assert ended["openable"]
    assert (await operator.post("/evaluations/class/open", json={})).json()["state"] == "open"
    wanted = {"number": 2, "address": ADDRESS}
    first, second = (await operator.post("/evaluations/class/annotators", json=wanted)).json()
    assert first["link"].startswith(f"{ADDRESS}/annotate#")
    assert first["link"] != second["link"]
    assert [who["label"] for who in (await operator.get("/evaluations/class/annotators")).json()] == ["1", "2"]
    refused = await operator.post("/evaluations/class/close", json={"publish": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "evaluation_incomplete")
    assert refused.json()["detail"] == "class has 0 of 6 annotations."
    closed = await operator.post("/evaluations/class/close", json={"publish": True, "incomplete": True})
    assert closed.json()["state"] == "closed"
    assert (await operator.get("../evaluations/class")).json()["report"]["name"] == "class"


@pytest.mark.both_databases
async def test_a_published_report_covers_what_the_digest_does_though_people_judge_as_it_is_computed(
    runtime, operator, scripted, monkeypatch
):
    link = await judged_once(runtime, scripted)

    async def report_and_judge(database, name):
        computed = await report(database, name)
        with suppress(EvaluationClosed):
            await annotations.annotate(runtime.database, link, 2, SAID, START)
        return computed

    monkeypatch.setattr(operated_evaluations, "report_apart", report_and_judge)
    closed = await operator.post("/evaluations/taste/close", json={"publish": True, "incomplete": True})
    assert closed.status_code == 200
    assert (await record_of(operator))["annotations"] == await annotations_in_log(runtime)
    acts = (await operator.get("/acts", params={"limit": 2})).json()
    assert [act["kind"] for act in acts] == ["report_published", "evaluation_closed"]


@pytest.mark.both_databases
async def test_a_close_that_ends_before_its_report_is_published_is_resumed_by_the_next(
    runtime, operator, scripted, monkeypatch
):
    await judged_once(runtime, scripted)
    body = {"publish": True, "incomplete": True}

    async def fail(*_):
        raise StoreUnavailable

    monkeypatch.setattr(operated_evaluations, "report_apart", fail)
    assert (await operator.post("/evaluations/taste/close", json=body)).status_code == 503
    monkeypatch.setattr(operated_evaluations, "report_apart", report)
    progress = (await operator.get("/evaluations/taste")).json()
    assert (progress["state"], progress["published"]) == ("closed", False)
    refused = await operator.post("/evaluations/taste/close", json={})
    assert refused.json()["detail"] == "taste is closed already; closing it with `publish` publishes its report."
    # What is missing stays so and is no reason to keep the report.
    assert (await operator.post("/evaluations/taste/close", json={"publish": True})).json()["published"]
    assert (await record_of(operator))["annotations"] == await annotations_in_log(runtime) == 1
    assert (await operator.post("/evaluations/taste/close", json=body)).json()["detail"] == "taste is closed already."


async def judged_once(runtime, scripted) -> str:
    """A link of an open evaluation, by which one item is judged."""
    await add_evaluation(runtime.database)
    await generation.generate(caller(runtime.database, scripted), "taste")
    await lifecycle.open_evaluation(runtime.database, "taste")
    ((_, link),) = await annotators.invite(runtime.database, "taste", 1, START)
    await annotations.items(runtime.database, link, "here", START)
    await annotations.annotate(runtime.database, link, 1, SAID, START)
    return link


async def record_of(operator) -> dict:
    """The published report."""
    return (await operator.get("../evaluations/taste")).json()["report"]


async def annotations_in_log(runtime) -> int:
    """The annotations of the closed evaluation as the log counts them."""
    query = select(LeafRow.data).where(LeafRow.kind == "evaluation")
    return json.loads(await runtime.database.read(lambda session: session.scalars(query).one()))["annotations"]


@pytest.mark.parametrize(
    "wrong", [{"models": []}, {"models": ["nobody"]}, {"protocol": "closed"}, {"models": [NAMES[0]]}], ids=str
)
async def test_a_refused_evaluation_leaves_no_set_and_no_act(runtime, operator, wrong):
    refused = await operator.post("/evaluations", json={**DRAFT, **wrong})
    assert refused.status_code == 422
    assert (await operator.get("/acts")).json() == []
    assert await runtime.database.read(questions.newest) == []


@pytest.mark.process
async def test_pictures_of_links_are_drawn_beside_the_event_loop(runtime, operator, monkeypatch):
    """A picture takes 15 ms of processor, and a request may ask for a hundred."""
    threads, make = [], segno.make

    def noted(*args, **kwargs):
        threads.append(threading.get_ident())
        return make(*args, **kwargs)

    monkeypatch.setattr(segno, "make", noted)
    await operator.post("/evaluations", json=DRAFT)
    await operator.post("/evaluations/class/annotators", json={"number": 3, "address": ADDRESS})
    assert len(threads) == 3
    assert threading.get_ident() not in threads


@pytest.mark.process
async def test_a_picture_leads_where_its_link_leads(runtime, operator):
    await operator.post("/evaluations", json=DRAFT)
    (invited,) = (await operator.post("/evaluations/class/annotators", json={"number": 1, "address": ADDRESS})).json()
    picture = drawn(unquote(invited["qr"].partition(",")[2]))
    assert [code.text for code in zxingcpp.read_barcodes(picture)] == [invited["link"]]


def drawn(svg: str) -> Image.Image:
    """The squares of a picture: runs of dark modules along rows, as lines of a path."""
    size, scale, path = re.search(r"width='(\d+)'.*scale\((\d+)\).*class='qrline'.* d='([^']+)'", svg).groups()  # type: ignore[union-attr]
    image, x, y = Image.new("L", (int(size), int(size)), 255), 0.0, 0.0
    for step, numbers in re.findall(r"([Mmh])([^Mmh]+)", path):
        values = [float(value) for value in re.findall(r"-?[\d.]+", numbers)]
        if step == "h":
            corners = (x, y - 0.5, x + values[0], y + 0.5)
            image.paste(0, tuple(int(int(scale) * corner) for corner in corners))  # type: ignore[arg-type]
            x += values[0]
        else:
            x, y = values if step == "M" else (x + values[0], y + values[1])
    return image


async def test_a_cancelled_run_ends_and_another_goes_on(runtime, operator, scripted):
    await operator.post("/evaluations", json=DRAFT)
    await operator.post("/evaluations/class/run")
    assert not (await operator.delete("/evaluations/class/run")).json()["running"]
    await run_to_the_end(runtime, scripted)
    assert [model["answered"] for model in (await operator.get("/evaluations/class")).json()["models"]] == [0, 0]
    await operator.post("/evaluations/class/run")
    await run_to_the_end(runtime, scripted)
    assert [model["answered"] for model in (await operator.get("/evaluations/class")).json()["models"]] == [2, 2]
    await operator.post("/evaluations/class/open", json={})
    assert (await operator.post("/evaluations/class/run")).json()["code"] == "conflict"


async def delete(operator, name: str = "class") -> int:
    return (await operator.delete(f"/evaluations/{name}")).status_code


@pytest.mark.process
@pytest.mark.both_databases
async def test_a_draft_that_holds_nothing_is_deleted_and_its_name_is_free_again(runtime, operator):
    made = await operator.post("/evaluations", json=DRAFT)
    assert made.json()["deletable"]
    assert await delete(operator) == 204
    assert (await operator.get("/evaluations")).json() == []
    newest = (await operator.get("/acts", params={"limit": 1})).json()[0]
    assert (newest["kind"], newest["target"]) == ("evaluation_deleted", "class")
    assert (await operator.post("/evaluations", json=DRAFT)).status_code == 201
    assert await delete(operator, "none") == 404


@pytest.mark.process
@pytest.mark.both_databases
async def test_an_evaluation_with_answers_people_or_a_run_is_not_deleted(runtime, operator, scripted):
    async def refused() -> bool:
        shown = (await operator.get("/evaluations/class")).json()["deletable"]
        answer = await operator.delete("/evaluations/class")
        return (shown, answer.status_code, answer.json().get("params")) == (
            *(False, 409),
            {"rule": "not_empty", "name": "class"},
        )

    await operator.post("/evaluations", json=DRAFT)
    await operator.post("/evaluations/class/annotators", json={"number": 1, "address": ADDRESS})
    assert await refused()
    await operator.post("/evaluations", json=DRAFT | {"name": "other"})
    await operator.post("/evaluations/other/run")
    assert await delete(operator, "other") == 409
    await run_to_the_end(runtime, scripted)
    assert await delete(operator, "other") == 409
    await operator.post("/evaluations/other/open", json={})
    assert await delete(operator, "other") == 409


@pytest.mark.process
@pytest.mark.both_databases
async def test_a_draft_of_which_every_answer_failed_says_why_and_is_deleted(runtime, operator, scripted, capsys):
    await operator.post("/evaluations", json=DRAFT)
    for name in NAMES:
        scripted.parts[name] = ScriptedAnswer(error=BadCredentials("401"))
    await operator.post("/evaluations/class/run")
    await run_to_the_end(runtime, scripted)
    model = (await operator.get("/evaluations/class")).json()["models"][0]
    assert model["faults"] == {"bad_credentials": 2}
    assert model["problems"] == [{"code": "key_missing", "title": TITLES["key_missing"]}]
    view = await views.progress(runtime.database, "class")
    show_progress(view.model_copy(update={"state": EvaluationState.OPEN}))  # its answers can no longer change
    assert TITLES["key_missing"] not in capsys.readouterr().out
    show_progress(view)
    out = capsys.readouterr().out
    assert f"{model['name']}: {TITLES['key_missing']}\n" in out
    assert "`arena evaluations run class --retry` asks again what failed.\n" in out
    assert await delete(operator) == 204


async def test_a_set_of_questions_may_have_four_megabytes_and_no_more(operator):
    content = "\n".join(f"Question {number}: why?" for number in range(5_000))
    assert len(content) > 65_536
    made = await operator.post("/evaluations", json=DRAFT | {"content": content})
    assert (made.status_code, made.json().get("questions")) == (201, 5_000)
    refused = await operator.post("/evaluations", json=DRAFT | {"content": "?" * 2**22})
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")


@pytest.mark.process
@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"content": " \n "}, "pasted.txt: there is no question."),
        ({"content": "PK", "file": "class.xlsx"}, "class.xlsx: it did not arrive as it was sent; choose it again."),
        ({"content": base64.b64encode(b"PK\x03\x04").decode(), "file": "a.xlsx"}, "a.xlsx: the zip file is damaged"),
        ({"content": base64.b64encode(b"\x00").decode(), "file": "../../x.bin"}, "x.bin: nobody knows the format"),
        ({"models": ["gull", NAMES[0]]}, "There is no endpoint 'gull'"),
        ({"models": [NAMES[0]]}, "An evaluation needs two models at least."),
        ({"name": "a/b"}, "name"),
    ],
)
async def test_what_makes_no_evaluation_is_refused_in_a_sentence(runtime, operator, changes, detail):
    refused = await operator.post("/evaluations", json=DRAFT | changes)
    assert refused.status_code in {400, 422}, refused.text
    assert detail in refused.text, refused.text


@pytest.mark.process
@pytest.mark.parametrize(
    ("changes", "params"),
    [
        ({"content": " \n "}, {"rule": "no_question"}),
        ({"content": "编号,备注\n1,a\n", "file": "a.csv"}, {"rule": "question_column", "names": ["'编号'", "'备注'"]}),
        ({"content": "题目\n“\n", "file": "a.csv"}, None),
        (
            {"content": base64.b64encode("题目\n为什么\n".encode("gb18030")).decode(), "file": "g.csv"},
            {"rule": "file_coding"},
        ),
        ({"content": "%PDF-1.7", "file": "a.pdf"}, {"rule": "file_kind"}),
        ({"content": "no rows", "file": "a.bin"}, {"rule": "file_format"}),
        ({"content": "[1, {", "file": "a.json"}, {"rule": "file_format"}),
        ({"content": "PK", "file": "a.xlsx"}, {"rule": "file_format"}),
        ({"name": "a/b"}, {"rule": "evaluation_name", "limit": 80}),
        ({"models": [NAMES[0]]}, {"rule": "two_models"}),
        ({"models": ["gull", NAMES[0]]}, {"rule": "no_model", "name": "gull"}),
        (
            {"content": "id,题目\n1,\n", "file": "a.csv"},
            {
                "rule": "no_usable_row",
                "line": 2,
                "reason": "题目: no text: ''",
                "row_rule": "missing",
                "row_column": "题目",
            },
        ),
    ],
)
async def test_the_page_can_say_in_its_language_why_a_file_makes_no_evaluation(operator, changes, params):
    is_whole = "file" not in changes or changes["file"] == "g.csv"
    content = changes if is_whole else sent(**changes)
    answer = await operator.post("/evaluations", json=DRAFT | content)
    assert answer.json().get("params") == params, answer.text


@pytest.mark.process
async def test_each_refused_row_has_its_rule_beside_its_sentence(operator):
    rows = ["id,题目,领域", "1,Why?,a", "2,,a", f"3,How?,{'x' * 81}", "4,Who?"]
    made = await operator.post("/evaluations", json=DRAFT | sent("\n".join(rows), "a.csv"))
    assert made.status_code == 201, made.text
    refused = made.json()["refused_rows"]
    assert [f"a.csv, line {row['line']}: {row['reason']}" for row in refused] == made.json()["refused"]
    assert [(row["line"], row["params"]) for row in refused] == [
        (3, {"rule": "missing", "column": "题目"}),
        (4, {"rule": "longest", "column": "area", "limit": 80}),
        (5, {"rule": "cells", "count": 2, "heads": 3}),
    ]


@pytest.mark.process
@pytest.mark.parametrize(
    ("rows", "reason", "params"),
    [
        (
            ["Why?,a", '"How?,b', "Who?,c", "When?,d"],
            "not CSV from here to the end of the file (3 lines): a quotation mark is not closed",
            {"rule": "quote", "count": 3},
        ),
        (
            ["Why?,a", '"How?,b', 'Who "is" it?,c', "When?,d"],
            "not CSV from here to line 4 (2 lines): ',' expected after '\"'",
            {"rule": "csv_lines", "count": 2, "last": 4},
        ),
        (["Why?,a", '"How"?,b', "Who?,c"], "not CSV: ',' expected after '\"'", {"rule": "csv"}),
    ],
)
async def test_a_quotation_mark_that_is_not_closed_is_told_with_all_the_lines_that_it_takes(
    operator, rows, reason, params
):
    made = await operator.post("/evaluations", json=DRAFT | sent("\n".join(["题目,领域", *rows]), "a.csv"))
    assert made.json()["refused_rows"] == [{"line": 3, "reason": reason, "params": params}]


MULTIPLE_CHOICE = """Question,A,B,C,D,Answer
Capital of France?,Paris,London,Berlin,Rome,Tours
1+1=?,1,2,3,4,2
H2O is?,gas,metal,water,salt,Ｃ
Capital of Italy?,Paris,London,Berlin,Rome,Rome
Who?,,,,,
Which?,a,a,b,c,A
"""


@pytest.mark.process
async def test_a_question_that_no_key_scores_is_left_out_with_its_line_and_the_reason(operator):
    closed = DRAFT | {"protocol": "closed"}
    made = (await operator.post("/evaluations", json=closed | sent(MULTIPLE_CHOICE, "mc.csv"))).json()
    assert [(question["turns"][0], question["key"]) for question in made["beginning"]] == [
        ("H2O is?", "C"),
        ("Capital of Italy?", "D"),
    ]
    assert [(row["line"], row["params"]) for row in made["refused_rows"]] == [
        (2, {"rule": "letter", "value": "'Tours'", "last": "D"}),
        (3, {"rule": "number", "value": "'2'", "last": "D"}),
        (6, {"rule": "no_options"}),
        (7, {"rule": "same_options"}),
    ]
    assert made["refused"][1] == "mc.csv, line 3: answer '2' is a number and not a letter from A to D"
    none = await operator.post("/evaluations", json=closed | {"name": "typed"})
    params = {"rule": "no_usable_row", "line": 1, "reason": "no options", "row_rule": "no_options"}
    assert (none.status_code, none.json()["params"]) == (422, params)


@pytest.mark.process
async def test_a_file_without_a_usable_question_tells_the_columns_that_were_not_used(operator):
    content = sent("Question,Option 1,Option 2,Answer\nWhich?,x,y,x\n", "mc.csv")
    none = await operator.post("/evaluations", json=DRAFT | {"protocol": "closed"} | content)
    params = {"rule": "no_row_of_columns", "line": 2, "reason": "no options", "row_rule": "no_options"}
    assert (none.status_code, none.json()["params"]) == (422, params | {"names": ["'Option 1'", "'Option 2'"]})
    empty = await operator.post("/evaluations", json=DRAFT | sent("Question,Remarks\n,x\n", "mc.csv"))
    assert empty.json()["params"]["names"] == ["'Remarks'"]


def sent(content: str, file: str) -> dict[str, object]:
    return {"content": base64.b64encode(content.encode()).decode(), "file": file}


LONG_FILES = {
    "questions": sent("prompt\n" + "".join(f"hi {number}?\n" for number in range(10_001)), "q.csv"),
    "refused rows": sent("prompt\nhi?\n" + "hi?\n" * 10_001, "q.csv"),
    "lines": {"content": "".join(f"hi {number}?\n" for number in range(10_001))},
    "answered questions": sent("question,model,answer\n" + "".join(f"q{n},m,a\n" for n in range(10_001)), "q.csv"),
    "answers": sent("question,gull,tern\n" + "".join(f"q{n},a,b\n" for n in range(5_001)), "q.csv"),
}


@pytest.mark.process
@pytest.mark.parametrize("kind", LONG_FILES)
async def test_a_draft_beyond_the_bound_is_refused_where_it_is_read(runtime, operator, kind):
    models = [] if "answer" in kind else list(NAMES)
    refused = await operator.post("/evaluations", json=DRAFT | LONG_FILES[kind] | {"models": models})
    unit = "answers" if kind == "answers" else "rows"
    assert refused.status_code == 422, refused.text
    assert refused.json()["detail"].endswith(f": more than 10,000 {unit}; split the file.")
    assert await runtime.database.read(questions.newest) == []


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"models": ["gull", NAMES[0]]}, "There is no endpoint 'gull'"),
        ({"models": [NAMES[0]] * 2}, "A model is named twice."),
        ({"models": [], "protocol": "closed"}, "An evaluation needs two models at least."),
        ({"name": "a/b"}, "An evaluation's name has"),
        ({"name": "taste"}, "There is an evaluation taste already."),
    ],
    ids=str,
)
async def test_no_file_is_read_for_settings_that_are_refused(runtime, operator, monkeypatch, changes, detail):
    await add_evaluation(runtime.database)
    monkeypatch.setattr(confined, "PROGRAM", "no.such.program")
    refused = await operator.post("/evaluations", json=DRAFT | changes)
    assert detail in refused.json()["detail"]


async def test_models_are_offered_with_practice_last(runtime, operator):
    offered = (await operator.get("/evaluation-models")).json()
    assert {model["name"] for model in offered} == set(NAMES)


def give_address(session, name: str) -> int:
    """Give a built-in model an address, so that its owner pays for calls."""
    row = endpoints.by_name(session, name)
    row.url = "https://red.example/v1"
    return row.id


async def test_an_owner_pays_who_has_an_account_and_whose_key_it_is(runtime, operator):
    async def billed() -> bool:
        offered = (await operator.get("/evaluation-models")).json()
        return next(view["billed"] for view in offered if view["name"] == NAMES[0])

    def owner_of(session) -> OwnerRow:
        return endpoints.by_name(session, NAMES[0]).owner

    def join(session) -> None:
        owners.join(session, "p" * 64, owner_of(session).id, START)

    def use_our_key(session) -> None:
        endpoints.by_name(session, NAMES[0]).key_env = "OUR_KEY"

    await runtime.database.write(give_address, NAMES[0])
    assert not await billed()
    await runtime.database.write(lambda session: owners.set_key(session, owner_of(session).id, ("id", "d" * 64), START))
    assert await billed()
    await runtime.database.write(lambda session: owners.drop_key(session, owner_of(session).id))
    assert not await billed()
    await runtime.database.write(join)
    assert await billed()
    await runtime.database.write(use_our_key)
    assert not await billed()


async def test_every_active_model_is_offered_and_an_operator_allows_what_its_owner_has_not(runtime, operator):
    async def offered() -> dict[str, bool]:
        return {view["name"]: view["allowed"] for view in (await operator.get("/evaluation-models")).json()}

    number = await runtime.database.write(give_address, NAMES[0])
    assert await offered() == {NAMES[0]: False, **dict.fromkeys(NAMES[1:], True)}
    path = f"/endpoints/{number}/uses/evaluations"
    for allowed in (False, True):
        answer = await operator.put(path, json={"allowed": allowed})
        assert answer.status_code == 204
        assert await offered() == {NAMES[0]: allowed, **dict.fromkeys(NAMES[1:], True)}
    assert (await operator.put("/endpoints/4711/uses/evaluations", json={"allowed": True})).status_code == 404
    (act, *_) = (await operator.get("/acts")).json()
    assert (act["kind"], act["target"], act["why"]) == ("endpoint_changed", NAMES[0], "evaluations: on")


async def test_only_an_owner_who_pays_and_can_sign_in_allows_a_use(runtime, operator):
    def claim(session) -> None:
        owners.join(session, "p" * 64, endpoints.by_name(session, NAMES[0]).owner.id, START)

    number = await runtime.database.write(give_address, NAMES[0])
    await runtime.database.write(claim)
    refused = await operator.put(f"/endpoints/{number}/uses/evaluations", json={"allowed": True})
    assert (refused.status_code, refused.json()["params"]["rule"]) == (409, "use_owner")
    offered = {view["name"]: view["allowed"] for view in (await operator.get("/evaluation-models")).json()}
    assert not offered[NAMES[0]]
    assert (await operator.put(f"/endpoints/{number}/uses/evaluations", json={"allowed": False})).status_code == 204


async def test_the_log_of_acts_says_what_of_an_evaluation_was_changed(runtime, operator):
    await add_evaluation(runtime.database, public=True)
    await operator.patch("/evaluations/taste", json={"design": "balanced", "least_right": 0.5})
    (act, *_) = (await operator.get("/acts")).json()
    assert (act["kind"], act["why"]) == ("evaluation_changed", "design: balanced; least_right: 0.5")


async def test_a_review_without_a_set_of_this_name_is_refused_with_the_reason(operator):
    for name, status, code in (("", 422, "invalid"), ("nothing", 404, "question_set_not_found")):
        refused = await operator.get("/conversions", params={"questions": name, "reviewer": "anna"})
        assert (refused.status_code, refused.json()["code"]) == (status, code)


async def test_a_pasted_question_that_repeats_another_is_left_out_with_both_lines(operator):
    draft = await operator.post("/evaluations", json=DRAFT | {"name": "twice", "content": "One?\nTwo?\n\nOne?\n"})
    assert draft.status_code == 201, draft.text
    made = draft.json()
    assert (made["questions"], made["duplicates"], made["refused"]) == (2, [{"line": 4, "repeats": 1}], [])


@pytest.mark.process
async def test_questions_of_one_text_under_several_ids_are_kept_and_named(operator):
    content = base64.b64encode(b"id,question\n1,Why?\n2,How?\n3,Why?\n").decode()
    draft = await operator.post("/evaluations", json=DRAFT | {"name": "same", "content": content, "file": "q.csv"})
    assert draft.status_code == 201, draft.text
    made = draft.json()
    assert (made["questions"], made["same_text"], made["duplicates"], made["refused"]) == (3, [2, 4], [], [])


QUIZ = "question,A,B,C,answer,category,Remarks\n" + "".join(
    f"What is {number} + 2?,{number + 2},{number},{number + 9},A,Sums,by Ada\n" for number in range(1, 5)
)


@pytest.mark.process
async def test_a_file_shows_its_first_questions_and_the_columns_that_were_not_used(operator):
    quiz = DRAFT | {"name": "quiz"} | sent(QUIZ, "quiz.csv")
    made = (await operator.post("/evaluations", json=quiz)).json()
    assert (made["questions"], made["unused"], made["multiple_choice"]) == (4, ["Remarks"], 4)
    assert made["judged"]
    assert [view["turns"] for view in made["beginning"]] == [[f"What is {n} + 2?"] for n in (1, 2, 3)]
    assert {key: made["beginning"][0][key] for key in ("category", "options", "key")} == {
        "category": "Sums",
        "options": ["3", "1", "10"],
        "key": "A",
    }


@pytest.mark.process
async def test_multiple_choice_is_scored_by_its_key_and_nobody_is_invited(runtime, operator, scripted):
    quiz = DRAFT | {"name": "quiz", "protocol": "closed"} | sent(QUIZ, "quiz.csv")
    made = (await operator.post("/evaluations", json=quiz)).json()
    assert (made["needed"], made["judged"], made["openable"]) == (0, False, False)
    wanted = {"number": 1, "address": ADDRESS}
    refused = await operator.post("/evaluations/quiz/annotators", json=wanted)
    assert (refused.status_code, refused.json()["params"]) == (422, {"rule": "judged_alone", "name": "quiz"})
    assert (await operator.get("/evaluations/quiz/annotators")).json() == []
    await operator.post("/evaluations/quiz/run")
    await run_to_the_end(runtime, scripted)
    closed = await operator.post("/evaluations/quiz/close", json={"publish": True})
    assert (closed.json()["state"], closed.json()["published"]) == ("closed", True)
    listed = {view["name"]: view["judged"] for view in (await operator.get("/evaluations")).json()}
    assert listed == {"quiz": False}
