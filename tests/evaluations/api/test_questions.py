"""Public sets of questions over HTTP; a set that is the operator's cannot be told from none."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from arena.adapters.store import questions as stored
from arena.api.http.turns import Turns
from arena.domain.text import normalised
from arena.evaluations.usecases.sets import importer, sets
from tests.conftest import START
from tests.evaluations.usecases.sets.files import own, question, read
from tests.statements import recorded

SET = (question(id="one", category="Sums"), question(id="two", turns=["Who?", "Sure?"], area="History"))


@pytest.fixture
async def kept(runtime, tmp_path):
    found = read(tmp_path / "ours.jsonl", own(*SET))
    await importer.import_set(runtime.database, found.facts, found.questions, START)
    await sets.publish(runtime.database, "ours", public=True)


async def test_sets_their_trees_and_questions_are_read(client, kept):
    [found] = (await client.get("/api/v1/questions")).json()
    assert (found["name"], found["version"], found["questions"]) == ("ours", 1, 2)
    record = (await client.get("/api/v1/questions/ours")).json()
    assert [node["name"] for node in record["tree"]] == ["Mathematics", "History"]
    page = (await client.get("/api/v1/questions/ours/items", params={"area": "History"})).json()
    assert (page["matching"], page["questions"][0]["turns"]) == (1, ["Who?", "Sure?"])
    several = (await client.get("/api/v1/questions/ours/items", params={"several_turns": "false"})).json()
    assert [each["id"] for each in several["questions"]] == ["one"]


async def test_a_private_set_and_no_set_are_answered_alike(client, runtime, kept):
    await sets.publish(runtime.database, "ours", public=False)
    for path in ("", "/items"):
        private, none = [await client.get(f"/api/v1/questions/{name}{path}") for name in ("ours", "none")]
        assert private.status_code == 404
        assert private.json()["code"] == "question_set_not_found"
        assert private.json() == none.json()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/questions/ours?version=0", 422),
        ("/questions/ours?version=2", 404),
        ("/questions/ours?version=99999999999999999999", 422),
        ("/questions/ours/items?start=-1", 422),
        ("/questions/ours/items?start=10", 200),
        ("/questions/ours/items?text=%00", 422),
        ("/questions/%00", 404),
        ("/ideas", 422),
        ("/ideas?language=../x", 422),
        ("/ideas?language=en", 200),
    ],
)
async def test_odd_requests_get_a_clear_answer(client, kept, path, status):
    assert (await client.get(f"/api/v1{path}")).status_code == status


@pytest.mark.sqlite
async def test_many_who_ask_for_ideas_have_the_prompts_read_once(client, kept):
    with recorded() as statements:
        answers = await asyncio.gather(*(client.get("/api/v1/ideas?language=en") for _ in range(20)))
    assert [answer.json() for answer in answers] == [[{"category": "Sums", "prompts": ["What is 2 + 2?"]}]] * 20
    assert sum("questions.prompt" in statement for statement, _ in statements) == 1


@pytest.mark.sqlite
async def test_searches_take_one_thread_at_a_time_and_read_the_texts_once(client, kept, monkeypatch):
    guard, working, readings = threading.Lock(), set(), []

    def read_slowly(text: str) -> str:
        with guard:
            working.add(threading.get_ident())
            readings.append(len(working))
        time.sleep(0.01)
        with guard:
            working.discard(threading.get_ident())
        return normalised(text)

    monkeypatch.setattr(stored, "normalised", read_slowly)
    path = "/api/v1/questions/ours/items?text=who"
    pages = await asyncio.gather(*(client.get(path) for _ in range(8)))
    assert {page.json()["matching"] for page in pages} == {1}
    assert max(readings) == 1
    assert len(readings) == 8 * (1 + len(SET))


@pytest.mark.sqlite
async def test_more_searches_than_may_wait_are_told_to_come_back(app, client, kept):
    app.state.set_turns = Turns(max_waiting=1)
    async with app.state.set_turns.take():
        for path in ("/ours", "/ours/items"):
            answer = await client.get(f"/api/v1/questions{path}")
            assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    assert (await client.get("/api/v1/questions/ours")).status_code == 200
