"""Endpoints over HTTP: what their owner can do; endpoints of others are unknown."""

from __future__ import annotations

import json

import httpx2
import pytest

from arena.adapters.store import budgets
from arena.adapters.store import endpoints as stored
from arena.adapters.store.keyring import Keyring, new_master
from arena.adapters.store.tables.conversations import ReplyRow
from arena.adapters.store.tables.endpoint_records import ProbeRow
from arena.adapters.store.tables.endpoints import EndpointRow, OwnerRow
from arena.api.http.voter_cookie import Cookies
from arena.calls.targets import Keys
from arena.domain.schemas.endpoints import EndpointView, OwnedEndpointView
from arena.domain.terms import EndpointState, Use
from arena.serving.composition import whole_app
from arena.usecases.endpoints.approval import passed
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.endpoints.states import Step
from arena_providers.errors import AddressRefused, TimedOut, Unreachable
from arena_providers.terms import Finish
from arena_providers.transport.egress import Policy
from tests.api.conftest import ORIGIN
from tests.conftest import NAMES, START
from tests.usecases.endpoints.lifecycle import force_state

ACME = {"name": "acme-7b", "url": "https://api.acme.example/v1", "wire_model": "seven"}
KEY = "sk-canary-of-the-test"
PATHS = [
    ("GET", "", None),
    ("PATCH", "", {"licence": "MIT"}),
    ("PUT", "/key", {"key": "sk-1"}),
    ("DELETE", "/key", None),
    ("PUT", "/uses/evaluations", {"allowed": True}),
    ("PUT", "/same-as/red-7b", None),
    ("DELETE", "/same-as/red-7b", None),
    ("POST", "/probe", None),
    ("POST", "/pause", None),
    ("POST", "/resume", None),
    ("POST", "/retire", None),
    ("GET", "/votes", None),
]


@pytest.fixture
def keeping(runtime):
    runtime.keys = Keys({}.get, Keyring(new_master()))
    return runtime


@pytest.fixture
async def owner(keeping, client):
    """Sign up an owner; returns a client that sends its key."""

    async def owner(name: str = "Acme", **rules) -> httpx2.AsyncClient:
        answer = await client.post("/api/v1/owners", json={"name": name, "contact": "c"})
        app = whole_app(keeping, Cookies(b"a secret of the tests"), rules=OwnerRules(**rules))
        headers = {"Authorization": f"Bearer {answer.json()['key']}"}
        return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=f"{ORIGIN}/api/v1", headers=headers)

    return owner


@pytest.fixture
async def acme(owner):
    async with await owner() as acme:
        yield acme


@pytest.fixture
async def mine(acme) -> EndpointView:
    """A registered endpoint with a key."""
    answer = await acme.post("/endpoints", json=ACME | {"key": KEY, "licence": "MIT"})
    assert answer.status_code == 201
    return EndpointView.model_validate(answer.json())


async def test_a_registered_endpoint_is_shown_with_all_but_its_key(acme, mine):
    shown = await acme.get(f"/endpoints/{mine.id}")
    detail = OwnedEndpointView.model_validate(shown.json())
    assert (detail.state, detail.has_key, detail.key_origin) == ("probing", True, "https://api.acme.example:443")
    assert [(step.after, step.actor) for step in detail.changes] == [("probing", "owner"), ("draft", "owner")]
    assert detail.challenge is not None
    assert detail.challenge.url == "https://api.acme.example:443/.well-known/arena-challenge"
    assert len(detail.challenge.token) >= 32
    assert (detail.stats.votes, detail.stats.win_rate, detail.budget.calls, detail.health.state) == (
        0,
        None,
        0,
        "closed",
    )
    listed = await acme.get("/endpoints")
    assert [EndpointView.model_validate(view) for view in listed.json()] == [mine]
    me = await acme.get("/owners/me")
    assert me.json()["endpoints"] == listed.json()
    assert KEY not in shown.text + listed.text + me.text
    assert {answer.headers["Cache-Control"] for answer in (shown, listed, me)} == {"no-store"}


async def test_the_time_of_a_newer_key_is_shown_beside_the_tests(acme, mine, runtime):
    first = (await acme.get(f"/endpoints/{mine.id}")).json()["key_stored_at"]
    await acme.put(f"/endpoints/{mine.id}/key", json={"key": KEY})
    assert (await acme.get(f"/endpoints/{mine.id}")).json()["key_stored_at"] >= first
    await acme.delete(f"/endpoints/{mine.id}/key")
    assert (await acme.get(f"/endpoints/{mine.id}")).json()["key_stored_at"] is None


