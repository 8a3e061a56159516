"""Where the database is, as an operator writes it and as SQLAlchemy wants it."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from arena.errors import Invalid

_POSTGRES: Final = frozenset({"postgres", "postgresql", "postgresql+asyncpg"})


_POOLER: Final = "pooler"
"""The word behind the address, as in `…/name?pooler=transaction`."""


def address(url: str) -> str:
    """The same address with our driver in it, and without what is said to us alone.

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
        parsed = parsed.set(drivername="postgresql+asyncpg").difference_update_query([_POOLER])
        return parsed.render_as_string(hide_password=False)
    if parsed.drivername == "sqlite":
        return url
    raise Invalid(f"The arena keeps its data in sqlite or postgresql, not in {parsed.drivername}.")


def on_postgres(url: str) -> bool:
    """Whether a server keeps the data, and not a file."""
    return address(url).startswith("postgresql+")


def pooled(url: str) -> bool:
    """Whether a pooler such as PgBouncer gives each transaction another connection to the server.

    Raises:
        Invalid: It is another kind of pooler; by session it needs no word, by statement it cannot serve the arena.
    """
    address(url)
    kind = make_url(url).query.get(_POOLER)
    if kind not in {None, "transaction"}:
        raise Invalid(f"The database's address says {_POOLER}={kind}; the arena knows {_POOLER}=transaction.")
    return kind is not None


def driver_options(url: str) -> dict[str, Any]:
    """What the driver must know: behind a pooler nothing that was prepared outlives its transaction."""
    if not pooled(url):
        return {}
    return {
        "statement_cache_size": 0,
        "prepared_statement_cache_size": 0,
        "prepared_statement_name_func": lambda: "",
    }
