"""Fills an arena so that every id in the API exists; calls with an id and a key then succeed."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, Final

import altcha
import httpx2
from pydantic import SecretStr

from arena.adapters.log_files import LogFiles
from arena.adapters.store import questions as stored_questions
from arena.adapters.store.engine import open_database
from arena.cli.log_sequencer import sequencer_of
from arena.domain.terms import EndpointState, Outcome
from arena.evaluations.store import drafts
from arena.settings import Settings
from arena.usecases.labelling import samples
from arena.usecases.ranking.methods import FEWEST
from arena.usecases.ranking.vote_columns import CountedLog
from tests.adapters.images.files import draw, save
from tests.api.rows import Rows
from tests.evaluations.usecases.populated import EVALUATION, open_public, publish_report
from tests.processes import PATIENCE, Process, until
from tests.publication import publish_once
from tests.usecases.ranking.test_publication import METHOD

OPERATOR_KEY: Final = "k" * 40
WIDE: Final = {
    "ARENA_OPERATOR_KEY": OPERATOR_KEY,
    "ARENA_SECURITY_CONTACT": "security@arena.example",
    "ARENA_SECRET_KEY": b64encode(bytes(32)).decode(),
    "ARENA_DEMO": "on",
    "ARENA_TRUSTED_HOPS": "1",
    "ARENA_FRAME_SECONDS": "0.5",
    "ARENA_RELEASE_RATE": "100000",
    "ARENA_PROMPTS_PER_MINUTE": "1000000",
    "ARENA_PROMPTS_PER_MINUTE_PER_ADDRESS": "1000000",
    "ARENA_RUNNING": "10000",
    "ARENA_RUNNING_PER_VOTER": "10000",
    "ARENA_RUNNING_PER_ADDRESS": "10000",
    "ARENA_BATTLES_PER_DAY_PER_ADDRESS": "0",
    "ARENA_VOTES_PER_DAY_PER_ADDRESS": "0",
    "ARENA_ABANDONED_FROM": "1000000",
    "ARENA_READING_SPEED": "0",
    "ARENA_SIGN_UPS_PER_HOUR": "1000000",
    "ARENA_PROBES_PER_HOUR": "1000000",
}
"""Settings with limits so high that thousands of calls of one voter stay below them."""
ENDPOINT: Final = {
    "name": "acme-mini",
    "url": "https://models.example/v1",
    "dialect": "openai_chat",
    "wire_model": "seven",
}
"""An endpoint at an address that does not exist."""
JOINING: Final = {"url": ENDPOINT["url"], "models": [{"name": "acme-nano", "wire_model": "eight"}]}
READING: Final = {"set": "capabilities", "number": 1, "reader": "anna", "reading": 1, "values": ["code"]}
WORDING: Final = {"question": "Which is a sea?", "options": ["Baltic", "Rhine", "Alps", "Mars"], "key": "A"}
REVIEW: Final = {"reviewer": "anna", "verdict": "amended", "wording": WORDING}
STAGED: Final = ("draft", "answered", "opened")
"""Names of evaluations in the stages from which the operator's calls move them on."""
EMPTY: Final = "empty"
"""Name of a draft that is there to be deleted."""
IMAGE: Final = save(draw())
COPY: Final = r"^copy-[0-9]+-[0-9]+$"
"""Pattern of the ids of copied battles and chats."""
PATTERNS: Final = {"token": r"^[A-Za-z0-9_-]{22}$", "link": r"^[A-Za-z0-9_-]{32}$"}
"""Patterns of the secrets in links to shared battles and of annotators."""