async def test_reports_and_steps_are_shown_newest_first_and_the_proof_ends_the_challenge(acme, mine, runtime):
    def finished(session) -> None:
        row = stored.locked(session, mine.id)
        assert row is not None
        for passed_ in (False, True):
            session.add(ProbeRow(endpoint_id=mine.id, passed=passed_, report={"reachable": passed_}, created_at=START))
        row.proven_at = START
        passed(session, row, OwnerRules(), "health", START)

    await runtime.database.write(finished)
    detail = OwnedEndpointView.model_validate((await acme.get(f"/endpoints/{mine.id}")).json())
    assert [probe.report for probe in detail.probes] == [{"reachable": True}, {"reachable": False}]
    assert (detail.changes[0].after, detail.changes[0].actor) == ("pending", "health")
    assert (detail.proven, detail.challenge) == (True, None)


async def test_an_owner_sees_that_the_arena_has_no_key_for_an_active_model(acme, mine, runtime):
    def lose(session) -> None:
        row = stored.locked(session, mine.id)
        row.key_env = "KEY_OF_NOBODY"
        row.state = EndpointState.ACTIVE

    await runtime.database.write(lose)
    own = (await acme.get("/endpoints")).json()
    assert (await acme.get("/owners/me")).json()["endpoints"] == own
    for view in (*own, (await acme.get(f"/endpoints/{mine.id}")).json()):
        assert (view["state"], view["keyless"]) == ("paused", True)
    await acme.put(f"/endpoints/{mine.id}/key", json={"key": KEY})
    view = (await acme.get(f"/endpoints/{mine.id}")).json()
    assert (view["state"], view["keyless"]) == ("active", False)


@pytest.mark.parametrize("call", PATHS)
async def test_without_a_key_nothing_is_told_and_a_foreign_endpoint_is_an_unknown_one(acme, mine, owner, client, call):
    method, path, body = call
    without = await client.request(method, f"/api/v1/endpoints/{mine.id}{path}", json=body)
    assert (without.status_code, without.json()["code"]) == (401, "bad_api_key")
    async with await owner("Other") as other:
        answers = [
            await other.request(method, f"/endpoints/{number}{path}", json=body)
            for number in (mine.id, 999_999, 10**17, 10**30, "0x1", "-1", "١", "acme-7b")
        ]
    assert {answer.status_code for answer in answers} == {404}
    assert {answer.content for answer in answers} == {answers[0].content}
    assert answers[0].json()["code"] == "endpoint_not_found"
    assert (await acme.get(f"/endpoints/{mine.id}")).json()["licence"] == "MIT"


async def test_an_endpoint_is_paused_resumed_and_retired_over_http(acme, mine, runtime):
    path = f"/endpoints/{mine.id}"
    early = await acme.post(f"{path}/resume")
    assert (early.status_code, early.json()["code"]) == (409, "wrong_state")

    def approved(session) -> None:
        row = stored.locked(session, mine.id)
        assert row is not None
        passed(session, row, OwnerRules(approval="auto"), "health", START)

    await runtime.database.write(approved)
    for verb, state in (("pause", "paused"), ("pause", "paused"), ("resume", "active"), ("retire", "retired")):
        assert (await acme.post(f"{path}/{verb}")).json()["state"] == state
    late = await acme.post(f"{path}/resume")
    assert (late.status_code, late.json()["detail"]) == (
        409,
        "A retired endpoint does not come back; please register a new one.",
    )


async def test_an_owner_starts_so_many_probes_in_an_hour_and_refusals_do_not_count(owner):
    async with await owner(probes=3) as acme:
        for _ in range(5):
            assert (await acme.post("/endpoints", json=ACME | {"url": "https://10.0.0.1/"})).status_code == 422
        endpoint = (await acme.post("/endpoints", json=ACME)).json()
        assert (await acme.post(f"/endpoints/{endpoint['id']}/probe")).status_code == 202
        assert (await acme.patch(f"/endpoints/{endpoint['id']}", json={"licence": "MIT"})).status_code == 200
        assert (await acme.patch(f"/endpoints/{endpoint['id']}", json={"wire_model": "eight"})).status_code == 200
        refused = await acme.post("/endpoints", json=ACME | {"name": "other"})
        assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
        assert refused.json()["detail"] == "Too many tests: the limit in an hour is 3."
        assert refused.json()["params"] == {"rule": "probes", "limit": 3}
        assert 0 < refused.json()["retry_after"] <= 3_600


