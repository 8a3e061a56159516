"""Ways to sign in to an arena for members."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.terms import Access


class ProviderView(Wire):
    """A provider by which members sign in: its name in addresses, and the text on its button."""

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
