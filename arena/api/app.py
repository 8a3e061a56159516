"""The application: routes under /api/v1 behind middleware, on a runtime that the caller has built."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from itertools import takewhile
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.routing import BaseRoute, Match, Mount, NoMatchFound, Route

from arena.adapters.background import in_background
from arena.adapters.bot_checks.proof_of_work import ProofOfWork
from arena.adapters.images.recoding import Recoder
from arena.adapters.language import detect
from arena.api import contract
from arena.api.boards.cache import Boards
from arena.api.frames.addresses import FrameAddresses
from arena.api.http import problems
from arena.api.http.clients import ClientAddress, NamedVisitor
from arena.api.http.export_places import ExportPlaces
from arena.api.http.forwarding import Forwarding, ProcessClient
from arena.api.http.guard import Guard
from arena.api.http.members import HeaderMembers, MembersOnly
from arena.api.http.rate_windows import RateWindows
from arena.api.http.request_id import RequestTrace
from arena.api.http.request_places import RequestPlaces
from arena.api.http.server import API_PATHS
from arena.api.http.upload_limits import UploadLimits
from arena.api.public_models import PublicModels
from arena.api.routes import (
    additions,
    battles,
    chats,
    endpoints,
    evidence,
    frames,
    health,
    images,
    leaderboard,
    models,
    oversight,
    owners,
    pace,
    pairs,
    public_files,
    site,
    steering,
    vote_files,
    voters,
    votes,
)
from arena.api.routes.public_files import LogFileServer, PublicFileServer
from arena.domain.errors import MethodNotAllowed, NotFound
from arena.domain.http_documents import PARTS
from arena.domain.terms import Access
from arena.usecases.battles.breakers import recover, report_breakers
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.people.bot_checks import Checking

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

    from fastapi import APIRouter
    from starlette.datastructures import URLPath
    from starlette.types import Receive, Scope, Send

    from arena.api.http.members import Entrance
    from arena.api.http.voter_cookie import Cookies
    from arena.usecases.battles.runtime import Runtime
    from arena.usecases.people.bot_checks import Mode
    from arena.usecases.people.sittings import EndedSittings

_NO_TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
"""FastAPI's own telemetry would export full paths and exceptions, and continue traces of any client."""
BODY_LIMIT = 65_536
NOBODY_ASKED = OwnerRules()
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
"""Methods of the arena's routes; HEAD is answered wherever GET is."""


def create_app(
    runtime: Runtime,
    cookies: Cookies,
    *,
    rules: OwnerRules = NOBODY_ASKED,
    bot_check: Mode = "observe",
    extra: Sequence[APIRouter] = (),
    body_limit: int = BODY_LIMIT,
    hops: int = 0,
    security: tuple[str, str] = ("", ""),
    frame_origin: str = "",
    entrance: Entrance | None = None,
    files: Path | None = None,
    gradio: Route | None = None,
    visitor_token: str = "",
) -> FastAPI:
    """Build the application on `runtime`; its lifespan runs the background tasks and ends running turns.

    `extra` are further routers, such as those of evaluations.
    `hops` is the number of trusted proxies in front, and so of trusted entries in X-Forwarded-For.
    `security` is the contact for security problems and the public address, each if it is known.
    `frame_origin` is the site that pages made by models are served from, if it is not the arena's own.
    `entrance` has the rules of access and of signing in; None lets everybody in.
    `files` is the folder of the public files.
    `gradio` leads to the Gradio app, which names its visitors with `visitor_token`; without a token nobody is believed.
    """
    client = ProcessClient() if runtime.process else None
    app = FastAPI(
        title="Arena",
        version=version("battle-arena"),
        lifespan=partial(_lifespan, runtime=runtime, client=client, ended=cookies.ended if entrance else None),
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,
        routes=[PageMount(), *_log(runtime), *_files(files), *_routes(extra, entrance, operated=rules.operated)],
    )
    app.state.runtime, app.state.cookies, app.state.rules = runtime, cookies, rules
    app.state.boards, app.state.models = Boards(runtime.database), PublicModels(runtime.database, runtime.keys)
    app.state.checking = Checking(ProofOfWork(cookies.secret), bot_check)
    app.state.readiness = health.Readiness(runtime)
    app.state.windows = RateWindows.of(runtime.limits, rules)
    app.state.recoder = Recoder()
    app.state.frames = FrameAddresses(cookies.secret, frame_origin, security[1])
    app.state.uploads, app.state.exports = UploadLimits(), ExportPlaces()
    app.state.security, app.state.entrance = security, entrance
    app.state.files = files
    if gradio:
        app.router.routes.append(gradio)
    app.router.routes.append(Route(f"{contract.BASE}/openapi.json", contract.openapi_file))
    app.router.routes.append(Route("/api/{rest:path}", _UnknownPath()))
    problems.install(app)
    contract.describe(app)
    _wrap(app, client, entrance, body_limit=body_limit, hops=hops, visitor_token=visitor_token)
    return app


