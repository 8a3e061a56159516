"""Databases for a benchmark, and models and answered battles inserted in bulk."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import insert, make_url, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from arena.adapters.store.engine import Database, address, open_database
from arena.adapters.store.engine.migration import migrate
from arena.adapters.store.tables.conversations import BattleRow, ReplyRow, TurnRow
from arena.adapters.store.tables.endpoints import EndpointRow, OwnerRow
from arena.domain.terms import BattleState, EndpointState, Side, TurnState
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from sqlalchemy.orm import Session

    Databases = Callable[[], AbstractContextManager[tuple[Path, str]]]
    """Context with a folder and the URL of a new database."""

PIECE: Final = 2_000
MODELS: Final = 50
"""Number of imported models, which are on the board and never drawn."""
PROMPT: Final = "Explain in a few words why the sky is blue, and what would be another colour on Mars."
ANSWER: Final = (
    "## Short answer\n\nAir scatters **blue** light more strongly than red light.\n\n"
    "- Short waves are scattered most (Rayleigh).\n- Our eyes see less violet than blue.\n\n"
) + "On the way through the air the light is turned aside again and again before it reaches the eye. " * 8
"""About a thousand characters, with headings, lists and bold text, which style control counts."""
POSTGRES: Final = "A server to measure on too: postgresql://user:password@host/name."


@contextmanager
def folder() -> Generator[Path]:
    """A temporary folder."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as name:
        yield Path(name)


@contextmanager
def sqlite() -> Generator[tuple[Path, str]]:
    """A temporary folder with a SQLite file, and the database's URL."""
    with folder() as place:
        url = f"sqlite:///{(place / 'bench.db').as_posix()}"
        migrate(url)
        yield place, url


def on_server(server: str) -> Databases:
    """Databases on the server at this URL, whose user must be allowed to create them; each is dropped at the end."""

    @contextmanager
    def created() -> Generator[tuple[Path, str]]:
        name = f"arena_bench_{secrets.token_hex(4)}"
        asyncio.run(_execute(server, f'CREATE DATABASE "{name}"'))
        try:
            url = make_url(server).set(database=name).render_as_string(hide_password=False)
            migrate(url)
            with folder() as place:
                yield place, url
        finally:
            asyncio.run(_execute(server, f'DROP DATABASE "{name}" WITH (FORCE)'))

    return created


async def _execute(server: str, statement: str) -> None:
    engine = create_async_engine(address(server), isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(text(statement))
    finally:
        await engine.dispose()


@contextmanager
def opened(url: str) -> Generator[Database]:
    """The database at a URL, closed at the end of the block."""
    database = open_database(url)
    try:
        yield database
    finally:
        database.close()


def add_endpoints(
    session: Session,
    names: Iterable[str],
    now: datetime,
    state: EndpointState = EndpointState.IMPORTED,
    **facts: object,
) -> list[int]:
    """Insert endpoints of one owner; returns their ids. Without `facts` they cannot be called."""
    owner = OwnerRow(name="bench", created_at=now)
    values: dict[str, object] = {"dialect": "", "url": "", "wire_model": "", **facts}
    rows = [EndpointRow(name=name, owner=owner, state=state, created_at=now, **values) for name in names]
    session.add_all(rows)
    session.flush()
    return [row.id for row in rows]


def add_servers(session: Session, ports: Mapping[str, int], now: datetime) -> list[int]:
    """Insert local Chat Completions endpoints, by wire model and port; returns their ids."""
    numbers = add_endpoints(session, map("server-{}".format, ports), now, EndpointState.ACTIVE, private=True)
    for number, (model, port) in zip(numbers, ports.items(), strict=True):
        row = session.get_one(EndpointRow, number)
        row.dialect, row.url, row.wire_model = "openai_chat", f"http://127.0.0.1:{port}/v1", model
    return numbers


async def seed(url: str, cookies: Mapping[str, str], count: int, now: datetime) -> dict[str, str]:
    """Insert `count` answered battles of the voters of `cookies` (battle → cookie); returns their cookies likewise."""
    with opened(url) as database:
        keys = await database.read(_keys, list(cookies))
        models = await database.write(add_endpoints, [f"model-{number}-7b" for number in range(MODELS)], now)
        voters = [(keys[battle], cookie) for battle, cookie in cookies.items()]
        voters = [voters[number % len(voters)] for number in range(count)]
        ids = await add_battles(database, [key for key, _ in voters], models, now)
        return {battle: cookie for battle, (_, cookie) in zip(ids, voters, strict=True)}


def _keys(session: Session, battles: list[str]) -> dict[str, str]:
    rows = session.execute(select(BattleRow.id, BattleRow.voter_key).where(BattleRow.id.in_(battles))).all()
    return {row.id: row.voter_key for row in rows}


async def add_battles(
    database: Database,
    voters: Sequence[str],
    models: Sequence[int],
    now: datetime,
    pair: Callable[[int, Sequence[int]], tuple[int, int]] | None = None,
) -> list[str]:
    """Insert one answered battle without a vote for each of these voter keys; returns their ids.

    `pair` gives the models of a battle by its number, by default all pairs in turn.
    """
    for start in range(0, len(voters), PIECE):
        await database.write(_add, start, voters[start : start + PIECE], models, now, pair or _pair)
    return [_id(number) for number in range(len(voters))]


def _id(number: int) -> str:
    return f"{number:032d}"


def _add(
    session: Session,
    start: int,
    voters: Sequence[str],
    models: Sequence[int],
    now: datetime,
    pair: Callable[[int, Sequence[int]], tuple[int, int]],
) -> None:
    pairs = {_id(number): pair(number, models) for number in range(start, start + len(voters))}
    fields = {"probability": 1.0, "state": BattleState.OPEN, "language": "en", "created_at": now}
    battles = [
        {"id": battle, "voter_key": key, "endpoint_a_id": a, "endpoint_b_id": b, **fields}
        for key, (battle, (a, b)) in zip(voters, pairs.items(), strict=True)
    ]
    session.execute(insert(BattleRow), battles)
    moments = {"started_at": now, "deadline_at": now + timedelta(seconds=20), "ended_at": now}
    turns = session.execute(
        insert(TurnRow).returning(TurnRow.id, TurnRow.battle_id),
        [{"battle_id": pair, "number": 1, "prompt": PROMPT, "state": TurnState.READY, **moments} for pair in pairs],
    ).all()
    facts = {"generation": 0, "text": ANSWER, "finish": Finish.STOP, "total_ms": 1}
    replies = [
        {"turn_id": turn, "endpoint_id": endpoint, "side": side, **facts}
        for turn, battle in turns
        for side, endpoint in zip(Side, pairs[battle], strict=True)
    ]
    session.execute(insert(ReplyRow), replies)


def _pair(number: int, models: Sequence[int]) -> tuple[int, int]:
    first, distance = number % len(models), number // len(models) % (len(models) - 1) + 1
    return models[first], models[(first + distance) % len(models)]
