"""Operators are persons: routes require roles, and every act is recorded with a name and in the log."""

from __future__ import annotations

import hashlib
import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

import arena_frontend
from arena.adapters.breaker import CallVerdict
from arena.adapters.store import endpoints as stored
from arena.adapters.store import log_leaves, loops
from arena.adapters.store.loops import LoopState
from arena.api.http.voter_cookie import Cookies
from arena.api.operators import person, reader
from arena.domain.errors import NameTaken
from arena.domain.operators import ActKind, Operator, OperatorRole
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.people import operators as people
from arena_trust.tlog.leaves import LeafKind, parse_leaf
from tests.api.conftest import ORIGIN
from tests.conftest import add_endpoints
from tests.paths import ROOT

COOKIES = Cookies(b"a secret of the tests")
RED = "red-7b"
SHARED = "k" * 40
SAFE = {"GET", "HEAD"}
LOOKING = {(f"/api/v1/operator/{part}/preview", "POST") for part in ("site", "votes")}
"""Routes that change nothing although they take a body."""
LOCALES = Path(arena_frontend.__file__).parent / "locales"


@pytest.fixture
def app(runtime):
    return whole_app(runtime, COOKIES, rules=OwnerRules(operator_key=SHARED))


@pytest.fixture
def connect(app, runtime):
    """Connect as an operator with a key of their own: `await connect("Ada", OperatorRole.VIEWER)`."""

    async def connect(name: str, role: OperatorRole = OperatorRole.OPERATOR) -> httpx2.AsyncClient:
        key = await people.add(runtime.database, name, role, runtime.now())
        return browser(app, key)

    return connect


def browser(app, key: str) -> httpx2.AsyncClient:
    headers = {"Authorization": f"Bearer {key}"}
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    return httpx2.AsyncClient(transport=transport, base_url=f"{ORIGIN}/api/v1/operator", headers=headers)


def operated(app) -> list[tuple[APIRoute, str]]:
    """Every route of operators with its method."""
    routes = [route for route in app.routes if isinstance(route, APIRoute) and "/operator/" in route.path]
    return [(route, method) for route in routes for method in route.methods]


def names(dependant: Dependant) -> Iterator[str]:
    """The functions that a route depends on."""
    for inner in dependant.dependencies:
        yield getattr(inner.call, "__name__", "")
        yield from names(inner)


def filled(route: APIRoute) -> str:
    """The path of a route below that of operators, with a value for each parameter."""
    path = route.path.split("/operator", 1)[1]
    for name in route.param_convertors:
        path = path.replace(f"{{{name}}}", "battles" if name == "part" else "1")
    return path


def test_every_route_of_operators_asks_a_role_and_every_act_records_a_person(app):
    routes = operated(app)
    assert len(routes) > 25
    assert [route.path for route, _ in routes if "check_role" not in names(route.dependant)] == []
    acts = {(route.path, method) for route, method in routes if "record_act" in names(route.dependant)}
    assert acts == {(route.path, method) for route, method in routes if method not in SAFE} - LOOKING


async def test_who_may_only_look_changes_nothing_and_a_stranger_sees_nothing(app, connect):
    viewer, stranger = await connect("Ada", OperatorRole.VIEWER), browser(app, "arena_x_y")
    stranger.headers.pop("Authorization")
    for route, method in operated(app):
        assert (await stranger.request(method, filled(route))).json()["code"] == "bad_api_key", route.path
        if method not in SAFE:
            refused = await viewer.request(method, filled(route))
            assert (refused.status_code, refused.json()["code"]) == (403, "role_required"), route.path


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        (OperatorRole.MODERATOR, {"/objections/1/answer", "/shares/1/takedown", "/labels", "/conversions/1/reviews"}),
        (OperatorRole.OPERATOR, None),
        (OperatorRole.OWNER, None),
    ],
)
async def test_a_role_may_what_the_ones_below_it_may(app, connect, role, allowed):
    person = await connect("Grace", role)
    acts = [(method, filled(route)) for route, method in operated(app) if method not in SAFE]
    may = {path for method, path in acts if (await person.request(method, path)).status_code != 403}
    assert may == (allowed or {path for _, path in acts})


async def test_an_act_is_kept_with_who_when_on_what_and_why(connect, runtime):
    person, red = await connect("Ada"), (await runtime.database.read(stored.by_name, RED)).id
    assert (await person.get("/me")).json() == {"name": "Ada", "via": "key", "role": "operator"}
    await person.post(f"/endpoints/{red}/suspend", json={"reason": "it  answers nonsense"})
    (act,) = (await person.get("/acts")).json()
    assert {name: act[name] for name in ("number", "who", "via", "role", "kind", "target", "why")} == {
        "number": 1,
        "who": "Ada",
        "via": "key",
        "role": "operator",
        "kind": "endpoint_suspended",
        "target": RED,
        "why": "it answers nonsense",
    }