@pytest.mark.parametrize("active", [False, True], ids=["registration", "changes"])
async def test_an_approval_while_the_owner_changes_again_is_refused_in_one_sentence_and_loses_nothing(
    acme, mine, operator, runtime, active
):
    def wait(session) -> None:
        session.get_one(EndpointRow, mine.id).state = EndpointState.ACTIVE if active else EndpointState.PENDING

    await runtime.database.write(wait)
    if active:
        assert (await acme.patch(f"/endpoints/{mine.id}", json={"licence": "Apache-2.0"})).status_code == 200
    path = f"/operator/endpoints/{mine.id}{'/changes' if active else ''}/approve"

    async def revision() -> int:
        return next(
            endpoint["revision"]
            for endpoint in (await operator.get("/operator/endpoints")).json()
            if endpoint["id"] == mine.id
        )

    revision_read = await revision()
    assert (await acme.patch(f"/endpoints/{mine.id}", json={"link": "https://acme.example/new"})).status_code == 200
    late = await operator.post(path, json={"revision": revision_read})
    problem = late.json()
    assert (late.status_code, problem["code"], problem["title"]) == (
        409,
        "changed_meanwhile",
        "The endpoint has changed since you looked at it; please look again.",
    )
    approved = await operator.post(path, json={"revision": await revision()})
    assert (approved.status_code, approved.json()["state"]) == (200, "active")
    assert (approved.json()["link"], approved.json()["pending"]) == ("https://acme.example/new", {})
    assert approved.json()["licence"] == ("Apache-2.0" if active else "MIT")


