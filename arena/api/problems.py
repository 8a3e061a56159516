"""Errors as RFC 9457 problem details; nothing internal crosses."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from arena.errors import AlreadyVoted, ArenaError, Invalid, NotFound, TermsNotAccepted
from arena.wire import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

log = logging.getLogger(__name__)


class Passing(HTTPException):
    """Carries an error of ours through FastAPI, which takes any other kind, raised while it reads, for broken JSON."""

    def __init__(self, error: ArenaError) -> None:
        super().__init__(error.status)
        self.error = error


def problem(error: ArenaError) -> Response:
    """The one shape in which every error crosses."""
    body = Problem(
        title=error.title,
        status=error.status,
        code=error.code,
        detail=error.detail,
        retry_after=error.retry_after,
        reveal=error.reveal if isinstance(error, AlreadyVoted) else None,
        terms=error.terms if isinstance(error, TermsNotAccepted) else None,
    )
    headers = {"Cache-Control": "no-store"}
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="arena"'
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    return Response(
        body.model_dump_json(exclude_none=True),
        status_code=error.status,
        media_type="application/problem+json",
        headers=headers,
    )


def install(app: FastAPI) -> None:
    """Give `app` a handler for every kind of error."""
    app.add_exception_handler(ArenaError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _framework)
    app.add_exception_handler(Exception, _unexpected)


def _ours(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ArenaError)  # noqa: S101 - registered for this class
    return problem(error)


def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    return problem(Invalid(_sentence(error.errors())))


def _sentence(errors: Sequence[Any]) -> str:
    """Where and why, without repeating what was sent."""
    parts = [f"{'.'.join(str(step) for step in item['loc'])}: {item['msg']}" for item in errors[:5]]
    return "; ".join(parts)


def _framework(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    if isinstance(error, Passing):
        return problem(error.error)
    if error.status_code == HTTPStatus.NOT_FOUND:
        return problem(NotFound())
    status = HTTPStatus(error.status_code)
    body = Problem(title=status.phrase, status=status, code=status.phrase.lower().replace(" ", "_"))
    return Response(
        body.model_dump_json(exclude_none=True),
        status_code=status,
        media_type="application/problem+json",
        headers=error.headers,
    )


def _unexpected(_request: Request, error: Exception) -> Response:
    log.error("a request failed", exc_info=error)
    return problem(ArenaError())
