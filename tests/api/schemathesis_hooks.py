"""Schemathesis hooks that adapt each request, so that no call uses up what another one needs."""

from __future__ import annotations

import atexit
import gc
import json
import os
import zlib
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx2
import schemathesis
from schemathesis.generation.meta import CoverageScenario

from tests.api.rows import Rows

EVALUATION: Final = os.environ["EVALUATION"]
IMAGE: Final = Path("image.png").read_bytes()
VOTES: Final = json.dumps([{"model_a": "heron-1", "model_b": "wren-2", "winner": "model_a"}]).encode()
"""A file of votes; others are refused, by the status of the reason."""
URL: Final = os.environ["ARENA_URL"]
OWNER: Final = os.environ["OWNER_AUTHORIZATION"]
SPENT: Final[dict[str, list[str]]] = json.loads(os.environ["SPENT"])
"""Ids by path parameter, of which each changing call gets a copy or a fresh state."""
STATES: Final = {"/pause": "active", "/probe": "draft", "/approve": "pending", "/suspend": "active"}
RESUMED: Final = {"/api/v1/endpoints/{endpoint_id}/resume": "paused"}
VOTED: Final = ("/share", "/remarks")
"""Calls that need a battle with a vote."""
STAGES: Final = {"/run": "draft", "/open": "answered", "/close": "opened", "/annotators": "opened"}
"""The evaluation in the stage that each call of the operator needs."""
EMPTY: Final = "empty"
"""The draft that is deleted."""
SITES: Final = {
    "/api/v1/operator/site": {"name": "Arena of Example"},
    "/api/v1/operator/site/file": {"format": "arena-site", "version": 1, "languages": ["en", "zh"]},
}
"""Bodies that change the site without removing anything that other calls need."""
SAMPLE: Final = float(os.environ["SAMPLE"])
"""Share of invalid requests to send, always the same ones and at most one of each kind; 1 sends all."""

_NUMBERS: Final = count()
_ADDRESSES: Final = Random(0)
_ROWS: Final = Rows(os.environ["ARENA_DATABASE"])
_ANSWERS: Counter[str] = Counter()
_KINDS: Counter[tuple[object, ...]] = Counter()
# Reading the system's certificates takes 25 ms.
_ASKING: Final[dict[str, Any]] = {"timeout": 60, "verify": httpx2.create_ssl_context()}

# Garbage collection of thousands of long-living schemas would take a third of the time.
gc.freeze()
gc.set_threshold(50_000)


@schemathesis.hook
def filter_case(_context: object, case: Any) -> bool:
    """Keep one case of each kind: what is valid or invalid, and where, such as too long a string in the body."""
    if SAMPLE == 1:
        return True
    how, mode = case.meta.phase.data, case.meta.generation.mode
    call = "any" if how.scenario == CoverageScenario.UNSPECIFIED_HTTP_METHOD else case.method
    kind = (call, case.path, mode, how.scenario, how.parameter_location)
    _KINDS[kind] += 1
    chosen = mode.is_positive or zlib.crc32(repr(kind).encode()) < SAMPLE * 2**32
    return chosen and _KINDS[kind] == 1


@schemathesis.hook
def before_call(_context: object, case: Any, kwargs: dict[str, Any]) -> None:
    """Give each call a client address, and ids that were made for it."""
    case.headers["X-Forwarded-For"] = ".".join(str(_ADDRESSES.randrange(1, 224)) for _ in range(4))
    if case.path.endswith("/owners/me/key") and case.headers.get("Authorization") == OWNER:
        case.headers["Authorization"] = f"Bearer {_signed_up()}"
    if case.path.endswith("/images") and case.meta.generation.mode.is_positive:
        case.body = IMAGE
    if case.path.startswith("/api/v1/operator/votes") and case.meta.generation.mode.is_positive:
        case.body = VOTES
    if case.path in SITES and case.meta.generation.mode.is_positive:
        case.body = SITES[case.path]
    if case.method != "GET":
        # A new dictionary, because cases share one.
        case.path_parameters = {
            name: _fresh(case, name.removesuffix("_id"), value) if value in SPENT.get(name, ()) else value
            for name, value in case.path_parameters.items()
        }
        stage = STAGES.get(case.path.removeprefix("/api/v1/operator/evaluations/{evaluation}"))
        if case.method == "DELETE" and case.path.endswith("/evaluations/{evaluation}"):
            stage = EMPTY
        if stage and case.meta.generation.mode.is_positive:
            case.path_parameters["evaluation"] = stage


@schemathesis.hook
def after_call(_context: object, case: Any, response: Any) -> None:
    """Count which statuses each operation has answered with."""
    _ANSWERS[f"{case.method} {case.path} {response.status_code}"] += 1


@atexit.register
def _tell() -> None:
    Path("answers.json").write_text(json.dumps(_ANSWERS))


def _fresh(case: Any, kind: str, old: str) -> str:
    """An id for this call alone, in the state that the call needs."""
    if kind == "endpoint":
        after = case.path.rpartition("}")[2]
        state = RESUMED.get(case.path) or ("suspended" if after == "/resume" else STATES.get(after, "active"))
        _ROWS.lead(old, state, {"link": "https://acme.example"} if "/changes/" in case.path else None)
        return old
    if kind == "link":
        return _annotator(case)
    if kind == "token":
        return _act(case, _voted(case), "share").json()["token"]
    if kind == "battle" and case.path.endswith(VOTED):
        return _voted(case)
    if kind == "battle" and case.path.endswith("/share/listing"):
        battle = _voted(case)
        _act(case, battle, "share")
        return battle
    return _copy(kind, old)


def _copy(kind: str, old: str) -> str:
    new = f"copy-{os.getpid()}-{next(_NUMBERS)}"
    _ROWS.copy(kind, old, new)
    return new


def _voted(case: Any) -> str:
    """Another battle, with its vote."""
    new = _copy("battle", SPENT["battle_id"][0])
    _act(case, new, "vote", outcome="a")
    return new


def _annotator(case: Any) -> str:
    """The link of a new annotator with two items, the first judged if the call undoes a judgement.

    The network of this call is new, so no item was shown to it before.
    """
    address = {"X-Forwarded-For": case.headers["X-Forwarded-For"]}
    with httpx2.Client(base_url=f"{URL}/api/v1", headers=address, **_ASKING) as client:
        link = client.post(f"/evaluations/{EVALUATION}/annotators").raise_for_status().json()["link"]
        client.post(f"/annotate/{link}/items").raise_for_status()
        if case.method == "DELETE":
            body = {"said": {"outcome": "a"}}
            client.put(f"/annotate/{link}/items/1", json=body).raise_for_status()
    return link


def _act(case: Any, battle: str, act: str, **body: str) -> httpx2.Response:
    cookie = {"Cookie": case.headers["Cookie"]}
    return httpx2.post(f"{URL}/api/v1/battles/{battle}/{act}", json=body or None, headers=cookie, **_ASKING)


def _signed_up() -> str:
    """The key of a new owner."""
    body = {"name": f"Spare {os.getpid()} {next(_NUMBERS)}", "contact": "c@acme.example"}
    answer = httpx2.post(f"{URL}/api/v1/owners", json=body, **_ASKING)
    return answer.raise_for_status().json()["key"]