async def test_the_log_has_a_digest_of_an_act_that_only_its_nonce_opens(connect, runtime):
    person = await connect("Ada")
    await person.put("/parts/battles/closed", json={"reason": "the server moves"})
    (act,) = (await person.get("/acts")).json()
    ((_, data),) = await runtime.database.read(log_leaves.of_kind, LeafKind.ACT)
    leaf = parse_leaf(data)
    facts = [act[name] for name in ("number", "at", "who", "via", "role", "kind", "target", "why")]
    facts[1] = facts[1].replace("Z", "+00:00")
    text = json.dumps(["arena-act/1", *facts], separators=(",", ":"), ensure_ascii=False)
    assert leaf["commit"] == hashlib.sha256(bytes.fromhex(act["nonce"]) + text.encode()).hexdigest()
    assert set(leaf) == {"v", "kind", "number", "day", "commit"}
    assert not any(word in data.decode() for word in ("Ada", "moves", "part_closed"))


async def test_an_act_that_fails_is_not_kept_and_one_that_succeeds_is_kept_once(connect, runtime):
    person = await connect("Ada")
    assert (await person.post("/endpoints/999/suspend")).status_code == 404
    red = (await runtime.database.read(stored.by_name, RED)).id
    assert (await person.post(f"/endpoints/{red}/approve")).status_code == 409
    assert (await person.get("/acts")).json() == []
    await person.post(f"/endpoints/{red}/retire")
    assert [act["kind"] for act in (await person.get("/acts")).json()] == ["endpoint_retired"]


async def test_a_part_that_is_so_already_is_told_so_keeps_its_reason_and_no_act(connect):
    person = await connect("Ada")
    refused = await person.delete("/parts/voting/closed")
    assert (refused.status_code, refused.json()["params"]["rule"]) == (409, "part_open")
    await person.put("/parts/voting/closed", json={"reason": "the server moves"})
    refused = await person.put("/parts/voting/closed", json={"reason": ""})
    assert (refused.status_code, refused.json()["detail"]) == (409, "voting is closed already.")
    (part,) = [each for each in (await person.get("/parts")).json() if each["part"] == "voting"]
    assert (part["closed"], part["reason"]) == (True, "the server moves")
    assert [act["kind"] for act in (await person.get("/acts")).json()] == ["part_closed"]


async def test_what_is_done_with_the_key_of_the_settings_names_it(app, runtime):
    person, red = browser(app, SHARED), (await runtime.database.read(stored.by_name, RED)).id
    await person.post(f"/endpoints/{red}/suspend")
    (act,) = (await person.get("/acts")).json()
    assert (act["who"], act["role"]) == ("ARENA_OPERATOR_KEY", "owner")


@pytest.mark.parametrize("name", ["ARENA_OPERATOR_KEY", "arena_operator_key"])
async def test_nobody_is_called_like_the_key_that_several_people_share(runtime, name):
    with pytest.raises(NameTaken):
        await people.add(runtime.database, name, OperatorRole.OWNER, runtime.now())


async def test_a_name_is_not_given_again_and_the_refusal_speaks_of_operators(runtime):
    await people.add(runtime.database, "Ada", OperatorRole.OWNER, runtime.now())
    await people.withdraw(runtime.database, "Ada", runtime.now())
    with pytest.raises(NameTaken, match="an operator has or had the name 'Ada'"):
        await people.add(runtime.database, "Ada", OperatorRole.OWNER, runtime.now())


def test_whom_a_provider_calls_like_the_shared_key_acts_under_that_name_and_no_other():
    signed_in = Operator("ARENA_OPERATOR_KEY", "school", OperatorRole.OWNER)
    assert person(signed_in, "somebody else") == "ARENA_OPERATOR_KEY"
    assert reader(signed_in, "somebody else") == signed_in.pseudonym


async def test_a_withdrawn_key_opens_nothing_and_its_name_is_not_given_again(connect, runtime):
    person = await connect("Ada")
    await people.withdraw(runtime.database, "Ada", runtime.now())
    assert (await person.get("/me")).json()["code"] == "bad_api_key"
    with pytest.raises(Exception, match="name"):
        await people.add(runtime.database, "ADA", OperatorRole.OWNER, runtime.now())


