"""An evaluation is made, run, judged by a photographed link, and closed by the operator's routes alone."""

from __future__ import annotations

import asyncio
import base64
import re
from urllib.parse import unquote

import pytest
import zxingcpp
from PIL import Image

from arena.evaluations.usecases.runs import Runs
from tests.conftest import NAMES
from tests.evaluations.api.test_operated_evaluations import operator  # noqa: F401 - a fixture
from tests.evaluations.usecases.populated import caller

ADDRESS = "https://arena.example"
DRAFT = {"name": "class", "content": "1. What is 2 + 2?\nName a sea.\n", "models": list(NAMES)}


async def run_to_the_end(runtime, scripted):
    runs = Runs(caller(runtime.database, scripted), None)  # type: ignore[arg-type] - no likelihoods are asked for
    await runs.look()
    await asyncio.gather(*runs._tasks.values())
    await runs.look()


async def test_pasted_questions_become_a_published_report(runtime, operator, scripted):  # noqa: F811
    made = await operator.post("/evaluations", json=DRAFT)
    assert made.status_code == 201, made.text
    assert (made.json()["questions"], made.json()["refused"]) == (2, [])
    started = (await operator.post("/evaluations/class/run")).json()
    assert started["running"]
    await run_to_the_end(runtime, scripted)
    ended = (await operator.get("/evaluations/class")).json()
    assert not ended["running"]
    assert [(model["answered"], model["stopped"]) for model in ended["models"]] == [(2, None), (2, None)]
    assert all(model["tokens"] > 0 for model in ended["models"])
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


async def test_a_picture_leads_where_its_link_leads(runtime, operator):  # noqa: F811
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


async def test_a_cancelled_run_ends_and_another_goes_on(runtime, operator, scripted):  # noqa: F811
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
async def test_what_makes_no_evaluation_is_refused_in_a_sentence(runtime, operator, changes, detail):  # noqa: F811
    refused = await operator.post("/evaluations", json=DRAFT | changes)
    assert refused.status_code in {400, 422}, refused.text
    assert detail in refused.text, refused.text


async def test_models_are_offered_with_practice_last(runtime, operator):  # noqa: F811
    offered = (await operator.get("/evaluation-models")).json()
    assert {model["name"] for model in offered} == set(NAMES)
