import gzip
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import select

from arena.adapters.store import endpoints
from arena.adapters.store.tables.integrity import DecisionRow, GateRunRow

NOW = datetime(2026, 11, 22, tzinfo=UTC)
ROW = {"name": "red-7b", "bt": 1010.0, "bt_low": 990.0, "bt_high": 1030.0, "bt_without": 1100.0, "votes": 3}

OLD = {"rows": [ROW], "reasons": {}}
ADVICE = {"tested": 40, "rows": [{"first": 3, "votes": 9, "improbable": 0.001, "one_sided": 0.5}]}


def fill(session) -> None:
    session.add(
        GateRunRow(
            week=date(2026, 11, 2),
            last_vote=9,
            last_decision=1,
            method="m",
            unlisted=["x"],
            awake=False,
            networks=3,
            established=0,
            boards={
                "rows": [ROW],
                "reasons": {"all": {"pooled": 3}, "week": {}},
                "voters": ADVICE,
                "preliminary": ["young"],
            },
            audit=gzip.compress(b'{"number":1}\n'),
            created_at=NOW,
        )
    )
    session.add(
        DecisionRow(
            quarters=1,
            reason="pooled",
            method="m",
            votes=[3, 4],
            by="gate",
            created_at=NOW,
            finding={"division": "network", "model": "red-7b", "z": 9.0},
        )
    )


@pytest.fixture
async def filled(runtime):
    runtime.now = lambda: NOW
    await runtime.database.write(fill)


async def test_the_page_of_the_gate_tells_reasons_and_ratings_and_no_slice(client, runtime):
    assert (await client.get("/api/v1/integrity")).json()["method"] is None
    await runtime.database.write(fill)
    answer = await client.get("/api/v1/integrity")
    body = answer.json()
    assert (body["reasons"], body["rows"], body["awake"]) == ({"pooled": 3}, [ROW], False)
    assert body["preliminary"] == ["young"]
    assert body["weeks"] == [{"week": "2026-W45", "published": "2026-11-17", "last_vote": 9, "last_decision": 1}]
    assert 'network"' not in answer.text
    assert "improbable" not in answer.text


async def test_decisions_name_votes_and_never_a_slice(client, filled):
    answer = await client.get("/api/v1/votes/decisions")
    assert answer.headers["content-type"].startswith("application/jsonl")
    assert answer.text.count("\n") == 1
    assert '"weight":0.25,"reason":"pooled"' in answer.text
    assert "network" not in answer.text


async def test_an_audit_file_begins_with_what_it_was_computed_from(client, filled):
    answer = await client.get("/api/v1/audit/2026-W45")
    head, row = answer.text.splitlines()
    assert '"last_vote":9,"last_decision":1' in head
    assert '"preliminary":["young"]' in head
    assert row == '{"number":1}'


@pytest.mark.parametrize(
    ("week", "rule"),
    [
        ("2026-W47", "running"),
        ("2026-W46", "waiting"),
        ("2026-W44", "empty"),
        ("2026-W99", "week"),
        ("2026-46", "week"),
        ("0001-W01", "week"),
        ("9999-W52", "week"),
        ("x", "week"),
    ],
)
async def test_a_week_without_an_audit_file_is_one_clear_error(client, filled, week, rule):
    answer = await client.get(f"/api/v1/audit/{week}")
    assert (answer.status_code, answer.json()["code"], answer.json()["params"]["rule"]) == (404, "no_audit", rule)


async def test_the_operator_sees_findings_and_confirms_and_undoes_by_further_rows(operator, filled, runtime):
    (row,) = (await operator.get("/operator/decisions")).json()
    assert (row["weight"], row["votes"], row["finding"]["division"]) == (0.25, 2, "network")
    for act, weight in (("confirm", 0.25), ("undo", 1.0)):
        answer = await operator.post(f"/operator/decisions/{row['number']}/{act}")
        assert (answer.status_code, answer.json()["weight"], answer.json()["by"]) == (200, weight, "operator")
    assert len((await operator.get("/operator/decisions")).json()) == 3
    (decision,) = (await operator.get("/operator/decisions", params={"reason": "confirmed"})).json()
    assert decision["weight"] == 0.25
    assert (await operator.get("/operator/decisions", params={"reason": "age"})).json() == []
    lost = await operator.post("/operator/decisions/99/undo")
    assert (lost.status_code, lost.json()["code"]) == (404, "no_decision")


async def test_the_operator_alone_sees_the_tests_of_single_voters(operator, client, filled):
    assert (await operator.get("/operator/voters")).json() == ADVICE
    assert (await client.get("/api/v1/operator/voters")).status_code == 404


async def test_before_a_run_or_by_an_older_one_no_voter_is_named(operator, runtime):
    nobody = {"tested": 0, "rows": []}
    assert (await operator.get("/operator/voters")).json() == nobody
    await runtime.database.write(fill)
    await runtime.database.write(lambda session: setattr(session.scalars(select(GateRunRow)).one(), "boards", OLD))
    assert (await operator.get("/operator/voters")).json() == nobody


async def test_an_owner_is_told_of_a_notable_effect_and_objects_once_until_answered(operator, filled, runtime):
    key = (await operator.post("/owners", json={"name": "Red Labs", "contact": "a@b.example"})).json()

    def give(session):
        row = endpoints.by_name(session, "red-7b")
        row.owner_id = key["id"]
        return row.id

    path = f"/endpoints/{await runtime.database.write(give)}"
    owner = {"Authorization": f"Bearer {key['key']}"}
    effect = (await operator.get(f"{path}/gate", headers=owner)).json()
    assert (effect["notable"], effect["row"], effect["objections"]) == (True, ROW, [])
    answers_sent = [
        await operator.post(f"{path}/objections", headers=owner, json={"text": "A class voted."}) for _ in range(2)
    ]
    assert [(answer.status_code, answer.json().get("code")) for answer in answers_sent] == [
        (201, None),
        (409, "objection_open"),
    ]
    number = answers_sent[0].json()["number"]
    answers = [await operator.post(f"/operator/objections/{number}/answer", json={"text": "Undone."}) for _ in "ab"]
    assert [(answer.status_code, answer.json().get("code")) for answer in answers] == [
        (200, None),
        (409, "already_answered"),
    ]
    assert (await operator.get("/operator/objections")).json()[0]["answer"] == "Undone."
    assert (await operator.get(f"{path}/gate", headers=owner)).json()["objections"][0]["answer"] == "Undone."
    stranger = await operator.get("/endpoints/999/gate", headers=owner)
    assert (stranger.status_code, stranger.json()["code"]) == (404, "endpoint_not_found")
    lost = await operator.post("/operator/objections/99/answer", json={"text": "?"})
    assert (lost.status_code, lost.json()["code"]) == (404, "no_objection")
