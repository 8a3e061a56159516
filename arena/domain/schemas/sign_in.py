"""What an arena for members says about signing in."""

from __future__ import annotations

from arena.domain.schemas.base import Wire
from arena.domain.terms import Access


class ProviderView(Wire):
    """A provider by which members sign in: its name in addresses, and the text on its button."""

    name: str
    title: str


class SignInView(Wire):
    """Who may take part, and whether this device has signed in."""

    access: Access
    member: bool
    providers: list[ProviderView]
