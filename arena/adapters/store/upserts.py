"""Inserts that change the row that is there already: SQLAlchemy has one for each database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.dialects import sqlite

from arena.adapters.store.locks import on_postgres

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.orm import DeclarativeBase, Session


def insert(session: Session, table: type[DeclarativeBase]) -> sqlite.Insert | postgresql.Insert:
    """An insert for the database of this session; that of PostgreSQL is loaded only where it is used."""
    if not on_postgres(session):
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415

    return postgresql.insert(table)
