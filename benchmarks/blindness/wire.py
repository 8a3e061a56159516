"""The same battles over HTTP: `arena serve` with its default pacing, a server of mocks, readers of its streams."""

from __future__ import annotations

import asyncio
import json
import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from arena.adapters.store.tables import BattleRow, EndpointRow
from arena.domain.blinding.pacing import Pace
from arena.domain.terms import Side
from benchmarks.blindness import upstream as upstream_module
from benchmarks.blindness.battles import Seen
from benchmarks.load.http import Connection, EventStream, request
from benchmarks.load.service import serving, settings
from benchmarks.load.store import add_servers, opened, sqlite
from benchmarks.processes import driver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.providers.transport.sse import Event
    from benchmarks.blindness.battles import Pair

_DELTA: Final = re.compile(r'\{"side":"([ab])","text":"([^"]*)"\}')
APART: Final = 0.1
"""Seconds between two battles."""


def over_http(models: Sequence[int], battles: int, seed: int) -> list[Seen]:
    """Serve an arena with these mocks and follow its battles."""
    pace = {"ARENA_FRAME_CHARACTERS": str(Pace().characters), "ARENA_START_SECONDS": str(Pace().start)}
    with driver(upstream_module, str(seed)) as upstream, sqlite() as (folder, url), opened(url) as database:
        port: int = upstream.report()
        ports = {str(model): port for model in models}
        asyncio.run(database.write(add_servers, ports, datetime.now(UTC)))
        with serving(settings(folder, url, battles) | pace) as service:
            heard = asyncio.run(_all(service.port, battles))
        pairs = asyncio.run(database.read(_met))
    return [Seen(pairs[battle], each.pieces, each.end) for battle, each in heard.items()]


class _Reader:
    """Reads the stream of a battle that was opened at the moment `asked`."""

    def __init__(self, asked: float) -> None:
        self._asked = asked
        self.pieces: dict[Side, list[tuple[float, int]]] = {side: [] for side in Side}
        self.end = 0.0

    def hear(self, event: Event) -> None:
        """Take one event."""
        now = time.monotonic() - self._asked
        if found := _DELTA.fullmatch(event.data):
            self.pieces[Side(found[1])].append((now, len(found[2])))
        elif event.name.startswith("turn_"):
            self.end = now


async def _all(port: int, battles: int) -> dict[str, _Reader]:
    connection, readers, streams = await Connection.open(port), dict[str, _Reader](), list[EventStream]()
    for _ in range(battles):
        reader = _Reader(time.monotonic())
        answer = await connection.ask(request("POST", "/api/v1/battles", b'{"prompt":"What is new?"}'))
        battle = json.loads(answer.body)["id"]
        follow = request("GET", f"/api/v1/battles/{battle}/stream", Cookie=answer.cookie)
        streams.append(await EventStream.open(port, follow, reader.hear))
        readers[battle] = reader
        await asyncio.sleep(APART)
    await asyncio.wait([stream.ended for stream in streams])
    connection.close()
    return readers


def _met(session: Session) -> dict[str, Pair]:
    mocks = {row.id: int(row.wire_model) for row in session.scalars(select(EndpointRow))}
    battles = session.scalars(select(BattleRow)).all()
    return {each.id: (mocks[each.endpoint_a_id], mocks[each.endpoint_b_id]) for each in battles}
