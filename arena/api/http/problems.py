"""Errors as RFC 9457 problem details, without internal information."""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from arena.domain.errors import AlreadyVoted, ArenaError, Invalid, NotFound, TermsNotAccepted
from arena.domain.schemas.problems import ProblemView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from arena.domain.errors import Param
    from arena.domain.schemas.votes import RevealView

log = logging.getLogger(__name__)

_MOST_FIELDS: Final = 5
"""Maximum number of invalid fields in one response."""
_RULES: Final = {
    "missing": "missing",
    "extra_forbidden": "unknown",
    "json_invalid": "json",
    "enum": "choice",
    "literal_error": "choice",
    "greater_than_equal": "least",
    "less_than_equal": "most",
    "string_too_short": "shortest",
    "string_too_long": "longest",
    "too_short": "least",
    "too_long": "most",
    "template": "template",
}
"""Rules of `Invalid` for the error types of pydantic."""
_LIMITS: Final = ("ge", "le", "min_length", "max_length")
_QUOTED: Final = re.compile(r"'([^']*)'")


class Passing(HTTPException):
    """Carries an `ArenaError` through FastAPI, which reports any other error while reading a body as invalid JSON."""

    def __init__(self, error: ArenaError) -> None:
        super().__init__(error.status)
        self.error = error


def problem(error: ArenaError) -> Response:
    """Build the response for an error."""
    body = ProblemView(
        title=error.title,
        status=error.status,
        code=error.code,
        detail=error.detail,
        params=error.params or None,
        problems=list(error.problems) or None if isinstance(error, Invalid) else None,
        retry_after=error.retry_after,
        reveal=cast("RevealView", error.reveal) if isinstance(error, AlreadyVoted) else None,
        terms=error.terms if isinstance(error, TermsNotAccepted) else None,
    )
    headers = {"Cache-Control": "no-store"}
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="arena"'
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    return _response(body, headers)


def _response(body: ProblemView, headers: Mapping[str, str] | None) -> Response:
    content = body.model_dump_json(exclude_none=True)
    return Response(content, body.status, headers, "application/problem+json")


def install(app: FastAPI) -> None:
    """Install handlers for all kinds of errors."""
    app.add_exception_handler(ArenaError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _framework)
    app.add_exception_handler(Exception, _unexpected)


def _ours(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ArenaError)  # noqa: S101 - registered for this class
    return problem(error)


def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    result = error.errors()[:_MOST_FIELDS]
    return problem(Invalid(_sentence(result), problems=[_params(item) for item in result]))


def _sentence(errors: Sequence[Any]) -> str:
    """Describe which fields are wrong and why, without repeating the input."""
    return "; ".join(f"{_place(item['loc'])}: {item['msg']}" for item in errors)


def _params(item: Any) -> dict[str, Param]:  # noqa: ANN401 - pydantic's own
    """Convert a pydantic error to parameters of `Invalid`: field, rule, limit and choices."""
    kind, context = item["type"], item.get("ctx", {})
    rule = _RULES.get(kind) or ("type" if kind.endswith(("_type", "_parsing")) else "form")
    params: dict[str, Param] = {"field": _place(item["loc"][1:]), "rule": rule}
    if (limit := next((context[name] for name in _LIMITS if name in context), None)) is not None:
        params["limit"] = limit
    if rule == "choice":
        params["choices"] = _QUOTED.findall(context["expected"])
    return {name: value for name, value in params.items() if value != ""}


def _place(steps: Sequence[str | int]) -> str:
    return ".".join(str(step) for step in steps)


def _framework(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    if isinstance(error, Passing):
        return problem(error.error)
    if error.status_code == HTTPStatus.NOT_FOUND:
        return problem(NotFound())
    if error.status_code == HTTPStatus.BAD_REQUEST:
        # FastAPI's answer where its JSON parser fails on valid syntax, such as a number of 5,000 digits.
        return problem(Invalid(rule="json"))
    status = HTTPStatus(error.status_code)
    body = ProblemView(title=status.phrase, status=status, code=status.phrase.lower().replace(" ", "_"))
    return _response(body, error.headers)


def _unexpected(_request: Request, error: Exception) -> Response:
    log.error("a request failed", exc_info=error)
    return problem(ArenaError())