@dataclass(frozen=True, slots=True)
class Populated:
    """Addresses, keys and ids of a filled arena."""

    url: str
    database: str
    """Its URL."""
    owner_key: str
    cookie: str
    """The cookie of a voter with battles and chats."""
    ids: dict[str, list[str]]
    """Ids by the name of their path parameter; the first battle has no vote."""
    payload: str
    """The solved bot check of the voter, not yet submitted."""

    @property
    def spent(self) -> dict[str, list[str]]:
        """Ids that a changing call uses up: it needs a copy, or a certain state."""
        names = ("battle_id", "chat_id", "endpoint_id", "token", "link")
        return {name: self.ids[name][: None if name == "chat_id" else 1] for name in names}

    def named(self, contract: dict[str, Any]) -> dict[str, Any]:
        """The contract with these ids and an unknown one as allowed values of path parameters."""
        for methods in contract["paths"].values():
            for operation in methods.values():
                for parameter in operation.get("parameters", []):
                    if ids := self.ids.get(parameter["name"]):
                        # Ids of copies are allowed, too.
                        pattern = PATTERNS.get(parameter["name"], COPY)
                        parameter["schema"] = {
                            "anyOf": [{"enum": [*ids, "999"]}, {"type": "string", "pattern": pattern}]
                        }
        schemas = contract["components"]["schemas"]
        schemas["ChatRequest"]["properties"]["models"]["items"]["enum"] = [*self.ids["name"], "nobody"]
        schemas["ChatRequest"]["examples"] = [{"models": self.ids["name"][:1], "prompt": "Hello"}]
        schemas["RemarksView"]["examples"] = [{"a": {"reasons": ["useful"]}}]
        schemas["RegisterRequest"]["examples"] = [ENDPOINT]
        schemas["AnnotationRequest"]["examples"] = [{"said": {"outcome": "a"}}]
        schemas["LabelReadingRequest"]["examples"] = [READING]
        schemas["ReviewRequest"]["examples"] = [REVIEW]
        schemas["EvaluationChangeRequest"]["examples"] = [{"least_right": 0.5}]
        schemas["DraftRequest"]["examples"] = [draft("made", self.ids["name"])]
        schemas["InvitationRequest"]["examples"] = [{"number": 2, "address": "https://arena.example"}]
        schemas["JoinManyRequest"]["examples"] = [JOINING]
        schemas["ClosingRequest"]["examples"] = [{"incomplete": True}]
        schemas["BotCheckRequest"]["examples"] = [{"payload": self.payload}]
        return contract


def populate(arena: Process) -> Populated:
    """Sign up, register, battle, vote, share, chat and publish a leaderboard."""
    settings = Settings(
        data=Path(arena.environment["ARENA_DATA"]),
        database_url=arena.environment["ARENA_DATABASE_URL"],
        secret_key=SecretStr(arena.environment["ARENA_SECRET_KEY"]),
    )
    rows = Rows(settings.database)
    clients = [httpx2.Client(base_url=f"{arena.url}/api/v1", timeout=PATIENCE) for _ in range(2)]
    with clients[0] as voter, clients[1] as second:
        models = [model["name"] for model in voter.get("/models").json()]
        battle, other = (_post(client, "/battles", prompt="What is two and two?", terms=1)["id"] for client in clients)
        chats = [_post(voter, "/chats", prompt="Hello", models=models[:sides])["id"] for sides in (1, 2)]
        for path in (f"/battles/{battle}", *(f"/chats/{chat}" for chat in chats)):
            until(lambda path=path: voter.get(path).json()["turns"][-1]["state"] != "running")
        until(lambda: second.get(f"/battles/{other}").json()["turns"][-1]["state"] != "running")
        voted = [f"voted-{number}" for number in range(FEWEST)]
        for number, outcome, (client, source) in zip(voted, cycle(Outcome), cycle([(voter, battle), (second, other)])):
            rows.copy("battle", source, number)
            _post(client, f"/battles/{number}/vote", outcome=outcome)
        token = _post(voter, f"/battles/{voted[0]}/share")["token"]
        key, endpoints = _endpoints(voter, rows)
        asyncio.run(publish(settings))
        until(lambda: voter.get("/leaderboard/style").is_success)
        ids = {"battle_id": [battle, *voted[2:6:2]], "chat_id": chats, "endpoint_id": endpoints, "token": [token]}
        ids |= rows.decide(endpoints[-1])
        ids["image_id"] = [voter.post("/images", content=IMAGE).raise_for_status().json()["id"]]
        ids["set_name"] = [question_set["name"] for question_set in voter.get("/questions").json()]
        ids |= asyncio.run(_evaluate(settings, ids["set_name"][0]))
        ids |= {side: models[number : number + 1] for number, side in enumerate("ab")}
        _stage(arena.url, models)
        payload = _solved(voter.get("/bot-check").json()["challenge"])
        return Populated(
            arena.url, settings.database, key, voter.cookies["arena_voter"], {**ids, "name": models}, payload
        )


