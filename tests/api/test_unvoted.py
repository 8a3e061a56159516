"""Nothing that the public, an owner or another voter can read depends on who was drawn, as long as there is no vote."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations, product
from random import Random
from types import SimpleNamespace
from typing import Any

import altcha.v2
import httpx2
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from sqlalchemy import select

from arena.adapters.bot_checks import proof_of_work
from arena.adapters.breaker import BreakerRules, CircuitBreakers
from arena.adapters.store import endpoints
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.conversations import BattleRow, ReplyRow, TurnRow
from arena.adapters.store.tables.endpoint_records import BreakerRow
from arena.api.boards import cache
from arena.api.http.voter_cookie import Cookies
from arena.api.routes import endpoints as endpoint_routes
from arena.api.routes import evidence
from arena.domain.site import SitePage
from arena.domain.terms import BattleState, Side, TurnState
from arena.evaluations.usecases.sets import importer, sets
from arena.serving.composition import whole_app
from arena.serving.publisher import Publisher
from arena.usecases.battles import breakers
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.ranking.vote_columns import CountedLog
from arena_providers.errors import BadCredentials, RateLimitedUpstream
from arena_providers.terms import Finish
from tests.adapters.images.files import draw, save
from tests.api.conftest import ORIGIN
from tests.conftest import NAMES, START, add_endpoints
from tests.evaluations.usecases.populated import EVALUATION, open_public
from tests.evaluations.usecases.sets import files as question_files
from tests.publication import publish_once
from tests.row_factories import battle_row
from tests.usecases.ranking.test_publication import METHOD

pytestmark = pytest.mark.process

MODELS = (*NAMES, "green-7b")
PAIRS = tuple(combinations(range(len(MODELS)), 2))
ALL, EACH_ONCE = range(len(PAIRS)), (0, 2)
"""Numbers of pairs; in two of the three every model is drawn."""
STATES = ("running", "ready", "failed", "abandoned")
OPERATED = "/api/v1/operator/"
NOW = START + timedelta(days=3)
HISTORY = 300
"""Battles of each pair that ended long ago."""


class Wanted(Random):
    """A random generator that draws the pair `pair` of three equally likely models."""

    pair, asked = 0, 0

    def random(self) -> float:
        first, second = PAIRS[self.pair]
        self.asked += 1
        return (first + 0.5) / len(MODELS) if self.asked % 2 else (second - 0.5) / (len(MODELS) - 1)


@dataclass
class World:
    """A running arena with a history, in which every readable route has content."""

    app: FastAPI
    runtime: Any
    reader: httpx2.AsyncClient
    stranger: httpx2.AsyncClient
    voter: httpx2.AsyncClient
    known: dict[str, list[str]]

    def addresses(self) -> list[str]:
        """All paths of readable routes; a new kind of parameter must be added here."""
        paths: list[str] = []
        for route in iter_route_contexts(self.app.routes):
            if "GET" in (route.methods or ()) and not route.path.startswith((OPERATED, "/api/{")):
                path = route.path.replace(":path}", "}")
                names = re.findall(r"{(\w+)}", path)
                of_each = product(*(self.known[name] for name in names))
                paths += [path.format(**dict(zip(names, ids, strict=True))) for ids in of_each]
        return paths

    async def read(self) -> dict[tuple[str, str], tuple[int, list[tuple[str, str]], bytes]]:
        """What everybody is told now: an owner who votes too, and somebody without key and cookie."""
        answers = {}
        for who in ("reader", "stranger"):
            for address in self.addresses():
                client = getattr(self, who)
                answers[who, address] = await plain(client, address)
        return answers

    async def battle(self, pair: int, *, until: str) -> str:
        """A battle of this pair in the state `until`; returns its id."""
        self.runtime.rng.pair = pair
        battle_id = (await self.voter.post("/api/v1/battles", json={"prompt": "Hello"})).json()["id"]
        path = f"/api/v1/battles/{battle_id}"
        if until != "running":
            await self.voter.get(f"{path}/stream")
        if until == "abandoned":
            await self.voter.post(f"{path}/skip")
        drawn = await self.runtime.database.read(drawn_in, battle_id)
        assert drawn == {MODELS[place] for place in PAIRS[pair]}
        return battle_id


async def plain(client, address):
    answer = await client.get(address)
    return answer.status_code, sorted(answer.headers.items()), answer.content


def drawn_in(session, battle_id):
    row = session.get_one(BattleRow, battle_id)
    return {endpoint.name for endpoint in endpoints.by_id(session, (row.endpoint_a_id, row.endpoint_b_id)).values()}


def past(session) -> None:
    """Insert old battles: each endpoint has failed so often that one more failure would suspend it."""
    numbers = [endpoints.by_name(session, name).id for name in MODELS]
    for count, (one, other) in product(range(HISTORY // 3), [(numbers[a], numbers[b]) for a, b in PAIRS]):
        failed = "unavailable" if count >= 95 else None
        at = START + timedelta(minutes=count)
        state = BattleState.VOID if failed else BattleState.ABANDONED
        columns = {"state": state, "created_at": at, "ended_at": at, "turns": [ended(at, (one, other), failed)]}
        session.add(battle_row(f"old-{count}-{one}-{other}", one, other, probability=1 / 3, **columns))


def ended(at, numbers, failed) -> TurnRow:
    replies = [
        ReplyRow(
            endpoint_id=number,
            generation=0,
            side=side,
            text="",
            error=failed,
            finish=None if failed else Finish.STOP,
            first_token_ms=40,
            total_ms=90,
        )
        for side, number in zip(Side, numbers, strict=True)
    ]
    state = TurnState.FAILED if failed else TurnState.READY
    return TurnRow(number=1, prompt="x", state=state, started_at=at, deadline_at=at, ended_at=at, replies=replies)


@pytest.fixture
async def runtime(database, scripted, runtime):
    def three(session) -> None:
        add_endpoints(session, MODELS[2:])
        session.flush()
        past(session)

    await runtime.database.write(three)
    runtime.now, runtime.rng = (lambda: NOW), Wanted()
    runtime.breakers, runtime.chat_breakers = (CircuitBreakers(BreakerRules(), lambda: 0.0) for _ in range(2))
    return runtime


@pytest.fixture
async def app(runtime, monkeypatch):
    monkeypatch.setattr(cache, "FRESH", 0.0)
    monkeypatch.setattr(breakers, "CHECK_SECONDS", 0.01)
    for room in (evidence, endpoint_routes, altcha.v2):
        monkeypatch.setattr(room, "secrets", SimpleNamespace(token_bytes=bytes))
    monkeypatch.setattr(proof_of_work, "randbelow", lambda _: 0)
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key="k" * 32))
    async with app.router.lifespan_context(app):
        yield app


@asynccontextmanager
async def tab(app):
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    headers = {"X-Request-ID": "the-one-request"}
    async with httpx2.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as client:
        yield client


@pytest.fixture
async def world(app, runtime, cap, tmp_path):
    async with tab(app) as reader, tab(app) as stranger, tab(app) as voter:
        await owns_all(reader, runtime, cap)
        world = World(app, runtime, reader, stranger, voter, {})
        chat = (await reader.post("/api/v1/chats", json={"prompt": "Hi", "models": MODELS[:2]})).json()["id"]
        await reader.get(f"/api/v1/chats/{chat}/stream")
        await chatted(reader, MODELS[2])
        battle = (await reader.post("/api/v1/battles", json={"prompt": "Hi"})).json()["id"]
        path = f"/api/v1/battles/{battle}"
        await reader.get(f"{path}/stream")
        await reader.post(f"{path}/vote", json={"outcome": "a"})
        await reader.post(f"{path}/remarks", json={"a": {"reasons": [], "stars": {"clear": 2}}})
        token = (await reader.post(f"{path}/share")).json()["token"]
        numbers = [str(endpoint["id"]) for endpoint in (await reader.get("/api/v1/endpoints")).json()]
        world.known = {
            "name": list(MODELS),
            "endpoint_id": numbers,
            "battle_id": [battle],
            "chat_id": [chat],
            "token": [token],
            "week": ["2025-W40"],
            "image_id": [(await reader.post("/api/v1/images", content=save(draw()))).json()["id"]],
            "set_name": [await public_set(runtime.database, tmp_path)],
            "evaluation": [EVALUATION],
            "page": [*SitePage],
        }
        await open_public(runtime.database, "ours", tmp_path, START)
        with ThreadPoolExecutor(1) as executor:
            await publish_once(runtime.database, METHOD, CountedLog(), executor=executor, now=runtime.now)
        await tend(runtime.database, NOW - timedelta(hours=2))
        yield world


async def tend(database, now) -> None:
    """The worker's passes over battles and endpoints."""
    publisher = Publisher(database, METHOD, ThreadPoolExecutor(1), lambda: now)
    await publisher.close_turns(unguarded)
    await publisher.watch_endpoints(unguarded)