@asynccontextmanager
async def _lifespan(
    _: FastAPI, runtime: Runtime, client: ProcessClient | None, ended: EndedSittings | None
) -> AsyncGenerator[None]:
    followers = (
        runtime.pairs.follow(runtime.database),
        runtime.pace.follow(runtime.database),
        runtime.site.follow(runtime.database),
        *([ended.follow(runtime.database)] if ended else []),
    )
    warmup = asyncio.create_task(asyncio.to_thread(detect, "The first prompt should not pay for loading this."))
    try:
        async with in_background(recover(runtime), report_breakers(runtime), *followers):
            yield
            await warmup
    finally:
        await runtime.close(0)
        if client:
            await client.aclose()


def _wrap(
    app: FastAPI,
    client: ProcessClient | None,
    entrance: Entrance | None,
    *,
    body_limit: int,
    hops: int,
    visitor_token: str,
) -> None:
    """Put the middleware around the application, the innermost first."""
    cookies = app.state.cookies
    if client:
        app.add_middleware(Forwarding, runtime=app.state.runtime, client=client, cookies=cookies)
    if entrance and entrance.access is not Access.PUBLIC:
        app.add_middleware(MembersOnly, entrance=entrance, cookies=cookies)
    app.add_middleware(Guard, body_limit=body_limit)
    app.add_middleware(RequestPlaces)
    app.add_middleware(NamedVisitor, token=visitor_token)
    app.add_middleware(ClientAddress, hops=hops)
    if entrance and entrance.header:
        app.add_middleware(HeaderMembers, header=entrance.header, cookies=cookies)
    app.add_middleware(RequestTrace)


def _log(runtime: Runtime) -> list[BaseRoute]:
    return [Mount("/log", LogFileServer(runtime.log.folder))] if runtime.log else []


def _files(folder: Path | None) -> list[BaseRoute]:
    return [Mount("/files", PublicFileServer(folder))] if folder else []


def _routes(extra: Sequence[APIRouter], entrance: Entrance | None, *, operated: bool) -> list[BaseRoute]:
    public = (leaderboard, models, pairs, pace, site, owners, endpoints, evidence, public_files)
    rooms = (votes, battles, frames, voters, chats, images, *public)
    modules = (*rooms, additions, oversight, steering, vote_files) if operated else rooms
    # Not by `include_router`, which copies every route, and searches in each router for each request.
    if entrance:
        # Only such an arena needs Authlib, which takes a quarter of a second to import.
        from arena.api.routes import sign_in

        modules = (*modules, sign_in)
    routers = (*(module.router for module in modules), *extra, health.router)
    return [route for router in routers for route in router.routes]


class PageMount(BaseRoute):
    """Passes requests outside the API to `app.state.pages`, if it is set.

    It is the first route, since each of the seventy files of a visit would otherwise be compared with sixty others.
    """

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match every path outside the API, and those of parts of pages, once there are pages."""
        pages = getattr(scope["app"].state, "pages", None)
        path = scope.get("path", "")
        inside = scope["type"] != "http" or (path.startswith(API_PATHS) and path not in PARTS)
        return (Match.NONE, {}) if inside or pages is None else (Match.FULL, {"endpoint": pages})

    def url_path_for(self, name: str, /, **path_params: object) -> URLPath:
        """Raise, since pages are addressed by their paths."""
        raise NoMatchFound(name, path_params)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        await scope["app"].state.pages(scope, receive, send)


class _UnknownPath:
    """Answers unknown paths and methods of the API with problem details.

    An application, not a function, because a route to an application takes every method.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        methods = [method for method in METHODS if _has_route(scope, method)]
        answer = problems.problem(MethodNotAllowed() if methods else NotFound())
        if methods:
            answer.headers["Allow"] = ", ".join(["GET", "HEAD", *methods[1:]] if methods[0] == "GET" else methods)
        await answer(scope, receive, send)


def _has_route(scope: Scope, method: str) -> bool:
    """Whether one of the arena's routes takes this path with this method; the catch-all is the last route."""
    candidate = {**scope, "method": method}
    routes = takewhile(
        lambda route: not isinstance(getattr(route, "endpoint", None), _UnknownPath), scope["app"].routes
    )
    return any(route.matches(candidate)[0] is Match.FULL for route in routes)
