"""An arena in this process with votes, endpoints, battles, evaluations, members and operators, for measured calls."""

from __future__ import annotations

import asyncio
import base64
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from arena.serving.composition import built
from arena.settings import Settings
from arena.usecases.ranking.methods import Method
from arena.usecases.ranking.publication import Publication, publish_whole
from arena.usecases.ranking.vote_columns import CountedLog
from arena_frontend.app import create_app as create_pages
from arena_rating import EloParameters, LeaderboardParameters
from benchmarks import refit
from benchmarks.load.store import opened
from benchmarks.routes.evaluations import add_evaluations

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from fastapi import FastAPI

KEY: Final = "k" * 40
"""The operator's key."""
PROVIDER: Final = "school"
_ORDERS: Final = 20
_WIDE: Final = "1000000"


@dataclass(frozen=True, slots=True)
class FilledArena:
    """The application, and existing ids by the name of their path parameter."""

    app: FastAPI
    ids: dict[str, str] = field(default_factory=dict[str, str])


@asynccontextmanager
async def filled(folder: Path, url: str, votes: int) -> AsyncGenerator[FilledArena]:
    """An arena on the SQLite database at `url` with so many votes, a published board and evaluations."""
    link = await fill(folder, url, votes)
    async with provider() as issuer:
        values = environment(folder, url, issuer)
        settings = Settings.model_validate(
            {name.removeprefix("ARENA_").lower(): value for name, value in values.items()}
        )
        async with built(settings, create_pages(), worker=False) as app:
            yield FilledArena(app, ids(link))


async def fill(folder: Path, url: str, votes: int) -> str:
    """Fill the database at `url`; returns the link of an annotator."""
    now = lambda: datetime.now(UTC)  # noqa: E731
    with opened(url) as database, ThreadPoolExecutor(1) as executor:
        await refit.fill(database, votes)
        method = Method(LeaderboardParameters(EloParameters(orders=_ORDERS)))
        await publish_whole(Publication(database, method, CountedLog(), executor, now))
        return await add_evaluations(database, folder, now())


def ids(link: str) -> dict[str, str]:
    """Ids by the name of their path parameter."""
    return {"provider": PROVIDER, "link": link}


def environment(folder: Path, url: str, issuer: str) -> dict[str, str]:
    """Settings of the arena: wide for a person and the whole, so that one visitor may do what many would."""
    sign_in = folder / "sign_in.toml"
    entry = {"name": PROVIDER, "title": "School", "issuer": issuer, "client_id": "arena"}
    lines = [f"{name} = {json.dumps(value)}" for name, value in entry.items()]
    sign_in.write_text("\n".join(["[[provider]]", *lines, "owners = true"]))
    return {
        "ARENA_DATA": str(folder / "data"),
        "ARENA_DATABASE_URL": url,
        "ARENA_DEMO": "on",
        "ARENA_LOCAL": "off",
        "ARENA_SECRET_KEY": base64.b64encode(bytes(32)).decode(),
        "ARENA_OPERATOR_KEY": KEY,
        "ARENA_SIGN_IN": str(sign_in),
        "ARENA_PUBLIC_URL": "http://127.0.0.1",
        "ARENA_RELEASE_RATE": "100000",
        "ARENA_PROMPTS_PER_MINUTE": _WIDE,
        "ARENA_RUNNING_PER_ENDPOINT": _WIDE,
        "ARENA_RUNNING_PER_VOTER": _WIDE,
        "ARENA_BATTLES_PER_DAY_PER_ADDRESS": "0",
        "ARENA_ABANDONED_SHARE": "0",
        "ARENA_GRACE_SECONDS": "0",
    }


@asynccontextmanager
async def provider() -> AsyncGenerator[str]:
    """The issuer of an OpenID provider that answers with its metadata alone."""
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    issuer = f"http://127.0.0.1:{writer.get_extra_info('sockname')[1]}"
    names: dict[str, Any] = {"authorization_endpoint": "a", "token_endpoint": "t", "jwks_uri": "k"}
    body = json.dumps({"issuer": issuer} | {name: f"{issuer}/{path}" for name, path in names.items()}).encode()
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(body), body))
    await writer.drain()
    writer.close()
