"""The operator's routes: there only with a key, and no owner's key opens them."""

import httpx2
import pytest

from arena.adapters.breaker import CallVerdict
from arena.adapters.store import endpoint_states
from arena.adapters.store import endpoints as stored
from arena.api.http.voter_cookie import Cookies
from arena.domain.schemas.endpoints import OperatedSummaryView
from arena.domain.terms import EndpointState, Outcome
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.votes import votes
from tests.api.conftest import ORIGIN
from tests.conftest import add_endpoints
from tests.row_factories import endpoint_row
from tests.statements import recorded
from tests.usecases.battles.test_turns import play
from tests.usecases.votes.test_votes import vote

KEY = "k" * 40
RED, BLUE = "red-7b", "blue-7b"
PATHS = (
    [("GET", "/endpoints")]
    + [
        ("POST", f"/endpoints/1/{act}")
        for act in ("approve", "changes/approve", "changes/refuse", "pause", "suspend", "resume", "retire")
    ]
    + [(method, f"/endpoints/1/same-as/{BLUE}") for method in ("PUT", "DELETE")]
    + [("PATCH", "/endpoints/1"), ("PUT", "/endpoints/1/uses/evaluations"), ("GET", "/labels"), ("POST", "/labels")]
)


@pytest.fixture
def connect(runtime):
    def connect(key: str | None, operator_key: str = KEY) -> httpx2.AsyncClient:
        app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key=operator_key))
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        return httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app), base_url=f"{ORIGIN}/api/v1/operator", headers=headers
        )

    return connect


@pytest.mark.parametrize(("method", "path"), PATHS)
async def test_without_a_key_in_the_settings_there_is_nothing(connect, method, path):
    async with connect("", "") as client:
        answer = await client.request(method, path)
        nothing = await client.request(method, "/no/such/path")
    assert (answer.status_code, answer.content) == (404, nothing.content)


@pytest.mark.parametrize(("method", "path"), PATHS)
@pytest.mark.parametrize("key", [None, "", "k" * 39, "k" * 41, "arena_x_y", "ключ"])
async def test_a_wrong_key_opens_nothing(connect, runtime, method, path, key):
    async with connect(None) as client:
        headers = {} if key is None else {"Authorization": f"Bearer {key}".encode()}
        refused = await client.request(method, path, headers=headers)
    assert refused.status_code == 401
    assert refused.json()["code"] == "bad_api_key"
    assert "Bearer" in refused.headers["WWW-Authenticate"]
    assert (await runtime.database.read(stored.by_name, RED)).state is EndpointState.ACTIVE


async def test_the_list_shows_every_endpoint_with_its_breaker_in_this_process(connect, runtime):
    red = (await runtime.database.read(stored.by_name, RED)).id
    calls = runtime.breakers.enter([red])
    calls[red].report(CallVerdict.HOPELESS)
    async with connect(KEY) as client:
        answer = await client.get("/endpoints")
    assert answer.headers["Cache-Control"] == "no-store"
    shown = {endpoint["name"]: OperatedSummaryView.model_validate(endpoint) for endpoint in answer.json()}
    assert (shown[RED].health.state, shown[RED].health.in_flight) == ("open", 1)
    assert shown[RED].health.since is not None
    assert (shown[BLUE].health.state, shown[BLUE].health.since) == ("closed", None)
    assert shown[BLUE].owner == "Somebody Labs"


async def test_what_an_operator_confirms_is_public_on_both_models_and_their_pair_until_it_is_refused(
    connect, runtime, client
):
    async def public() -> tuple[list[str], list[str], bool]:
        models = [(await client.get(f"/api/v1/models/{name}")).json()["same_as"] for name in (RED, BLUE)]
        return *models, (await client.get(f"/api/v1/pairs?a={BLUE}&b={RED}")).json()["same_weights"]

    red = (await runtime.database.read(stored.by_name, RED)).id
    assert await public() == ([], [], False)
    async with connect(KEY) as operator:
        answer = await operator.put(f"/endpoints/{red}/same-as/{BLUE}")
        assert (answer.status_code, await public()) == (204, ([BLUE], [RED], True))
        act = (await operator.get("/acts")).json()[0]
        assert (act["kind"], act["target"], act["why"]) == ("endpoint_changed", RED, f"same_as: {BLUE}")
        assert (await operator.get("/endpoints")).status_code == 200
        assert (await operator.put(f"/endpoints/{red}/same-as/nobody")).json()["code"] == "model_not_found"
        for _ in range(2):
            assert (await operator.delete(f"/endpoints/{red}/same-as/{BLUE}")).status_code == 204
        acts = (await operator.get("/acts")).json()
        assert [act["why"] for act in acts] == [f"not_same_as: {BLUE}", f"same_as: {BLUE}"]
    assert await public() == ([], [], False)


async def test_the_list_sends_as_many_statements_for_many_endpoints_as_for_few(connect, runtime):
    def wait(session, names) -> None:
        add_endpoints(session, names)
        for name in names:
            stored.by_name(session, name).state = EndpointState.PENDING

    counts = []
    async with connect(KEY) as client:
        for number in (2, 30):
            await runtime.database.write(wait, [f"other-{number}-{place}" for place in range(number)])
            with recorded() as statements:
                shown = (await client.get("/endpoints")).json()
            counts.append(len(statements))
    assert len(shown) == 34
    assert counts[0] == counts[1] < 25


