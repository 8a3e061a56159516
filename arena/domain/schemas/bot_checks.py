"""The bot check: its challenge, its answer and its result."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.terms import BotVerdict

PAYLOAD_LIMIT = 4_000
"""Longest payload in characters."""


class BotCheckView(Wire):
    """The verdict of today (UTC) and, unless the check is passed or off, a challenge in ALTCHA's format."""

    mode: Literal["off", "observe", "require"]
    verdict: BotVerdict
    challenge: dict[str, Any] | None = None


class BotCheckRequest(Wire):
    """The answer to a challenge: base64 of the challenge and its solution as JSON, as ALTCHA's libraries make it."""

    payload: Annotated[str, Field(min_length=1, max_length=PAYLOAD_LIMIT)]
