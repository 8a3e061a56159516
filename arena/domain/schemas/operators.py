"""Operators, their acts, and the switches and figures on their page."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from arena.domain.operators import OperatorRole
from arena.domain.schemas.base import Wire
from arena.domain.terms import Part


class OperatorView(Wire):
    """The operator of the request; `via` is `key`, or the provider by which they signed in."""

    name: str
    via: str
    role: OperatorRole


class ActView(Wire):
    """An act of an operator.

    `nonce` opens its leaf of the transparency log, which has the SHA-256 of it and of the JSON array `["arena-act/1",
    number, at, who, via, role, kind, target, why]` without spaces.
    """

    number: int
    at: datetime
    who: str
    via: str
    role: str
    kind: str
    target: str
    why: str
    nonce: str


class PartView(Wire):
    """A part of the service, and whether it is closed; `changed_at` is null before the first change."""

    part: Part
    closed: bool
    reason: str = ""
    changed_at: datetime | None = None


class PartRequest(Wire):
    """The reason, for other operators, why a part of the service closes."""

    reason: str = Field(default="", max_length=200)


class FiguresView(Wire):
    """The most important figures for an operator: battles and votes of this day (UTC), and the present state.

    `failing` counts active endpoints that rest after failures; `waiting` counts the tasks of operators: endpoints and
    changes to approve, objections without an answer, reported links. `keyless` has active endpoints whose key this
    server lacks, so that they are not drawn, with the environment variable that is not set; None for a stored key.
    """

    battles: int
    votes: int
    failing: int
    waiting: int
    keyless: dict[str, str | None] = Field(default={})