@pytest.mark.both_databases
async def test_the_list_says_of_each_endpoint_what_its_own_page_says(connect, runtime, voter, publish_figures):
    for outcome in (Outcome.A, Outcome.TIE, Outcome.B, Outcome.BOTH_BAD):
        battle, _ = await play(runtime, voter)
        await vote(runtime, voter, battle.id, outcome)
    await publish_figures()
    async with connect(KEY) as client:
        for exclusions in range(2):
            if exclusions:
                await votes.exclude(runtime.database, 1, reason="r", by="me", now=runtime.now())
            for listed in (await client.get("/endpoints")).json():
                path = f"/endpoints/{listed['id']}"
                whole = (await client.patch(path, json={"languages": ["en"]})).json()
                (again,) = [row for row in (await client.get("/endpoints")).json() if row["id"] == listed["id"]]
                for view in (whole, again):
                    assert view.pop("counted_until") == view["stats"].pop("as_of")
                expected = {name: whole[name] for name in again} | {"changes": whole["changes"][:1], "probes": []}
                assert (again, listed["votes"]) == (expected, 4 - exclusions)


@pytest.mark.both_databases
async def test_the_change_that_set_a_state_stays_known_after_others(connect, runtime):
    red = (await runtime.database.read(stored.by_name, RED)).id
    async with connect(KEY) as client:
        await client.post(f"/endpoints/{red}/pause", json={"reason": "too slow"})
        whole = (await client.patch(f"/endpoints/{red}", json={"languages": ["en"]})).json()
        (listed,) = [row for row in (await client.get("/endpoints")).json() if row["id"] == red]
    for view in (whole, listed):
        assert view["changes"][0]["code"] == "changed"
        assert (view["last_move"]["reason"], view["last_move"]["after"]) == ("too slow", "paused")


async def test_the_operator_suspends_resumes_and_retires_and_says_why(connect, runtime):
    red = (await runtime.database.read(stored.by_name, RED)).id
    async with connect(KEY) as client:
        for act, state in (("suspend", "suspended"), ("resume", "active"), ("retire", "retired")):
            answer = await client.post(f"/endpoints/{red}/{act}", json={"reason": f"please {act}"})
            assert (answer.status_code, answer.json()["state"]) == (200, state)
            assert answer.json()["changes"][0] | {"at": ""} in [
                change | {"at": ""} for change in answer.json()["changes"] if change["reason"] == f"please {act}"
            ]
        assert (await client.post(f"/endpoints/{red}/resume")).json()["state"] == "active"


async def test_a_model_in_the_wanted_state_is_not_brought_there_again_and_no_act_says_so(connect, runtime):
    red = (await runtime.database.read(stored.by_name, RED)).id
    async with connect(KEY) as client:
        for act, state in (("pause", "paused"), ("suspend", "suspended"), ("resume", "active"), ("retire", "retired")):
            assert (await client.post(f"/endpoints/{red}/{act}")).json()["state"] == state
            acts = (await client.get("/acts")).json()
            again = await client.post(f"/endpoints/{red}/{act}", json={"reason": "another"})
            assert (again.status_code, again.json()["params"]) == (
                409,
                {"rule": "already", "name": RED, "state": state},
            )
            assert (await client.get("/acts")).json() == acts


async def test_a_model_that_a_setting_or_a_missing_key_pauses_is_not_resumed_and_no_act_says_so(connect, runtime):
    def prepare(session):
        row = stored.by_name(session, RED)
        row.key_env = "KEY_OF_NOBODY"
        rest = endpoint_row("practice", owner=row.owner, demo=True, standby=True)
        session.add_all([rest, endpoint_row("third", owner=row.owner)])
        session.flush()
        return row.id, rest.id

    red, rest = await runtime.database.write(prepare)
    async with connect(KEY) as client:
        acts = (await client.get("/acts")).json()
        for number, rule in ((red, "keyless"), (rest, "standby")):
            refused = await client.post(f"/endpoints/{number}/resume")
            assert (refused.status_code, refused.json()["params"]["rule"]) == (409, rule)
        assert (await client.get("/acts")).json() == acts
        views = {row["id"]: row for row in (await client.get("/endpoints")).json()}
        assert [(views[n]["state"], views[n]["on_standby"]) for n in (red, rest)] == [
            ("paused", False),
            ("paused", True),
        ]


async def test_an_operator_pauses_a_model(connect, runtime):
    red = (await runtime.database.read(stored.by_name, RED)).id
    async with connect(KEY) as client:
        answer = await client.post(f"/endpoints/{red}/pause", json={"reason": "its server moves"})
        assert (answer.status_code, answer.json()["state"]) == (200, "paused")
        act = (await client.get("/acts")).json()[0]
        assert (act["kind"], act["target"], act["why"]) == ("endpoint_paused", RED, "its server moves")
        assert (await client.post(f"/endpoints/{red}/resume")).json()["state"] == "active"


