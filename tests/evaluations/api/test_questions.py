"""Public sets of questions over HTTP; a set that is the operator's cannot be told from none."""

from __future__ import annotations

import pytest

from arena.evaluations.usecases.sets import importer, sets
from tests.conftest import START
from tests.evaluations.usecases.sets.files import own, question, read

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
