"""A receiver of webhooks, and an owner with an endpoint that changes."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

from arena.adapters.store.tables.endpoints import ChangeRow, OwnerRow
from arena.domain.terms import EndpointState
from tests.conftest import START
from tests.row_factories import endpoint_row

KEY = b"k" * 32


@dataclass
class Receiver:
    """Records headers and body of every request; answers with `status` and `location`, or never if `silent`."""

    status: int = 200
    location: str = ""
    silent: bool = False
    port: int = 0
    taken: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    meetings: set[asyncio.Task] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        meeting = asyncio.current_task()
        assert meeting
        self.meetings.add(meeting)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = head.decode().split("\r\n")[1:]
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines) if name}
                body = await reader.readexactly(int(headers["content-length"]))
                if self.silent:
                    await asyncio.sleep(60)
                self.taken.append((headers, body))
                length = "" if self.status in {204, 304} else "Content-Length: 0\r\n"
                place = f"Location: {self.location}\r\n" if self.location else ""
                writer.write(f"HTTP/1.1 {self.status} X\r\n{length}{place}\r\n".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    @asynccontextmanager
    async def listening(self):
        server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for meeting in self.meetings:
                meeting.cancel()
            await asyncio.gather(*self.meetings, return_exceptions=True)


async def owner_with_endpoint(database, name: str = "Acme") -> tuple[int, int]:
    """Add an owner with an endpoint; returns both ids."""

    def add(session) -> tuple[int, int]:
        row = endpoint_row(f"{name} model", owner=OwnerRow(name=name, created_at=START))
        session.add(row)
        session.flush()
        return row.owner_id, row.id

    return await database.write(add)


async def change(database, endpoint: int, reason: str, moment: datetime = START) -> None:
    facts = {"after": EndpointState.ACTIVE, "actor": "operator", "reason": reason, "created_at": moment}
    row = ChangeRow(endpoint_id=endpoint, **facts)
    await database.write(lambda session: session.add(row))
