"""Changes rows of a running arena's database; imported by schemathesis hooks, so it must not import the arena."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any, Final, TypeVar

from sqlalchemy import (
    URL,
    Connection,
    MetaData,
    NullPool,
    Table,
    create_engine,
    insert,
    literal,
    make_url,
    null,
    select,
    update,
)
from sqlalchemy.ext.asyncio import create_async_engine

from tests.processes import PATIENCE

WEEK: Final = date(2026, 1, 5)
"""The Monday of a week that is over."""
T = TypeVar("T")


class Rows:
    """Changes rows of the database at `url`, each time in a new transaction; the schema is read from it."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._tables = MetaData()

    def lead(self, endpoint: str, state: str, pending: dict[str, Any] | None) -> None:
        """Set the state of an endpoint; its weight is 0, so that no battle draws it."""

        def change(connection: Connection) -> None:
            endpoints = self._table(connection, "endpoints")
            values = {"state": state, "pending": pending or null(), "weight": 0.0}
            connection.execute(update(endpoints).where(endpoints.c.id == int(endpoint)).values(values))

        self._run(change)

    def decide(self, endpoint: str) -> dict[str, list[str]]:
        """Add a closed week of the gate, a decision and open objections; returns ids by path parameter."""
        at = datetime(2026, 1, 20, tzinfo=UTC)
        run = {"last_vote": 1, "last_decision": 1, "method": "m", "unlisted": [], "awake": False, "networks": 1}
        run |= {"week": WEEK, "established": 0, "boards": {"rows": []}, "audit": gzip.compress(b'{"number":1}\n')}
        decision = {"quarters": 1, "reason": "pooled", "method": "m", "votes": [1], "by": "gate"}
        objections = [{"text": "?", "endpoint_id": int(endpoint), "created_at": at} for _ in range(9)]

        def add(connection: Connection) -> dict[str, list[str]]:
            connection.execute(insert(self._table(connection, "gate_runs")), {**run, "created_at": at})
            decisions = self._table(connection, "decisions")
            number = connection.scalar(
                insert(decisions).values(created_at=at, **decision).returning(decisions.c.number)
            )
            table = self._table(connection, "objections")
            ids = connection.scalars(insert(table).returning(table.c.number), objections).all()
            return {"decision": [str(number)], "objection": [str(row_id) for row_id in ids], "week": ["2026-W02"]}

        return self._run(add)

    def copy(self, kind: str, old: str, new: str) -> None:
        """Copy a battle or chat with one turn and no vote, with another prompt; `kind` is `battle` or `chat`."""
        names = ("turns", "replies") if kind == "battle" else ("chat_turns", "chat_replies")

        def copy(connection: Connection) -> None:
            conversations, turns, replies = (self._table(connection, name) for name in (f"{kind}s", *names))
            _copied(connection, conversations, "id", old, id=new)
            at = connection.scalar(select(turns.c.id).where(turns.c[f"{kind}_id"] == old))
            prompt = f"What is {new}?"
            turn = _copied(connection, turns, f"{kind}_id", old, prompt=prompt, **{f"{kind}_id": new})
            _copied(connection, replies, "turn_id", at, turn_id=turn)

        self._run(copy)

    def open_like(self, old: str, voters: dict[str, str]) -> None:
        """Add open battles like the battle `old`, which has one turn; `voters` maps new ids to voter keys."""
        new = {"state": "open", "ended_at": None, "created_at": datetime.now(UTC)}

        def add(connection: Connection) -> None:
            battles, turns, replies = (self._table(connection, name) for name in ("battles", "turns", "replies"))
            (battle,), (turn,) = _rows(connection, battles, "id", old), _rows(connection, turns, "battle_id", old)
            both = _rows(connection, replies, "turn_id", turn.pop("id"))
            for reply in both:
                del reply["id"]
            copies = [{**battle, **new, "id": name, "voter_key": key} for name, key in voters.items()]
            connection.execute(insert(battles), copies)
            added = insert(turns).returning(turns.c.id, sort_by_parameter_order=True)
            ids = connection.scalars(added, [{**turn, "battle_id": name} for name in voters]).all()
            copies = [{**reply, "turn_id": number} for reply in both for number in ids]
            connection.execute(insert(replies), copies)

        self._run(add)

    def _table(self, connection: Connection, name: str) -> Table:
        return Table(name, self._tables, autoload_with=connection, resolve_fks=False)

    def _run(self, work: Callable[[Connection], T]) -> T:
        return in_transaction(self._url, work)


def in_transaction(url: str | URL, work: Callable[[Connection], T]) -> T:
    """Run `work` in a transaction on the database at `url`."""
    url = make_url(url)
    if url.drivername == "sqlite":
        with create_engine(url, connect_args={"timeout": PATIENCE}, poolclass=NullPool).begin() as connection:
            return work(connection)
    return asyncio.run(_on_postgres(url, work))


async def _on_postgres(url: URL, work: Callable[[Connection], T]) -> T:
    engine = create_async_engine(url.set(drivername="postgresql+asyncpg"), poolclass=NullPool)
    async with engine.begin() as connection:
        return await connection.run_sync(work)


def _rows(connection: Connection, table: Table, key: str, value: object) -> list[dict[str, Any]]:
    """The rows with this key, without empty columns, since in a JSON column NULL differs from `null`."""
    rows = connection.execute(select(table).where(table.c[key] == value)).mappings()
    return [{name: cell for name, cell in row.items() if cell is not None} for row in rows]


def _copied(connection: Connection, table: Table, key: str, old: object, **new: object) -> object:
    """Copy the rows with this key, with new ids and the values `new`; returns the last new id."""
    columns = [column for column in table.c if column.name != "id" or "id" in new]
    values = [literal(new[column.name], column.type) if column.name in new else column for column in columns]
    rows = select(*values).where(table.c[key] == old)
    copies = insert(table).from_select([column.name for column in columns], rows).returning(table.c.id)
    return connection.scalars(copies).all()[-1]