async def public_set(database, folder) -> str:
    questions = question_files.read(folder / "ours.jsonl", question_files.own(question_files.question()))
    await importer.import_set(database, questions.facts, questions.questions, START)
    await sets.publish(database, "ours", public=True)
    return "ours"


async def owns_all(client, runtime, cap) -> None:
    """Make whoever has this client the owner of all three."""
    signed_up = await client.post("/api/v1/owners", json={"name": "Three Labs", "contact": "three@labs.example"})
    client.headers["Authorization"] = f"Bearer {signed_up.json()['key']}"

    def give(session) -> None:
        for name in MODELS:
            row = endpoints.by_name(session, name)
            row.owner_id, row.daily_calls = signed_up.json()["id"], cap

    await runtime.database.write(give)


@pytest.fixture
def cap():
    return 400


@pytest.mark.parametrize(
    ("url", "until", "pairs"),
    [
        *(("sqlite", until, EACH_ONCE) for until in ("running", "failed", "abandoned")),
        ("postgresql", "ready", EACH_ONCE),
        *(pytest.param("sqlite", until, ALL, marks=pytest.mark.heavy) for until in STATES),
        *(pytest.param("postgresql", until, ALL, marks=pytest.mark.heavy) for until in STATES),
    ],
    indirect=["url"],
)
async def test_no_byte_that_anybody_reads_changes_because_of_a_battle_without_a_vote(world, part, until, pairs):
    assert len(world.addresses()) > 30
    before = await world.read()
    for model in MODELS:
        if until == "failed":
            part(model, "some", error=BadCredentials("401"))
        else:
            part(model, "some", hang=until == "running")
    for pair in pairs:
        if until == "failed":
            world.runtime.breakers = CircuitBreakers(
                BreakerRules(), lambda: 0.0
            )  # all that failed would else not be drawn again
        await world.battle(pair, until=until)
        if until == "failed":
            await until_told(world.runtime, [MODELS[place] for place in PAIRS[pair]])
        await tend(world.runtime.database, NOW)
        after = await world.read()
        changed = {address for address in before if after[address] != before[address]}
        assert changed == set()
        assert after.keys() == before.keys()


