"""Owners and their API keys."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from arena.domain.schemas.base import Wire, text_field
from arena.domain.schemas.endpoints import EndpointView


class SignUpRequest(Wire):
    """A new owner's sign-up; `invitation` is the operator's code, if one is required."""

    name: Annotated[str, text_field(80)]
    contact: Annotated[str, text_field(200)]
    invitation: str | None = None


class ApiKeyView(Wire):
    """An owner's API key, returned only once."""

    key: str


class SignedUpView(ApiKeyView):
    """A new owner."""

    id: int
    name: str


class OwnerView(Wire):
    """An owner as they see themselves."""

    id: int
    name: str
    contact: str | None
    key_made_at: datetime | None
    endpoints: list[EndpointView]
