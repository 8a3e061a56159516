"""Where the database is, as an operator writes it and as SQLAlchemy wants it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from arena.errors import Invalid

_POSTGRES: Final = frozenset({"postgres", "postgresql", "postgresql+asyncpg"})


def address(url: str) -> str:
    """The same address with our driver in it.

    Raises:
        Invalid: It names no database that the arena can use.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise Invalid(
            "The database's address cannot be read; write it like postgresql://user:password@host/name."
        ) from None
    if parsed.drivername in _POSTGRES:
        return parsed.set(drivername="postgresql+asyncpg").render_as_string(hide_password=False)
    if parsed.drivername == "sqlite":
        return url
    raise Invalid(f"The arena keeps its data in sqlite or postgresql, not in {parsed.drivername}.")


def on_postgres(url: str) -> bool:
    """Whether a server keeps the data, and not a file."""
    return address(url).startswith("postgresql+")