async def test_acts_are_read_page_by_page_and_exported_whole(connect):
    person = await connect("=cmd()")
    for _ in range(3):
        await person.put("/parts/chats/closed", json={"reason": ""})
        await person.delete("/parts/chats/closed")
    newest = (await person.get("/acts", params={"limit": 4})).json()
    rest = (await person.get("/acts", params={"before": newest[-1]["number"]})).json()
    assert [act["number"] for act in newest + rest] == [6, 5, 4, 3, 2, 1]
    content = (await person.get("/acts.csv")).content
    assert content.startswith(BOM_UTF8), "spreadsheets know UTF-8 by it"
    lines = content.decode("utf-8-sig").splitlines()
    assert lines[0] == "number,at,who,via,role,kind,target,why,nonce"
    assert len(lines) == 7
    assert ",'=cmd()," in lines[1]


async def test_a_closed_part_says_so_in_a_sentence_and_running_battles_end(connect, client):
    person = await connect("Ada")
    battle = (await client.post("/api/v1/battles", json={"prompt": "What is a key?"})).json()["id"]
    closed = await person.put("/parts/battles/closed", json={"reason": "tonight"})
    assert (closed.json()["closed"], closed.json()["reason"]) == (True, "tonight")
    refused = await client.post("/api/v1/battles", json={"prompt": "What is a lock?"})
    assert (refused.status_code, refused.json()["code"]) == (503, "closed")
    assert (refused.json()["params"], refused.json()["detail"][:30]) == (
        {"rule": "battles"},
        "Battles are closed for now, un",
    )
    await client.get(f"/api/v1/battles/{battle}/stream")
    voted = await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "a"})
    assert voted.json()["outcome"] == "a"
    await person.delete("/parts/battles/closed")
    assert (await client.post("/api/v1/battles", json={"prompt": "What is a lock?"})).status_code == 201
    assert {part["part"]: part["closed"] for part in (await person.get("/parts")).json()}["battles"] is False


async def test_the_figures_are_those_of_today_and_what_waits(connect, client, finish, runtime):
    person = await connect("Ada")
    battle = await finish()
    await finish()
    await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "tie"})
    figures = {"battles": 2, "votes": 1, "failing": 0, "keyless": {}}
    assert (await person.get("/figures")).json() == figures | {"waiting": 0}
    red = (await runtime.database.read(stored.by_name, RED)).id
    await person.post(f"/endpoints/{red}/suspend")

    def want(session):
        stored.by_name(session, RED).pending = {"licence": "MIT"}

    await runtime.database.write(want)
    assert (await person.get("/figures")).json() == figures | {"waiting": 1}


async def test_a_model_that_fails_is_counted_until_it_is_suspended(connect, runtime):
    person = await connect("Ada")
    red = (await runtime.database.read(stored.by_name, RED)).id
    calls = runtime.breakers.enter([red])
    calls[red].report(CallVerdict.HOPELESS)
    calls[red].close()
    assert (await person.get("/figures")).json()["failing"] == 1
    await person.post(f"/endpoints/{red}/suspend")
    assert (await person.get("/figures")).json()["failing"] == 0


async def test_active_models_whose_key_the_server_lacks_are_named_with_the_variable(connect, runtime):
    def lose(session):
        for name in (RED, "blue-7b"):
            stored.by_name(session, name).key_env = "KEY_OF_NOBODY"

    await runtime.database.write(lose)
    person = await connect("Ada")
    await person.post(f"/endpoints/{(await runtime.database.read(stored.by_name, 'blue-7b')).id}/suspend")
    assert (await person.get("/figures")).json()["keyless"] == {RED: "KEY_OF_NOBODY"}


async def test_a_model_without_a_key_plays_nowhere_and_practice_models_do(connect, client, runtime):
    """The operator's table, the counts, the notice of practice models and chats agree with what is drawn."""

    def lose(session):
        stored.by_name(session, RED).key_env = "KEY_OF_NOBODY"
        add_endpoints(session, ["demo-1", "demo-2"])
        for name in ("demo-1", "demo-2"):
            row = stored.by_name(session, name)
            row.demo = row.standby = True

    await runtime.database.write(lose)
    playing = {"blue-7b", "demo-1", "demo-2"}
    person = await connect("Ada")
    views = [(await person.get("/endpoints")).json(), (await client.get("/api/v1/models")).json()]
    for view in views:
        assert {row["name"] for row in view if row["state"] == "active"} == playing
    assert (await client.get(f"/api/v1/models/{RED}")).json()["state"] == "paused"
    status = (await client.get("/api/v1/status")).json()
    assert (status["endpoints"], status["practice"], status["mixed"]) == (len(playing), True, True)
    refused = await client.post("/api/v1/chats", json={"prompt": "What is a lock?", "models": [RED]})
    assert (refused.status_code, refused.json()["code"]) == (409, "model_away")
    pool = await runtime.pool.on(runtime.now().date(), runtime.database, runtime.keys)
    names = await runtime.database.read(stored.by_id, [candidate.id for candidate in pool.candidates])
    assert {row.name for row in names.values()} == playing


