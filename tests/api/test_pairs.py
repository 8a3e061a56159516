"""Two models against each other, from the votes of an arena."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from arena.usecases.exchange import importer
from arena.usecases.ranking.vote_columns import CountedLog
from tests.conftest import START
from tests.publication import publish_once
from tests.usecases.ranking.test_publication import METHOD
from tests.usecases.ranking.test_slice_boards import made


@pytest.fixture
async def voted(runtime) -> None:
    await importer.import_votes(runtime.database, made(), START)
    with ThreadPoolExecutor(1) as executor:
        await publish_once(runtime.database, METHOD, CountedLog(), executor=executor, now=lambda: datetime.now(UTC))


@pytest.mark.usefixtures("voted")
async def test_it_says_who_is_better_on_each_board_directly_and_through_others(client):
    pair = (await client.get("/api/v1/pairs?a=dog&b=ant")).json()
    whole, *others = pair["boards"]
    assert (pair["a"]["name"], pair["b"]["name"], pair["computing"]) == ("dog", "ant", False)
    assert 0.5 < whole["low"] < whole["chance"] < whole["high"] < 1
    assert whole["better"] > 0.99
    assert {(board["category"], board["language"]) for board in others} == {
        *(("code", ""), ("chat", ""), ("", "zh"), ("", "en"))
    }
    assert pair["met"]["opponent"] == "ant"
    assert pair["met"]["wins"] > pair["met"]["losses"]
    assert pair["opponents"] == 2
    assert {shared["opponent"] for shared in pair["shared"]} == {"bee", "cat"}
    assert pair["a_row"]["rank"] < pair["b_row"]["rank"]
    assert {course["name"] for course in pair["history"]["courses"]} == {"dog", "ant"}


@pytest.mark.usefixtures("voted")
async def test_a_share_stands_beside_the_number_of_decided_battles_that_it_is_of(client):
    pair = (await client.get("/api/v1/pairs?a=dog&b=ant")).json()
    for side, name in (("a", "dog"), ("b", "ant")):
        meetings = (await client.get(f"/api/v1/models/{name}")).json()["meetings"]
        records = {meeting["opponent"]: meeting for meeting in meetings}
        for shared in pair["shared"]:
            record = records[shared["opponent"]]
            assert record["battles"] > record["wins"] + record["losses"] == shared[f"{side}_decided"]
            assert shared[f"{side}_share"] == pytest.approx(record["wins"] / shared[f"{side}_decided"])


@pytest.mark.usefixtures("voted")
async def test_the_other_way_round_is_the_complement(client):
    one, other = [(await client.get(f"/api/v1/pairs?{names}")).json() for names in ("a=dog&b=ant", "a=ant&b=dog")]
    assert one["boards"][0]["chance"] == pytest.approx(1 - other["boards"][0]["chance"])
    assert one["met"]["wins"] == other["met"]["losses"]


async def test_before_the_first_snapshot_it_is_being_computed(client):
    names = [endpoint["name"] for endpoint in (await client.get("/api/v1/models")).json()][:2]
    pair = (await client.get("/api/v1/pairs", params=dict(zip("ab", names, strict=True)))).json()
    assert (pair["computing"], pair["boards"], pair["met"], pair["shared"], pair["a_row"]) == (True, [], None, [], None)


@pytest.mark.usefixtures("voted")
async def test_unknown_models_and_one_against_itself_are_refused(client):
    for query, status, code in (
        ("a=dog&b=nobody", 404, "model_not_found"),
        ("a=x%2Fy&b=dog", 404, "model_not_found"),
        ("a=dog&b=dog", 422, "invalid"),
        ("a=dog", 422, "invalid"),
    ):
        answer = await client.get(f"/api/v1/pairs?{query}")
        assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_it_has_battles_that_their_voters_let_everybody_find_until_one_is_reported(client, finish):
    battle = await finish("\n \u202eWhat is\tlisted? " + "x" * 300 + "\nsecond line")
    reveal = (await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "a"})).json()
    link = (await client.post(f"/api/v1/battles/{battle}/share")).json()
    names = {side: reveal[side]["name"] for side in "ab"}
    assert (link["listed"], (await client.get("/api/v1/pairs", params=names)).json()["examples"]) == (False, [])
    assert (await client.put(f"/api/v1/battles/{battle}/share/listing")).json()["listed"]
    assert [row["listed"] for row in (await client.get("/api/v1/me/battles")).json()["battles"]] == [True]
    (example,) = (await client.get("/api/v1/pairs", params=names)).json()["examples"]
    assert example["token"] == link["token"]
    assert example["question"].startswith("What is listed? xxx")
    assert (len(example["question"]), example["question"][-1]) == (160, "…")
    await client.post(f"/api/v1/shared/{link['token']}/report", json={"reason": "other"})
    assert (await client.get("/api/v1/pairs", params=names)).json()["examples"] == []
    refused = await client.put(f"/api/v1/battles/{battle}/share/listing")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_listable")
    assert not (await client.delete(f"/api/v1/battles/{battle}/share/listing")).json()["listed"]
