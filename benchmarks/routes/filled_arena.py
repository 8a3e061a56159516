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

from pydantic import SecretStr

from arena.serving.composition import built
from arena.settings import Settings
from arena.usecases.ranking import publication
from arena.usecases.ranking.methods import Method
from arena.usecases.ranking.vote_columns import CountedLog
from arena_frontend.app import create_app as create_pages
from arena_rating import EloParameters, LeaderboardParameters
from benchmarks import refit
from benchmarks.load.store import opened

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from fastapi import FastAPI

KEY: Final = "k" * 40
"""The operator's key."""
PROVIDER: Final = "school"
_QUESTIONS: Final = 200
_ORDERS: Final = 20


@dataclass(frozen=True, slots=True)
class FilledArena:
    """The application, and existing ids by the name of their path parameter."""

    app: FastAPI
    ids: dict[str, str] = field(default_factory=dict[str, str])


@asynccontextmanager
async def filled(folder: Path, url: str, votes: int) -> AsyncGenerator[FilledArena]:
    """An arena on the SQLite database at `url` with so many votes and a published board."""
    with opened(url) as database, ThreadPoolExecutor(1) as executor:
        await refit.fill(database, votes)
        method = Method(LeaderboardParameters(EloParameters(orders=_ORDERS)))
        now = lambda: datetime.now(UTC)  # noqa: E731
        while await publication.publish(database, method, CountedLog(), executor=executor, now=now):
            pass
    async with _provider() as issuer, built(_settings(folder, url, issuer), create_pages(), worker=False) as app:
        yield FilledArena(app, {"provider": PROVIDER})


def _settings(folder: Path, url: str, issuer: str) -> Settings:
    sign_in = folder / "sign_in.toml"
    entry = {"name": PROVIDER, "title": "School", "issuer": issuer, "client_id": "arena"}
    lines = [f"{name} = {json.dumps(value)}" for name, value in entry.items()]
    sign_in.write_text("\n".join(["[[provider]]", *lines, "owners = true"]))
    wide = 1_000_000
    return Settings(
        data=folder / "data",
        database_url=url,
        demo="on",
        local="off",
        secret_key=SecretStr(base64.b64encode(bytes(32)).decode()),
        operator_key=SecretStr(KEY),
        sign_in=sign_in,
        public_url="http://127.0.0.1",
        release_rate=100_000,
        prompts_per_minute=wide,
        prompts_per_minute_per_address=wide,
        running=wide,
        running_per_endpoint=wide,
        running_per_voter=wide,
        running_per_address=wide,
        battles_per_day_per_address=0,
        abandoned_share=0,
        sign_ups_per_hour=wide,
        probes_per_hour=wide,
        grace_seconds=0,
    )


@asynccontextmanager
async def _provider() -> AsyncGenerator[str]:
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