async def test_approval_takes_one_that_waits_for_it(connect, runtime):
    def wait(session):
        row = stored.by_name(session, RED)
        row.state = EndpointState.PENDING
        return row.id

    red = await runtime.database.write(wait)
    async with connect(KEY) as client:
        assert (await client.post(f"/endpoints/{red}/approve")).json()["state"] == "active"
        again = await client.post(f"/endpoints/{red}/approve")
        assert (again.status_code, again.json()["code"]) == (409, "wrong_state")


async def test_changes_that_wait_are_shown_with_what_to_beware_of_and_approved_or_refused(connect, runtime):
    def want(session):
        row = stored.by_name(session, RED)
        row.pending = {"licence": "MIT", "aliases": ["ChatGPT"]}
        return row.id

    red = await runtime.database.write(want)
    async with connect(KEY) as client:
        shown = next(endpoint for endpoint in (await client.get("/endpoints")).json() if endpoint["id"] == red)
        assert shown["pending"] == {"licence": "MIT", "aliases": ["ChatGPT"]}
        assert {"field": "aliases", "text": "ChatGPT", "vendor": "OpenAI"} in shown["warnings"]
        late = await client.post(f"/endpoints/{red}/changes/approve", json={"revision": shown["revision"] + 1})
        assert (late.status_code, late.json()["code"]) == (409, "changed_meanwhile")
        answer = await client.post(f"/endpoints/{red}/changes/approve", json={"revision": shown["revision"]})
        assert (answer.json()["licence"], answer.json()["pending"]) == ("MIT", {})
        assert answer.json()["changes"][0]["reason"] == "changes approved"
        again = await client.post(f"/endpoints/{red}/changes/refuse")
        assert (again.status_code, again.json()["code"]) == (409, "nothing_pending")


async def test_the_operator_says_which_languages_an_endpoint_answers_whatever_its_owner_asked_for(connect, runtime):
    def want(session):
        row = stored.by_name(session, RED)
        row.pending = {"licence": "MIT", "languages": ["fr"]}
        return row.id, endpoint_states.revision(session, row.id)

    red, revision = await runtime.database.write(want)
    async with connect(KEY) as client:
        answer = await client.patch(f"/endpoints/{red}", json={"languages": ["en", "zh"], "revision": revision})
        assert (answer.status_code, answer.json()["languages"], answer.json()["pending"]) == (
            200,
            ["en", "zh"],
            {"licence": "MIT"},
        )
        assert (answer.json()["changes"][0]["code"], answer.json()["changes"][0]["actor"]) == ("changed", "operator")
        late = await client.patch(f"/endpoints/{red}", json={"languages": [], "revision": revision})
        assert late.json()["code"] == "changed_meanwhile"
        again = await client.patch(f"/endpoints/{red}", json={"languages": ["en", "zh"]})
        assert again.json()["revision"] == answer.json()["revision"]
        assert (await client.patch("/endpoints/99", json={"languages": []})).status_code == 404
        for languages in (["english"], ["en", "en"], ["EN"], [""]):
            refused = await client.patch(f"/endpoints/{red}", json={"languages": languages})
            assert (refused.status_code, refused.json()["params"]["field"]) == (422, "languages")


@pytest.mark.parametrize("number", ["0", "99", "x", "1e3", "9" * 30])
async def test_an_unknown_endpoint_is_not_found(connect, number):
    async with connect(KEY) as client:
        for act in ("approve", "suspend"):
            answer = await client.post(f"/endpoints/{number}/{act}")
            assert (answer.status_code, answer.json()["code"]) == (404, "endpoint_not_found")


@pytest.mark.parametrize("reason", ["", "x" * 201, "a\nb", " a"])
async def test_a_reason_that_does_not_fit_is_refused(connect, runtime, reason):
    red = (await runtime.database.read(stored.by_name, RED)).id
    async with connect(KEY) as client:
        answer = await client.post(f"/endpoints/{red}/suspend", json={"reason": reason})
    assert answer.status_code == 422


async def test_wrong_keys_are_counted_by_neighbourhood_and_logged_without_the_key(connect, caplog):
    wrong_key = "x" * 40
    async with connect(wrong_key) as guesser:
        codes = [(await guesser.get("/endpoints")).status_code for _ in range(12)]
    assert codes == [401] * 10 + [429] * 2
    assert sum("a wrong operator key came from" in record.getMessage() for record in caplog.records) == 10
    assert wrong_key not in caplog.text


async def test_the_right_key_is_not_counted(connect):
    async with connect(KEY) as client:
        assert {(await client.get("/endpoints")).status_code for _ in range(12)} == {200}


async def test_wrong_keys_do_not_lock_the_right_one_out_of_their_neighbourhood(connect):
    async with connect("x" * 40) as client:
        while (await client.get("/endpoints")).status_code != 429:
            pass
        right = await client.get("/endpoints", headers={"Authorization": f"Bearer {KEY}"})
        assert right.status_code == 200
        assert (await client.get("/endpoints")).status_code == 429