@pytest.mark.parametrize(
    "body",
    [{}, {"name": "other"}, {"key": "sk"}, {"state": "active"}, {"proven": True}, {"listed": None}, {"billions": "x"}],
)
async def test_a_change_of_nothing_or_of_what_is_not_the_owners_is_refused(acme, mine, body):
    refused = await acme.patch(f"/endpoints/{mine.id}", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")


async def test_a_refused_key_is_not_repeated_in_the_answer(acme, mine):
    for body in ({"key": KEY, "more": KEY}, {"key": [KEY]}, {"key": KEY * 300}):
        refused = await acme.put(f"/endpoints/{mine.id}/key", json=body)
        assert refused.status_code == 422
        assert KEY not in refused.text


async def test_a_key_is_stored_and_deleted_without_being_told(acme, mine):
    path = f"/endpoints/{mine.id}/key"
    assert (await acme.delete(path)).status_code == 204
    assert not (await acme.get(f"/endpoints/{mine.id}")).json()["has_key"]
    stored_ = await acme.put(path, json={"key": "sk-2"})
    assert (stored_.status_code, stored_.content) == (204, b"")
    assert (await acme.get(f"/endpoints/{mine.id}")).json()["has_key"]
    assert (await acme.get(path)).status_code == 405


async def test_each_use_beyond_battles_is_its_owners_own_choice_with_a_cap_of_its_own(acme, mine, runtime):
    path = f"/endpoints/{mine.id}"

    async def uses() -> dict:
        return {use.pop("use"): use for use in (await acme.get(path)).json()["uses"]}

    none = {"allowed": False, "daily_calls": None, "calls": 0}
    assert await uses() == {"evaluations": none, "judging": none, "labelling": none}
    chosen = await acme.put(f"{path}/uses/evaluations", json={"allowed": True, "daily_calls": 2})
    assert (chosen.status_code, chosen.content) == (204, b"")
    await acme.put(f"{path}/uses/judging", json={"allowed": True})
    day = runtime.now().date()
    verdicts = [await runtime.database.write(budgets.take_use, mine.id, Use.EVALUATIONS, day) for _ in range(3)]
    assert verdicts == [True, True, False]
    assert await uses() == {
        "evaluations": {"allowed": True, "daily_calls": 2, "calls": 2},
        "judging": none | {"allowed": True},
        "labelling": none,
    }
    await acme.put(f"{path}/uses/evaluations", json={"allowed": False})
    assert (await uses())["evaluations"] == none | {"calls": 2}


@pytest.mark.parametrize(
    ("use", "body"),
    [
        ("battles", {"allowed": True}),
        ("judging", {}),
        ("judging", {"allowed": "yes"}),
        ("judging", {"allowed": True, "daily_calls": 0}),
    ],
)
async def test_a_use_that_makes_no_sense_is_refused(acme, mine, use, body):
    refused = await acme.put(f"/endpoints/{mine.id}/uses/{use}", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")


async def test_a_retired_endpoint_has_no_more_uses(acme, mine):
    path = f"/endpoints/{mine.id}"
    await acme.post(f"{path}/retire")
    refused = await acme.put(f"{path}/uses/judging", json={"allowed": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "wrong_state")


async def test_without_a_master_key_the_answer_says_what_the_operator_does(acme, mine, runtime):
    runtime.keys = Keys({}.get, Keyring())
    refused = await acme.put(f"/endpoints/{mine.id}/key", json={"key": "sk-2"})
    assert (refused.status_code, refused.json()["code"]) == (503, "keys_not_accepted")
    assert "ARENA_SECRET_KEY" in refused.json()["title"]


async def test_vendors_and_dialects_are_public_and_local_servers_only_where_the_operator_opens_them(client, owner):
    presets = {preset["name"]: preset for preset in (await client.get("/api/v1/presets")).json()}
    assert presets["deepseek"] == {
        "name": "deepseek",
        "dialect": "openai_chat",
        "base_url": "https://api.deepseek.com/v1",
        "needs_key": True,
    }
    assert "ollama" not in presets
    assert "anthropic" in (await client.get("/api/v1/dialects")).json()
    async with await owner(policy=Policy.parse("127.0.0.1:11434")) as opened:
        local = [preset for preset in (await opened.get("/presets")).json() if not preset["needs_key"]]
    assert [preset["name"] for preset in local] == ["ollama"]


async def test_only_what_was_let_into_battles_and_is_listed_is_public(acme, mine, client, runtime):
    hidden = (await acme.post("/endpoints", json=ACME | {"name": "hidden", "listed": False})).json()["id"]

    async def public() -> set[str]:
        models = {model["name"] for model in (await client.get("/api/v1/models")).json()}
        for name in ("acme-7b", "hidden"):
            assert (await client.get(f"/api/v1/models/{name}")).status_code == (200 if name in models else 404)
        return models - set(NAMES)

    await runtime.database.write(_brought, hidden, EndpointState.ACTIVE)
    for state in ("draft", "probing", "pending", "suspended", "retired"):
        await runtime.database.write(_brought, mine.id, EndpointState(state))
        assert await public() == set()
    for state in ("active", "paused", "suspended", "retired"):
        await runtime.database.write(_brought, mine.id, EndpointState(state))
        assert await public() == {"acme-7b"}


async def test_the_votes_on_it_are_a_download_without_texts_voters_and_unlisted_opponents(
    acme, finish, client, runtime
):
    for outcome in ("a", "tie"):
        battle_id = await finish("a very private prompt")
        await client.post(f"/api/v1/battles/{battle_id}/vote", json={"outcome": outcome})
    me = (await acme.get("/owners/me")).json()["id"]

    def mine_now(session) -> int:
        row = stored.by_name(session, NAMES[0])
        row.owner = session.get(OwnerRow, me)
        stored.by_name(session, NAMES[1]).listed = False
        return row.id

    number = await runtime.database.write(mine_now)
    download = await acme.get(f"/endpoints/{number}/votes")
    assert download.headers["Content-Disposition"] == f'attachment; filename="votes-{number}.jsonl"'
    assert download.headers["Cache-Control"] == "no-store"
    votes = [json.loads(line) for line in download.text.splitlines()]
    assert [vote["outcome"] for vote in votes] == ["a", "tie"]
    assert all({vote["a"], vote["b"]} == {NAMES[0], None} for vote in votes)
    assert "private" not in download.text
    assert json.loads((await acme.get(f"/endpoints/{number}/votes")).text.splitlines()[0])["voter"] != votes[0]["voter"]


async def test_calls_errors_and_times_of_battles_are_told(acme, client, finish, runtime, publish_figures):
    await client.post(f"/api/v1/battles/{await finish()}/skip")
    me = (await acme.get("/owners/me")).json()["id"]

    def mine_now(session) -> int:
        row = stored.by_name(session, NAMES[0])
        row.owner = session.get(OwnerRow, me)
        reply = session.query(ReplyRow).filter_by(endpoint_id=row.id).one()
        reply.first_token_ms, reply.total_ms = 120, 900
        kinds = (Unreachable.kind, AddressRefused.kind, TimedOut.kind)
        session.add_all(
            ReplyRow(
                turn_id=reply.turn_id,
                endpoint_id=row.id,
                generation=number,
                side=reply.side,
                text="",
                finish=Finish.STOP,
                error=kind,
                total_ms=30_000,
            )
            for number, kind in enumerate(kinds, 1)
        )
        return row.id

    number = await runtime.database.write(mine_now)
    assert [view["counted_until"] for view in (await acme.get("/owners/me")).json()["endpoints"]] == [None]
    await publish_figures()
    (view,) = (await acme.get("/owners/me")).json()["endpoints"]
    assert (view["battles"], bool(view["counted_until"])) == (1, True)
    stats = OwnedEndpointView.model_validate((await acme.get(f"/endpoints/{number}")).json()).stats
    assert (stats.battles, stats.calls, stats.error_rate) == (1, 4, 0.75)
    assert stats.errors == {"unreachable": 2, "timed_out": 1}
    assert (stats.first_token_ms.p50, stats.total_ms.p95) == (120, 900)


def _brought(session, number: int, state: EndpointState) -> None:
    row = session.get(EndpointRow, number)
    force_state(session, row, state, Step("operator", "in a test", START))
