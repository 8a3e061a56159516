"""Database URLs: conversion from an operator's form to that of SQLAlchemy."""

from __future__ import annotations

from typing import Final

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from arena.domain.errors import Invalid

_POSTGRES: Final = frozenset({"postgres", "postgresql", "postgresql+asyncpg"})
_POOLER: Final = "pooler"
"""Our query parameter, as in `…/name?pooler=transaction`."""


def address(url: str) -> str:
    """The URL with our driver and without our query parameter.

    Raises:
        Invalid: It is not the URL of a supported database.
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
    """Whether the URL is that of a PostgreSQL server."""
    return address(url).startswith("postgresql+")


def pooled(url: str) -> bool:
    """Whether there is a pooler such as PgBouncer in transaction mode.

    Raises:
        Invalid: The mode is another one; session mode needs no parameter, and statement mode is not supported.
    """
    address(url)
    kind = make_url(url).query.get(_POOLER)
    if kind not in {None, "transaction"}:
        raise Invalid(f"The database's address says {_POOLER}={kind}; the arena knows {_POOLER}=transaction.")
    return kind is not None


def driver_options(url: str) -> dict[str, object]:
    """Options of the driver: with a pooler, prepared statements end with their transaction."""
    if not pooled(url):
        return {}
    return {
        "statement_cache_size": 0,
        "prepared_statement_cache_size": 0,
        "prepared_statement_name_func": lambda: "",
    }