def _solved(challenge: dict[str, Any]) -> str:
    solution = altcha.solve_challenge(issued := altcha.Challenge.from_dict(challenge))
    assert solution
    return altcha.Payload(issued, solution).to_base64()


def _post(client: httpx2.Client, path: str, **body: Any) -> dict[str, Any]:
    answer = client.post(path, json=body or None)
    assert answer.is_success, answer.text
    return json.loads(answer.text or "{}")


def _endpoints(client: httpx2.Client, rows: Rows) -> tuple[str, list[str]]:
    """The key of an owner with endpoints in every state, and the ids of the endpoints."""
    key = _post(client, "/owners", name="Acme", contact="acme@acme.example")["key"]
    client.headers["Authorization"] = f"Bearer {key}"
    states = (EndpointState.ACTIVE, *EndpointState)
    requests = [ENDPOINT | {"name": f"acme-{number}b"} for number in range(len(states))]
    numbers = [str(_post(client, "/endpoints", **endpoint)["id"]) for endpoint in requests]
    for number, state in zip(numbers, states, strict=True):
        rows.lead(number, state, None)
    del client.headers["Authorization"]
    return key, numbers


SITE: Final = {"accent": "#1a6fb5", "pages": {page: {"en": "We."} for page in ("imprint", "privacy", "terms")}}
"""Settings of the site that some calls need to return anything."""


def draft(name: str, models: list[str]) -> dict[str, Any]:
    """A request to create an evaluation of two models."""
    return {"name": name, "content": "1. What is 2 + 2?\n2. Name a sea.\n", "models": models[:2]}


def _stage(url: str, models: list[str]) -> None:
    """Create an evaluation in each stage, and a site with a page of each kind."""
    with httpx2.Client(base_url=f"{url}/api/v1/operator", timeout=PATIENCE) as operator:
        operator.headers["Authorization"] = f"Bearer {OPERATOR_KEY}"
        for number, name in enumerate(STAGED):
            _post(operator, "/evaluations", **draft(name, models))
            if number:
                _post(operator, f"/evaluations/{name}/run")
                until(lambda name=name: not operator.get(f"/evaluations/{name}").json()["running"])
        _post(operator, "/evaluations", **draft(EMPTY, models))
        operator.post(f"/evaluations/{STAGED[-1]}/open", json={}).raise_for_status()
        operator.patch("/site", json=SITE | {"mark": b64encode(save(draw((32, 32)))).decode()}).raise_for_status()


async def _evaluate(settings: Settings, questions: str) -> dict[str, list[str]]:
    """Create a public evaluation with an annotator, one with a report, and samples to label; returns their ids."""
    with closing(open_database(settings.database)) as database:
        link = await open_public(database, questions, settings.data, datetime.now(UTC))
        await samples.draw(database, "capabilities", [questions], Random(1), datetime.now(UTC))
        report = await publish_report(database, questions, settings.data, datetime.now(UTC))
        await database.write(_convert)
    return {
        "evaluation": [EVALUATION, report, *STAGED, EMPTY],
        "link": [link],
        "number": ["1"],
        "questions": [questions],
    }


def _convert(session) -> None:
    """Add a converted question that waits for its reviews."""
    facts = {"wording": WORDING, "text": "A closed question.", "tokens": 9, "created_at": datetime.now(UTC)}
    question = next(iter(stored_questions.list_all(session, 1))).id
    drafts.add_conversion(session, question_id=question, endpoint="maker", version=1, **facts)


async def publish(settings: Settings) -> None:
    """Publish the quick and the full snapshot, and the transparency log."""
    with closing(open_database(settings.database)) as database, ThreadPoolExecutor(1) as executor:
        log, now = CountedLog(), partial(datetime.now, UTC)
        while await publish_once(database, METHOD, log, executor=executor, now=now):
            pass
        await sequencer_of(settings, database, LogFiles(settings.published_log)).turn()