async def until_told(runtime, names) -> None:
    """Wait until this process has said that it leaves these alone."""

    def told(session) -> set[str]:
        return {row.name for row in endpoints.by_id(session, session.scalars(select(BreakerRow.endpoint_id))).values()}

    while await runtime.database.read(told) != set(names):
        await asyncio.sleep(0.01)


class Refused(list):
    """Answers that a stranger gets about each model, without its name."""

    def of(self, answer, *models):
        text = answer.text
        for name in models:
            text = text.replace(name, "a model")
        headers = {key: value for key, value in answer.headers.items() if key not in {"set-cookie", "content-length"}}
        chat = answer.json().get("id", "none")
        self.append((answer.status_code, headers, text.replace(chat, "a chat")))


async def chatted(client, *models):
    """Open a chat with these and follow it to its end."""
    answer = await client.post("/api/v1/chats", json={"prompt": "Hello", "models": models})
    if answer.status_code == 201:
        await client.get(f"/api/v1/chats/{answer.json()['id']}/stream")
    return answer


@pytest.mark.parametrize(("why", "cap"), [("cap", 8), ("open", 400), ("waits", 400), ("full", 400)])
async def test_whether_a_chat_is_refused_does_not_depend_on_who_is_in_a_battle(world, part, why):
    runtime, stranger = world.runtime, world.stranger
    runtime.breakers, runtime.chat_breakers = (CircuitBreakers(BreakerRules(at_once=1), lambda: 0.0) for _ in range(2))
    held = {model: (await chatted(stranger, model)).json()["id"] for model in MODELS}
    errors = {"open": BadCredentials("401"), "waits": RateLimitedUpstream("429", retry_after=99)}
    for model in MODELS:
        part(model, *([] if why == "waits" else ["some"]), error=errors.get(why), hang=why == "full")
    await world.battle(0, until="running" if why == "full" else "ready")
    for model in MODELS:
        part(model, "some")
    outcomes = {model: Refused() for model in MODELS}
    for model, refused in outcomes.items():
        if why != "cap":
            refused.of(await chatted(stranger, model), model)
        for _ in range(2 if why == "cap" else 1):
            refused.of(await stranger.post(f"/api/v1/chats/{held[model]}/turns", json={"prompt": "More"}), model)
            await stranger.get(f"/api/v1/chats/{held[model]}/stream")
        refused.of(await stranger.post(f"/api/v1/chats/{held[model]}/regenerate"), model)
    assert outcomes[MODELS[0]] == outcomes[MODELS[1]] == outcomes[MODELS[2]]
    pairs = [Refused() for _ in PAIRS]
    for (a, b), refused in zip(PAIRS, pairs, strict=True):
        refused.of(await chatted(stranger, MODELS[a], MODELS[b]), MODELS[a], MODELS[b])
    assert pairs[0] == pairs[1] == pairs[2]
    assert pairs[0][0][0] == (503 if why == "cap" else 201)


async def test_what_a_voter_is_told_of_the_own_battle_does_not_depend_on_who_was_drawn(world, part):
    for model in MODELS:
        part(model, "the same ", "answer")
    observations = []
    for pair in range(len(PAIRS)):
        async with tab(world.app) as world.voter:
            battle_id = await world.battle(pair, until="ready")
            answers = {}
            for address in world.addresses():
                path = address.replace(world.known["battle_id"][0], battle_id)
                if path != address or "/me/" in address:
                    status, headers, body = await plain(world.voter, path)
                    answers[address] = status, headers, body.replace(battle_id.encode(), b"a battle")
            observations.append(answers)
    assert len(observations[0]) > 5
    assert observations[0] == observations[1] == observations[2]
