"""A fake of the owners' and the operator's API in memory; a test sets the reports of probes."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, FastAPI, Header, Request
from fastapi.responses import Response, StreamingResponse

from arena.api.http.problems import problem
from arena.domain import errors
from arena.domain.operators import OperatorRole
from arena.domain.schemas.base import Wire
from arena.domain.schemas.discovery import DiscoveryView, JoinedView, OfferedModelView, TwinsComparedView
from arena.domain.schemas.endpoints import (
    DescriptionRequest,
    EndpointView,
    OperatedSummaryView,
    OwnedEndpointView,
)
from arena.domain.schemas.labels import LabelItemView, LabelReadingRequest, LabelTaskView
from arena.domain.schemas.operated_models import AddedView, AddRequest, LocalServerView
from arena.domain.schemas.operators import ActView, FiguresView, OperatorView, PartRequest, PartView
from arena.domain.schemas.owners import OwnerView, WebhookView
from arena.domain.schemas.problems import ProblemView
from arena.domain.schemas.questions import WordingView
from arena.domain.schemas.shares import ReportedShareView, TakedownRequest
from arena.domain.schemas.site import OperatedSiteView, SiteFileView, SiteView
from arena.domain.schemas.status import LogView, LoopView, NeighbourhoodsView, PaceView, StatusView
from arena.domain.schemas.vote_files import FileVoteView, VoteFileView, VotesAddedView
from arena.domain.terms import Part
from arena.evaluations.domain.configurations import ConfigurationView
from arena.evaluations.domain.schemas.evaluations import EvaluationChangeRequest, EvaluationProgressView, EvaluationView
from arena.evaluations.domain.schemas.operated_evaluations import (
    CandidateView,
    ConversionTaskView,
    ConversionView,
    ReviewRequest,
)
from arena.evaluations.domain.terms import ConversionState
from arena.usecases.endpoints.states import StateReason, because
from arena.usecases.operated_site.pages import drafts
from arena.usecases.operated_site.versions import versions

from . import fake_gate
from .fake_board import PACE
from .fake_gate import FakeGate
from .stand_in import StandIn, with_cached_routes

Bearer = Annotated[str | None, Header()]
OPERATOR_KEY = "operator-" + "k" * 32
PRESETS = [
    {"name": "deepseek", "dialect": "openai_chat", "base_url": "https://api.deepseek.com/v1", "needs_key": True},
    {"name": "vllm", "dialect": "openai_chat", "base_url": "http://127.0.0.1:8000/v1", "needs_key": False},
]
DIALECTS = ["openai_chat", "openai_responses", "anthropic", "gemini", "ollama"]
NEW_VERSION_FIELDS = {"url", "preset", "dialect", "wire_model", "max_tokens"}
UNAPPROVED_FIELDS = {"daily_calls", "daily_tokens"}
PROMPT = {
    "ok": True,
    "error": None,
    "first_token_ms": 180,
    "total_ms": 1420,
    "characters": 212,
    "characters_per_second": 171.4,
    "pieces": 42,
    "streams": True,
    "finish": "stop",
}
GOOD_REPORT = {
    "reachable": True,
    "tls": True,
    "auth": True,
    "proof": True,
    "prompts": [{"kind": kind, **PROMPT} for kind in ("zh", "en", "multi_turn")],
    "problems": [],
}
UNREACHABLE_REPORT = {
    "reachable": False,
    "tls": None,
    "auth": None,
    "proof": None,
    "prompts": [],
    "problems": [{"code": "unheard_of", "title": "A sentence of the server that says what to do."}],
}


SHARED_KEY = OperatorView(name="ARENA_OPERATOR_KEY", via="key", role=OperatorRole.OPERATOR)


@dataclass
class FakeOwners:
    """Settings of a test, and the state behind the routes."""

    name: str = "Heron Labs"
    contact: str | None = "me@heron.example"
    key: str = "arena_0001_first"
    signed_up: bool = False
    billed: bool = True
    """Whether the owner pays for the calls of their models."""
    invitation: str | None = None
    refuse: errors.ArenaError | None = None
    report: dict[str, Any] = field(default_factory=lambda: GOOD_REPORT)
    endpoints: dict[int, dict[str, Any]] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)
    warnings: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    remarks: dict[int, list[dict[str, str]]] = field(default_factory=dict)
    requests: list[tuple[str, str, Any]] = field(default_factory=list)
    probe_done: bool = True
    holds_files: bool = False
    configurations: list[ConfigurationView] = field(default_factory=list)
    share: float = 0.0
    pace: PaceView = PACE
    waiting: int = 0
    unlogged: int = 0
    keyless: dict[str, str | None] = field(default_factory=dict)
    loops: list[LoopView] = field(default_factory=list[LoopView])
    offered: DiscoveryView | None = None
    taken: set[str] = field(default_factory=set[str])
    gate: FakeGate = field(default_factory=FakeGate)
    reported: list[ReportedShareView] = field(default_factory=list)
    taken_down: dict[str, str] = field(default_factory=dict)
    label_readings: list[LabelReadingRequest] = field(default_factory=list)
    evaluations: list[EvaluationView] = field(default_factory=list)
    configured: dict[str, list[str]] = field(default_factory=dict)
    """The configurations of models, by their names."""
    reviews: list[tuple[int, ReviewRequest]] = field(default_factory=list)

    parts: dict[Part, PartView] = field(default_factory=dict)
    acts: list[ActView] = field(default_factory=list)
    person: OperatorView = SHARED_KEY
    webhook: WebhookView = field(default_factory=WebhookView)

    def do(self, kind: str, target: str, why: str = "") -> None:
        """Record an act of the operator."""
        facts = {"who": "Ada Lovelace", "via": "key", "role": "operator", "kind": kind, "target": target, "why": why}
        self.acts.append(ActView(number=len(self.acts) + 1, at=datetime.now(UTC), nonce="00" * 32, **facts))

    def begin(self, **fields: Any) -> dict[str, Any]:
        number = len(self.endpoints) + 1
        endpoint = new_endpoint(number, fields)
        self.endpoints[number] = endpoint
        self.move(endpoint, "draft", "registered")
        self.probe(endpoint)
        return endpoint

    def probe(self, endpoint: dict[str, Any]) -> None:
        self.move(endpoint, "probing", "probe began")
        if self.probe_done:
            self.end_probe(endpoint)

    def end_probe(self, endpoint: dict[str, Any]) -> None:
        passed = not self.report["problems"]
        endpoint["probes"].append({"at": now(), "passed": passed, "report": self.report})
        endpoint["proven"] = endpoint["proven"] or passed
        self.move(
            endpoint, "pending" if passed else "draft", "probe passed" if passed else "probe did not pass", "operator"
        )

    def move(self, endpoint: dict[str, Any], after: str, why: StateReason | str, actor: str = "owner") -> None:
        before = endpoint["state"] if endpoint["changes"] else None
        reason = StateReason(why) if isinstance(why, str) else why
        reason_fields = {"reason": reason.text, "code": reason.code, "params": dict(reason.params) or None}
        number = len(endpoint["changes"]) + 1
        endpoint["changes"].append(
            {"number": number, "before": before, "after": after, "actor": actor, **reason_fields, "at": now()}
        )
        endpoint["state"] = after


_SVG = "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI3NjAiIGhlaWdodD0iODAiLz4="
VOTE_FILE = VoteFileView(
    votes=4_200,
    models=2,
    alone=3,
    bad=1,
    bad_rows=["line 7: winner: missing"],
    rows=[
        FileVoteView(line=2 + n, a="heron", b="plover", outcome="a", language="en", category="code", created_at=None)
        for n in range(20)
    ],
    picture=f"data:image/svg+xml;base64,{_SVG}",
    difference="Open WebUI takes one pass of Elo.",
    here=["heron", "plover"],
)


def now() -> str:
    return datetime.now(UTC).isoformat()


def new_endpoint(number: int, fields: dict[str, Any]) -> dict[str, Any]:
    """A new endpoint with the fields of the wire type, from the fields of a request."""
    url = fields.get("url") or next((p["base_url"] for p in PRESETS if p["name"] == fields.get("preset")), "")
    defaults = {
        "id": number,
        "state": "draft",
        "family": fields.get("name", ""),
        "version": 1,
        "dialect": "openai_chat",
        "preset": None,
        "has_key": bool(fields.get("key")),
        "key_origin": url.removesuffix("/v1") if fields.get("key") else None,
        "proven": False,
        "created_at": now(),
        "battles": 0,
        "votes": 0,
        "changes": [],
        "probes": [],
        "stats": stats(),
        "budget": {
            "day": "2026-01-01",
            "calls": 3,
            "tokens": 940,
            "daily_calls": fields.get("daily_calls"),
            "daily_tokens": fields.get("daily_tokens"),
        },
        "health": {"state": "closed", "since": None, "in_flight": 0},
        "fingerprint": None,
        "uses": [
            {"use": use, "allowed": False, "daily_calls": None, "calls": 0}
            for use in ("evaluations", "judging", "labelling")
        ],
        "challenge": None,
    }
    return defaults | {name: value for name, value in fields.items() if name != "key"} | {"url": url}


def stats(calls: int = 0) -> dict[str, Any]:
    if not calls:
        empty = ("win_rate", "win_rate_low", "win_rate_high", "error_rate", "first_token_ms", "total_ms")
        return {"battles": 0, "votes": 0, "calls": 0, "errors": {}, **dict.fromkeys(empty)}
    return {
        "as_of": now(),
        "battles": 412,
        "votes": 388,
        "win_rate": 0.563,
        "win_rate_low": 0.513,
        "win_rate_high": 0.611,
        "calls": calls,
        "error_rate": 0.0875,
        "errors": {"timed_out": 28, "rate_limited": 7},
        "first_token_ms": {"p50": 240, "p95": 1310},
        "total_ms": {"p50": 5200, "p95": 14100},
        "slow": True,
    }


def detail(endpoint: dict[str, Any]) -> dict[str, Any]:
    moves = [change for change in endpoint["changes"] if change["before"] != change["after"]]
    facts = {"pending": {}, "last_move": moves[-1] if moves else None}
    return OwnedEndpointView.model_validate(DescriptionRequest().model_dump() | facts | endpoint).model_dump(
        mode="json"
    )


def summary(endpoint: dict[str, Any]) -> dict[str, Any]:
    """The short view of an endpoint, in lists and in answers to acts."""
    return {name: value for name, value in detail(endpoint).items() if name not in DETAIL_ONLY}


@with_cached_routes
def create(app: FastAPI, fake: FakeOwners) -> None:  # noqa: C901, PLR0915 - one closure per route of the contract
    api = "/api/v1"
    app.add_exception_handler(errors.ArenaError, _as_problem)

    def known(authorization: str | None) -> None:
        if not fake.signed_up or authorization != f"Bearer {fake.key}":
            raise errors.BadApiKey

    def find(number: int, authorization: str | None) -> dict[str, Any]:
        known(authorization)
        if number not in fake.endpoints:
            raise errors.EndpointNotFound
        return fake.endpoints[number]

    def short() -> list[dict[str, Any]]:
        return [summary(endpoint) for endpoint in fake.endpoints.values()]

    async def body(request: Request) -> Any:
        content = await request.json() if await request.body() else None
        fake.requests.append((request.method, request.url.path.removeprefix(api), content))
        if fake.refuse:
            refusal, fake.refuse = fake.refuse, None
            raise refusal
        return content

    @app.post(f"{api}/owners", status_code=201)
    async def sign_up(request: Request) -> Any:
        wanted = await body(request)
        if fake.invitation and wanted.get("invitation") != fake.invitation:
            raise errors.InvitationRequired
        fake.signed_up, fake.name = True, wanted["name"]
        return {"id": 1, "name": fake.name, "key": fake.key}

    @app.get(f"{api}/owners/me")
    async def me(authorization: Bearer = None) -> Any:
        known(authorization)
        view = {"id": 1, "name": fake.name, "contact": fake.contact, "key_made_at": now(), "endpoints": short()}
        return OwnerView.model_validate(view)

    @app.post(f"{api}/owners/me/key")
    async def rotate(authorization: Bearer = None) -> Any:
        known(authorization)
        fake.key = f"arena_0002_{secrets.token_hex(4)}"
        return {"key": fake.key}

    @app.delete(f"{api}/owners/me/key", status_code=204)
    async def revoke(authorization: Bearer = None) -> None:
        known(authorization)
        fake.signed_up = False

    @app.get(f"{api}/owners/me/webhook")
    async def webhook(authorization: Bearer = None) -> Any:
        known(authorization)
        return fake.webhook

    @app.put(f"{api}/owners/me/webhook")
    async def set_webhook(request: Request, authorization: Bearer = None) -> Any:
        known(authorization)
        url, secret, later = (await body(request))["url"], f"whsec_{'A' * 43}=", datetime(2026, 11, 1, tzinfo=UTC)
        fake.webhook = WebhookView(url=url, secret=secret, failures=2, retry_at=later)
        return fake.webhook

    @app.delete(f"{api}/owners/me/webhook", status_code=204)
    async def drop_webhook(authorization: Bearer = None) -> None:
        known(authorization)
        fake.webhook = WebhookView()

    @app.get(f"{api}/presets")
    async def presets() -> Any:
        return PRESETS

    @app.get(f"{api}/dialects")
    async def dialects() -> Any:
        return DIALECTS

    @app.post(f"{api}/endpoints", status_code=201)
    async def register(request: Request, authorization: Bearer = None) -> Any:
        known(authorization)
        wanted = await body(request)
        return summary(fake.begin(**wanted))

    @app.post(f"{api}/endpoints/discoveries")
    async def discoveries(request: Request, authorization: Bearer = None) -> Any:
        known(authorization)
        await body(request)
        return fake.offered

    @app.post(f"{api}/endpoints/twins")
    async def compared(request: Request, authorization: Bearer = None) -> Any:
        known(authorization)
        await body(request)
        return TwinsComparedView(p_value=0.0002, differ=True, problem=None)

    @app.post(f"{api}/endpoints/batch")
    async def batch(request: Request, authorization: Bearer = None) -> Any:
        known(authorization)
        return [joined(model) for model in (await body(request))["models"]]

    def joined(model: dict[str, Any]) -> JoinedView:
        if model["name"] in fake.taken:
            error = errors.NameTaken()
            problem_view = ProblemView(title=error.title, status=error.status, code=error.code)
            return JoinedView(name=model["name"], wire_model=model["wire_model"], endpoint=None, problem=problem_view)
        endpoint = fake.begin(url="https://proxy.example/v1", **model)
        return JoinedView(
            name=endpoint["name"], wire_model=endpoint["wire_model"], endpoint=endpoint["id"], problem=None
        )

    @app.get(f"{api}/endpoints")
    async def mine(authorization: Bearer = None) -> Any:
        known(authorization)
        return short()

    @app.get(f"{api}/endpoints/{{number}}")
    async def one(number: int, authorization: Bearer = None) -> Any:
        return detail(find(number, authorization))

    @app.patch(f"{api}/endpoints/{{number}}")
    async def change(number: int, request: Request, authorization: Bearer = None) -> Any:
        endpoint = find(number, authorization)
        content = await body(request)
        if not NEW_VERSION_FIELDS & set(content):
            approved = any(step["after"] == "active" for step in endpoint["changes"])
            pending = {name: value for name, value in content.items() if approved and name not in UNAPPROVED_FIELDS}
            now = detail(endpoint)
            waiting = {**endpoint.get("pending", {}), **pending}
            endpoint |= {name: value for name, value in content.items() if name not in pending}
            endpoint["pending"] = {name: value for name, value in waiting.items() if value != now[name]}
            return summary(endpoint)
        fake.move(endpoint, "retired", "a new version took its place")
        fresh = {name: endpoint[name] for name in ("name", "url", "dialect", "wire_model", "preset")} | content
        newer = fake.begin(**fresh)
        newer |= {"family": endpoint["family"], "version": endpoint["version"] + 1, "name": f"{endpoint['family']} v2"}
        endpoint["newer"] = {"id": newer["id"], "name": newer["name"]}
        return summary(newer)

    @app.put(f"{api}/endpoints/{{number}}/key", status_code=204)
    async def put_key(number: int, request: Request, authorization: Bearer = None) -> None:
        endpoint = find(number, authorization)
        fake.keys[number] = (await body(request))["key"]
        endpoint |= {"has_key": True, "key_origin": "https://api.heron.example"}

    @app.put(f"{api}/endpoints/{{number}}/uses/{{use}}", status_code=204)
    async def put_use(number: int, use: str, request: Request, authorization: Bearer = None) -> None:
        wanted = await body(request)
        next(allowed_use for allowed_use in find(number, authorization)["uses"] if allowed_use["use"] == use).update(
            wanted
        )

    @app.get(f"{api}/endpoints/{{number}}/configurations")
    async def configurations(number: int, authorization: Bearer = None) -> list[ConfigurationView]:
        find(number, authorization)
        return fake.configurations

    @app.post(f"{api}/endpoints/{{number}}/configurations", status_code=201)
    async def put_configuration(number: int, request: Request, authorization: Bearer = None) -> ConfigurationView:
        model, settings = find(number, authorization)["name"], await body(request)
        facts = {"name": settings.pop("name"), "version": 1 + len(fake.configurations), "model": model}
        fake.configurations.append(ConfigurationView(**facts, settings=settings, digest="0123456789abcdef" * 4))
        return fake.configurations[-1]

    @app.delete(f"{api}/endpoints/{{number}}/key", status_code=204)
    async def drop_key(number: int, authorization: Bearer = None) -> None:
        find(number, authorization).update(has_key=False, key_origin=None)

    @app.get(f"{api}/endpoints/{{number}}/votes")
    async def votes(number: int, authorization: Bearer = None) -> Any:
        find(number, authorization)
        return Response('{"outcome":"a"}\n', media_type="application/jsonl")

    def signed(authorization: Bearer = None) -> None:
        if authorization != f"Bearer {OPERATOR_KEY}":
            raise errors.BadApiKey

    def checked(number: int, authorization: Bearer = None) -> Any:
        return find(number, authorization)

    operators = APIRouter(prefix=f"{api}/operator", dependencies=[Depends(signed)])

    @operators.post("/votes/preview")
    async def votes_seen(request: Request) -> Any:
        size = await taken(request)
        return StreamingResponse(work(size, VOTE_FILE), media_type="application/jsonl")

    @operators.post("/votes")
    async def votes_added(request: Request) -> Any:
        await taken(request)
        added = VotesAddedView(votes=VOTE_FILE.votes, known=0, names=["x", "y"])
        return StreamingResponse(work(VOTE_FILE.votes, added), media_type="application/jsonl")

    async def taken(request: Request) -> int:
        fake.requests.append((request.method, request.url.path.removeprefix(api), dict(request.query_params)))
        return len(await request.body())

    async def work(size: int, result: Wire) -> AsyncIterator[str]:
        """Report half of the work as done, and wait while `holds_files` is set."""
        yield json.dumps({"done": size // 2, "of": size}) + "\n"
        while fake.holds_files:
            await asyncio.sleep(0.05)
        yield json.dumps({"result": result.model_dump(mode="json")}) + "\n"

    fake_gate.install(app, cast("FakeGate", StandIn(lambda: fake.gate)), api, Depends(checked), Depends(signed))

    @app.post(f"{api}/endpoints/{{number}}/{{step}}")
    async def act(number: int, step: str, request: Request, response: Response, authorization: Bearer = None) -> Any:
        endpoint = find(number, authorization)
        await body(request)
        if step == "probe":
            response.status_code = 202
            fake.probe(endpoint)
        else:
            fake.move(
                endpoint, {"pause": "paused", "resume": "active", "retire": "retired"}[step], f"{step} by the owner"
            )
        return summary(endpoint)

    @operators.get("/endpoints")
    async def operated() -> Any:
        views = [as_operated(endpoint) for endpoint in fake.endpoints.values()]
        fields = OperatedSummaryView.model_fields
        return [OperatedSummaryView(**{name: view[name] for name in view if name in fields}) for view in views]

    def as_operated(endpoint: dict[str, Any]) -> dict[str, Any]:
        warnings = fake.warnings.get(endpoint["id"], [])
        remarks = fake.remarks.get(endpoint["id"], [])
        facts = {"owner": fake.name, "revision": len(endpoint["changes"]), "warnings": warnings, "remarks": remarks}
        return {**detail(endpoint), **facts}

    @operators.patch("/endpoints/{number}")
    async def abilities(number: int, request: Request) -> Any:
        wanted, endpoint = await body(request), fake.endpoints[number]
        changes = {name: wanted[name] for name in ("languages", "vision") if name in wanted}
        endpoint.update(changes)
        fake.move(endpoint, endpoint["state"], because("changed", fields=list(changes)), "operator")
        return as_operated(endpoint)

    @operators.post("/endpoints/{number}/changes/{step}")
    async def judge(number: int, step: str, request: Request) -> Any:
        wanted, endpoint = await body(request), fake.endpoints[number]
        if wanted.get("revision") != len(endpoint["changes"]):
            raise errors.ChangedMeanwhile
        if step == "approve":
            endpoint |= endpoint["pending"]
        endpoint["pending"] = {}
        fake.move(endpoint, endpoint["state"], wanted.get("reason") or "changes approved", "operator")
        return as_operated(endpoint)

    @operators.get("/me")
    async def look() -> OperatorView:
        return fake.person

    @operators.get("/figures")
    async def figures() -> FiguresView:
        return FiguresView(battles=412, votes=230, failing=1, waiting=2, keyless=fake.keyless)

    @operators.get("/parts")
    async def parts() -> list[PartView]:
        return [fake.parts.get(part, PartView(part=part, closed=False)) for part in Part]

    @operators.put("/parts/{part}/closed")
    async def close(part: Part, content: PartRequest) -> PartView:
        fake.parts[part] = PartView(part=part, closed=True, reason=content.reason, changed_at=datetime.now(UTC))
        fake.do("part_closed", part, content.reason)
        return fake.parts[part]

    @operators.delete("/parts/{part}/closed")
    async def reopen(part: Part) -> PartView:
        fake.do("part_opened", part)
        return fake.parts.pop(part)

    @app.get(f"{api}/status")
    async def status() -> StatusView:
        closed = [part for part, view in fake.parts.items() if view.closed]
        return StatusView(endpoints=2, votes=0, accepting=True, closed=closed)

    @operators.get("/acts")
    async def acts(limit: int = 50, before: int = 2**31) -> list[ActView]:
        return [act_row for act_row in reversed(fake.acts) if act_row.number < before][:limit]

    @operators.get("/site")
    async def site() -> OperatedSiteView:
        settings = SiteFileView()
        return OperatedSiteView(
            site=settings, drafts=drafts(), history=[], imprint_missing=True, versions=versions(settings)
        )

    @app.get(f"{api}/site")
    async def public_site() -> SiteView:
        return SiteView()

    @app.get(f"{api}/pace")
    async def pace() -> PaceView:
        return fake.pace

    @operators.get("/neighbourhoods")
    async def today() -> Any:
        votes = {"votes": 400, "most_votes": round(400 * fake.share), "share": fake.share, "alarm": fake.share > 0.5}
        return NeighbourhoodsView(day=date(2026, 1, 1), neighbourhoods=3, battles=500, **votes)

    @operators.get("/log")
    async def promised() -> Any:
        return LogView(
            origin="arena.example/log/1",
            size=9,
            signed_at=datetime(2026, 1, 1, tzinfo=UTC),
            waiting=fake.waiting,
            late=fake.waiting > 600,
            unlogged=fake.unlogged,
            first_unlogged=list(range(7, 7 + min(fake.unlogged, 5))),
        )

    @operators.get("/loops")
    async def loops() -> list[LoopView]:
        return fake.loops

    @operators.get("/shares")
    async def reported() -> Any:
        return [share for share in fake.reported if share.token not in fake.taken_down]

    @operators.post("/shares/{token}/takedown", status_code=204)
    async def take_down(token: str, request: TakedownRequest) -> None:
        fake.taken_down[token] = request.reason

    @operators.get("/labels")
    async def label_work(reader: str) -> LabelTaskView:
        if not reader:
            raise errors.Invalid(field="reader", rule="missing")
        number = len(fake.label_readings) + 1
        item = LabelItemView(number=number, prompts=[f"Prompt {number}"]) if number < 3 else None
        return LabelTaskView(item=item, labels={"code": "programs", "chat": "talk"}, items=2, readings=number - 1)

    @operators.post("/labels", status_code=204)
    async def label_read(content: LabelReadingRequest) -> None:
        fake.label_readings.append(content)

    @operators.get("/evaluations")
    async def evaluations() -> list[EvaluationView]:
        return fake.evaluations

    @operators.get("/evaluation-models")
    async def candidates() -> list[CandidateView]:
        facts: dict[str, Any] = {"configuration": False, "practice": False, "owner": fake.name, "billed": fake.billed}
        models = [
            CandidateView(name=row["name"], endpoint=number, allowed=row["uses"][0]["allowed"], **facts)
            for number, row in fake.endpoints.items()
            if row["state"] == "active"
        ]
        configured = [
            CandidateView(**dict(view) | {"name": name, "configuration": True, "model": view.name})
            for view in models
            for name in fake.configured.get(view.name, [])
        ]
        return [*models, *configured]

    @operators.get("/evaluations/{name}")
    async def evaluation(name: str) -> EvaluationProgressView:
        (row,) = (row for row in fake.evaluations if row.name == name)
        is_whole = isinstance(row, EvaluationProgressView)
        return row if is_whole else EvaluationProgressView(**dict(row), set="ours", models=[])

    @operators.patch("/evaluations/{name}")
    async def set_evaluation(name: str, wanted: EvaluationChangeRequest) -> EvaluationView:
        place = [row.name for row in fake.evaluations].index(name)
        changed = fake.evaluations[place].model_dump() | wanted.model_dump(exclude_none=True)
        fake.evaluations[place] = EvaluationView.model_validate(changed)
        return fake.evaluations[place]

    @operators.get("/conversions")
    async def conversion_work(reviewer: str, questions: str) -> ConversionTaskView:
        if not reviewer:
            raise errors.Invalid(field="reviewer", rule="missing")
        if not questions:
            raise errors.Invalid(rule="question_set")
        if questions != "ours":
            raise errors.QuestionSetNotFound
        number = len(fake.reviews) + 1
        return ConversionTaskView(
            item=conversion(number) if number < 4 else None, states={"reviewed once": 1, "unreadable": 1}
        )

    @operators.post("/conversions/{number}/reviews", status_code=204)
    async def review(number: int, content: ReviewRequest) -> None:
        fake.reviews.append((number, content))

    @operators.put("/endpoints/{number}/uses/{use}", status_code=204)
    async def operated_use(number: int, use: str, request: Request) -> None:
        (row,) = (row for row in fake.endpoints[number]["uses"] if row["use"] == use)
        row |= await body(request)

    @operators.get("/local-servers")
    async def local_servers() -> list[LocalServerView]:
        facts = dict.fromkeys(("context_tokens", "price_in", "price_out"))
        names = {row["name"] for row in fake.endpoints.values()}
        models = [
            OfferedModelView(wire_model=name, name=name, registered=name in names, modalities=[], **facts)
            for name in ("heron:3b", "plover:4b")
        ]
        return [LocalServerView(preset="ollama", url="http://127.0.0.1:11434", models=models)]

    @operators.post("/endpoints")
    async def add(request: AddRequest) -> AddedView:
        if request.key and request.key.get_secret_value() == "wrong":
            problem = {"code": "key_wrong", "title": "The server rejects the key."}
            return AddedView(name=request.name, added=False, problems=[problem])
        new = fake.begin(name=request.name, url="https://n.example/v1", wire_model=request.wire_model)
        fake.move(new, "active", "added", "operator")
        return AddedView(name=request.name, added=True, problems=[])

    @operators.post("/endpoints/{number}/{step}")
    async def operate(number: int, step: str, request: Request) -> Any:
        wanted = await body(request)
        after = {
            "approve": "active",
            "pause": "paused",
            "resume": "active",
            "suspend": "suspended",
            "retire": "retired",
        }[step]
        fake.move(fake.endpoints[number], after, (wanted or {}).get("reason") or "by the operator", "operator")
        return as_operated(fake.endpoints[number])

    app.include_router(operators)


DETAIL_ONLY = set(OwnedEndpointView.model_fields) - set(EndpointView.model_fields)
"""Fields of the detail view that the short view lacks."""


async def _as_problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.ArenaError)
    return problem(error)


def conversion(number: int) -> ConversionView:
    """A converted question; the second could not be read."""
    options = ["The Baltic", "The Rhine", "The Alps", "Mars"]
    wording = WordingView(question="Which of these is a sea?", options=options, key="A")
    return ConversionView(
        number=number,
        question=f"q{number}",
        prompt=f"Name a sea, number {number}.",
        endpoint="maker",
        state=ConversionState.UNREADABLE if number == 2 else ConversionState.REVIEWED_ONCE,
        wording=None if number == 2 else wording,
        text="Here is a question without options.",
        confirmed_by=[] if number == 2 else ["ben"],
        remarks=["Is a lake a sea?"] if number == 1 else [],
    )