def test_every_kind_of_act_has_a_text_in_every_language():
    for language in ("en", "zh", "zh-TW"):
        texts = json.loads((LOCALES / f"{language}.json").read_text("utf-8"))
        assert [kind for kind in ActKind if f"op.did.{kind}" not in texts] == []


async def test_the_loops_of_background_work_tell_their_age_and_whether_they_are_late(connect, client, runtime):
    now = runtime.now()
    states = {
        "board": (10.0, 100.0, LoopState(passed_at=now - timedelta(seconds=8), worked_at=now - timedelta(seconds=20))),
        "files": (60.0, 600.0, LoopState(passed_at=now - timedelta(seconds=601), failure="no space left")),
        "gate": (10.0, 100.0, LoopState()),
        "parts": (10.0, 100.0, LoopState(failure="odd")),
    }
    await runtime.database.write(loops.report, states, now)
    views = {view["name"]: view for view in (await (await connect("Ada", OperatorRole.VIEWER)).get("/loops")).json()}
    ages = {name: view["age"] and round(view["age"]) for name, view in views.items()}
    assert {name: (ages[name], view["late"], view["failure"]) for name, view in views.items()} == {
        "board": (8, False, ""),
        "files": (601, True, "no space left"),
        "gate": (None, False, ""),
        "parts": (None, True, "odd"),
    }
    lines = (await client.get("/readyz?verbose")).text.splitlines()
    assert lines == ["ok", "board: 8 s ago", "files: 601 s ago, late", "gate: never", "parts: never, late"]
    assert (await client.get("/readyz")).text == "ok"


PHRASES = {
    "see everything on `/operator`": "GET /(?!labels|conversions|local-servers).*",
    "read prompts to label and questions to review": "GET /(labels|conversions)",
    "answer objections": "POST /objections/1/answer",
    "take shared links down": "POST /shares/1/takedown",
    "label prompts": "POST /labels",
    "review questions": "POST /conversions/1/reviews",
    "add models": "POST /endpoints|GET /local-servers",
    "approve, change, suspend, resume and retire models": "(POST|PATCH|PUT|DELETE) /endpoints/.*",
    "confirm and undo decisions": "(POST|DELETE) /decisions/.*",
    "make, run, open and close evaluations": "(POST|PATCH|DELETE|PUT) /evaluations.*",
    "close and open parts of the service": "(PUT|DELETE) /parts/.*",
    "change the site and its pages": "(POST|PUT|PATCH) /site.*",
    "import votes": "POST /votes.*",
}
"""What the document says of each role, and the calls that are meant."""
DOCUMENTED = re.findall(
    rf"(?m)^\| `({'|'.join(OperatorRole)})` \| (.*) \|$", (ROOT / "docs" / "members.md").read_text()
)


def test_the_table_of_roles_says_what_the_routes_ask(app):
    told = {phrase: role for role, cell in DOCUMENTED for phrase in PHRASES if phrase in cell}
    assert told.keys() == PHRASES.keys()
    for role, cell in DOCUMENTED[:-1]:
        rest = cell.removeprefix("also ")
        for phrase in sorted(PHRASES, key=len, reverse=True):
            rest = rest.replace(phrase, "")
        assert not re.sub(r"[,\s]|\band\b", "", rest), (role, rest)
    for route, method in operated(app):
        (phrase,) = (phrase for phrase, calls in PHRASES.items() if re.fullmatch(calls, f"{method} {filled(route)}"))
        assert asked_role(route.dependant) == told[phrase], (method, route.path)


def asked_role(dependant: Dependant) -> str:
    """The highest role that a route requires."""
    roles = [cell.cell_contents for call in checks(dependant) for cell in call.__closure__ or ()]
    return max((role for role in roles if isinstance(role, OperatorRole)), key=list(OperatorRole).index).value


def checks(dependant: Dependant) -> Iterator[Any]:
    """The functions `check_role` that a route depends on."""
    for inner in dependant.dependencies:
        if getattr(inner.call, "__name__", "") == "check_role":
            yield inner.call
        yield from checks(inner)
