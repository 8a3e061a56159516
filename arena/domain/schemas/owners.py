"""Owners, their API keys and webhooks, and the ways to sign in."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from arena.domain.schemas import endpoint_fields as fields
from arena.domain.schemas.base import Wire, text_field
from arena.domain.schemas.endpoints import EndpointView
from arena.domain.terms import Access


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


class WebhookRequest(Wire):
    """The address for an owner's notifications."""

    url: fields.Url = Field(examples=["https://hooks.example.com/arena"])


class WebhookView(Wire):
    """An owner's webhook; an empty address means none.

    Each change of an endpoint's state is sent by POST with headers of Standard Webhooks, signed with `secret`, until
    the answer is 200; after `failures` in a row the next attempt is at `retry_at`.
    """

    url: str = ""
    secret: str = ""
    failures: int = 0
    retry_at: datetime | None = None


class ProviderView(Wire):
    """A provider by which members sign in: its name in URLs, and the text of its button."""

    name: str
    title: str


class SignInView(Wire):
    """Access to the arena, its providers, and whether this device has signed in."""

    access: Access
    member: bool
    providers: list[ProviderView]


class JoiningRequest(Wire):
    """A code by which one colleague shares an owner's models."""

    code: Annotated[str, Field(max_length=400)]
