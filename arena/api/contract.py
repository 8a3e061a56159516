"""Additions to FastAPI's openapi.json: errors with their codes, and security schemes."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from codecs import BOM_UTF8
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from fastapi.responses import Response, StreamingResponse
from fastapi.routing import APIRoute

from arena.api.http.caching import conditions_of
from arena.api.http.voter_cookie import COOKIE
from arena.domain import errors
from arena.domain.http_documents import Document
from arena.domain.schemas.problems import ProblemView
from arena.domain.terms import Access, JsonObject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastapi import FastAPI
    from starlette.requests import Request

    from arena.domain.errors import ArenaError

Responses = dict[int | str, JsonObject]
STREAM_RESPONSES: Final[Responses] = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}},
    204: {"description": "Nothing is left to follow"},
}
"""Responses of a stream of server-sent events; an EventSource does not reconnect after a 204."""

BASE: Final = "/api/v1"
"""Prefix of every path of the API."""
BINARY: Final[JsonObject] = {"schema": {"type": "string", "format": "binary"}}
BINARY_BODY: Final[JsonObject] = {"requestBody": {"required": True, "content": {"application/octet-stream": BINARY}}}
NOT_MODIFIED: Final[Responses] = {304: {"description": "Not modified"}}
IMAGE_RESPONSES: Final[Responses] = {200: {"content": {"image/png": BINARY, "image/jpeg": BINARY}}}
CODES: Final = "x-codes"
"""Key under which a response lists its codes until the schema is complete."""
_SCHEMAS: Final = "#/components/schemas/"
_ANYWHERE: Final = (
    errors.ArenaError,
    errors.Malformed,
    errors.TooSlow,
    errors.TooLarge,
    errors.HeadersTooLarge,
    errors.Invalid,
    errors.TooDeep,
    errors.StoreUnavailable,
    errors.ShuttingDown,
)
"""Errors of every operation."""
_MEMBERS: Final = (errors.SignInRequired, errors.SignInRefused)
"""Errors of every operation of an arena for members."""
_SCHEMES: Final = {
    "voter": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "Set with the first prompt."},
    "owner": {"type": "http", "scheme": "bearer", "description": "The key from signing up."},
    "operator": {"type": "http", "scheme": "bearer", "description": "The key in ARENA_OPERATOR_KEY."},
}
_VOTERS: Final = frozenset({"battles", "votes", "chats", "shares", "me", "bot check", "images"})
_OPEN: Final = frozenset({("post", f"{BASE}/owners"), ("get", f"{BASE}/presets"), ("get", f"{BASE}/dialects")})
"""Operations with an owner's tag that need no key."""


class JsonLinesResponse(StreamingResponse):
    """One JSON object per line."""

    media_type = "application/jsonl"


class CsvResponse(Response):
    """Comma-separated values with a header line, after the mark by which spreadsheets know UTF-8."""

    media_type = "text/csv"

    def render(self, content: object) -> bytes:
        return BOM_UTF8 + bytes(super().render(content))


class StyleResponse(Response):
    """A style sheet."""

    media_type = "text/css"


def refusals(*kinds: type[ArenaError]) -> Responses:
    """Return the errors of a route as its `responses`: an entry per status with its codes."""
    responses: Responses = {}
    for kind in kinds:
        response = responses.setdefault(kind.status, {"description": HTTPStatus(kind.status).phrase, CODES: []})
        response[CODES].append(kind.code)
    return responses


def describe(app: FastAPI) -> None:
    """Extend the OpenAPI schema of `app`, which is built at the first request for it.

    Generated clients call an operation by the name of its route's function: get_battle, list_models.
    """
    plain = app.openapi
    for route in app.routes:
        if isinstance(route, APIRoute):
            route.operation_id = route.name

    def openapi() -> JsonObject:
        if app.openapi_schema is None:
            _complete(
                plain(),
                _ANYWHERE + (_MEMBERS if app.state.entrance and app.state.entrance.access is not Access.PUBLIC else ()),
            )
        assert app.openapi_schema is not None  # noqa: S101 - FastAPI keeps what it has built
        return app.openapi_schema

    app.openapi = openapi


async def openapi_file(request: Request) -> Response:
    """The OpenAPI document, built by the first request for it in a thread: it takes seconds of processor time."""
    state = request.app.state
    if not hasattr(state, "openapi_file"):
        state.openapi_file = asyncio.create_task(asyncio.to_thread(_document, request.app))
    return conditions_of(request).answer(await asyncio.shield(state.openapi_file))


def _document(app: FastAPI) -> Document:
    body = json.dumps(app.openapi(), ensure_ascii=False, separators=(",", ":")).encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    return Document({"": body, "gzip": gzip.compress(body, mtime=0)}, etag)


def _complete(schema: JsonObject, anywhere: Sequence[type[ArenaError]]) -> None:
    schemas = schema["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    problem = ProblemView.model_json_schema(ref_template=_SCHEMAS + "{model}")
    schemas |= problem.pop("$defs", {}) | {"ProblemView": problem}
    schema["components"]["securitySchemes"] = _SCHEMES
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            _add_security(operation, method, path)
            _add_errors(operation, method, path, anywhere)


def _add_security(operation: JsonObject, method: str, path: str) -> None:
    """Add the security scheme of an operation; the voter's cookie is always optional."""
    tags = set(operation.get("tags", []))
    if tags & _VOTERS:
        operation["security"] = [{}, {"voter": []}]
    elif "operator" in tags:
        operation["security"] = [{"operator": []}]
    elif tags & {"owners", "endpoints"} and (method, path) not in _OPEN:
        operation["security"] = [{"owner": []}]


def _add_errors(operation: JsonObject, method: str, path: str, anywhere: Sequence[type[ArenaError]]) -> None:
    """Turn the codes of the operation, and those of all operations, into schemas."""
    kinds = [*anywhere]
    kinds += [] if method in {"get", "head"} else [errors.CrossOrigin]
    # A control character in a parameter is refused before routing.
    kinds += [errors.NotFound] if "{" in path else []
    kinds += [] if {} in operation.get("security", [{}]) else [errors.BadApiKey]
    responses = operation["responses"]
    # FastAPI's own error schema, which this API never returns.
    if CODES not in responses.get("422", {CODES: []}):
        del responses["422"]
    for status, refusal in refusals(*kinds).items():
        response = responses.setdefault(str(status), {"description": refusal["description"], CODES: []})
        response[CODES] = [*response[CODES], *refusal[CODES]]
    for response in responses.values():
        if codes := response.pop(CODES, None):
            response["content"] = {"application/problem+json": {"schema": _problem(codes)}}


def _problem(codes: list[str]) -> JsonObject:
    code = {"type": "string", "enum": sorted(set(codes))}
    return {"allOf": [{"$ref": _SCHEMAS + "ProblemView"}, {"type": "object", "properties": {"code": code}}]}
